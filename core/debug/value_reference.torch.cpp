#include "debug/value_reference.h"

#include "aten/full_precision.h"
#include "aten/random_state.h"
#include "ir/diff.h"
#include "verify/eager_log.h"
#include "verify/judge/comparison.h"

#include <unordered_set>

namespace aotscope {

namespace {

class EagerValues final : public ReferenceValues {
public:
    EagerValues(std::unique_ptr<EagerLog> log, std::shared_ptr<const CompileRecord> record)
        : log_(std::move(log)), record_(std::move(record)) {
        for (const Rewrite& rewrite : record_->rewrites) rewritten_.insert(rewrite.nodes.begin(), rewrite.nodes.end());
    }

    Judgement judge(const Node& node, const c10::IValue& value) const override {
        if (rewritten_.contains(node.id())) return {};
        const Node* call = node.kind() == NodeKind::call ? &node : savedBy(node);
        return call ? log_->judge(*call, value) : Judgement();
    }
    std::string name() const override { return "eager"; }

private:
    /// The forward operation whose value this input of the backward holds, or null.
    const Node* savedBy(const Node& placeholder) const {
        const auto forward = record_->graph(GraphKind::forward);
        const Node* node = placeholder.role == Role::saved && forward ? forward->findById(placeholder.id()) : nullptr;
        return node && node->kind() == NodeKind::call ? node : nullptr;
    }

    std::unique_ptr<EagerLog> log_;
    std::shared_ptr<const CompileRecord> record_;
    std::unordered_set<NodeId> rewritten_;
};

class OtherRun final : public ReferenceValues {
public:
    explicit OtherRun(std::unordered_map<NodeId, c10::IValue> values) : values_(std::move(values)) {}

    Judgement judge(const Node& node, const c10::IValue& value) const override {
        const auto it = values_.find(node.id());
        if (it == values_.end() || isMeaningless(node)) return {};
        auto difference = compareValues("%" + node.name(), it->second, value, kUnmeasurable);
        return {difference ? Verdict::bad : Verdict::good, std::move(difference)};
    }
    std::string name() const override { return "the other run"; }

private:
    std::unordered_map<NodeId, c10::IValue> values_;
};

/// The graph that was compiled as a whole; for printed halves, the forward.
const Graph& wholeOf(const CompileRecord& record) {
    const auto joint = record.graph(GraphKind::joint);
    return joint ? *joint : *record.graph(executedGraphs(record).front());
}

}  // namespace

std::unique_ptr<ReferenceValues> eagerValues(const ModelRun& modelRun, const Options& options,
                                             std::shared_ptr<const CompileRecord> record) {
    const RandomStateGuard kept;
    const FullPrecision inFull;
    return std::make_unique<EagerValues>(EagerLog::record(modelRun, options, {}), std::move(record));
}

std::unique_ptr<ReferenceValues> valuesOfRun(std::unordered_map<NodeId, c10::IValue> values,
                                             const CompileRecord& record, const CompileRecord& other) {
    std::unordered_map<NodeId, c10::IValue> mine;
    for (const auto& [here, there] : matchByStructure(wholeOf(record), wholeOf(other)))
        if (const auto it = values.find(there); it != values.end()) mine.emplace(here, it->second);
    return std::make_unique<OtherRun>(std::move(mine));
}

}  // namespace aotscope
