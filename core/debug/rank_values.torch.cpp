#include "debug/rank_values.h"

#include "debug/debugger.h"
#include "debug/stepped_ranks_text.h"
#include "ops/collectives.h"
#include "ops/op_table.h"
#include "support/error.h"
#include "verify/judge/reference_values.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

bool areEqual(const Debugger::Values& values) {
    return std::ranges::all_of(values, [&](const auto& value) {
        return value.has_value() == values.front().has_value() &&
               (!value || valueDifference(*values.front(), *value) == "equal");
    });
}

class ValuesOfRanks {
public:
    ValuesOfRanks(const Debugger& run, const Progress& progress) : run_(run), progress_(progress) {}

    std::vector<RankDifference> compare() {
        for (const GraphKind kind : executedGraphs(run_.record(0))) {
            equal_.clear();
            const auto graph = run_.record(0).graph(kind);
            compareNodes(kind, *graph);
            compareOutputs(kind, *graph);
        }
        return std::move(found_);
    }

private:
    /// Many at a time, as the run may be in another process.
    void compareNodes(GraphKind kind, const Graph& graph) {
        constexpr std::size_t most = 256;
        std::vector<const Node*> nodes;
        std::vector<std::string> names;
        const auto compareThem = [&] {
            const std::vector<Debugger::Values> values = run_.valuesOf(kind, names, progress_);
            for (std::size_t i = 0; i < nodes.size(); ++i) compare(kind, *nodes[i], values[i]);
            nodes.clear();
            names.clear();
        };
        for (const Node* node : graph.nodes()) {
            if (node->kind() == NodeKind::output || node->type.tuple()) continue;
            nodes.push_back(node);
            names.push_back(node->name());
            if (nodes.size() == most) compareThem();
        }
        compareThem();
    }

    void compare(GraphKind kind, const Node& node, const Debugger::Values& values) {
        const bool equal = areEqual(values);
        equal_[&node] = equal;
        if (equal) return;
        if (node.kind() == NodeKind::placeholder) {
            const bool own = node.role != Role::saved && node.role != Role::savedSymint && kind != GraphKind::backward;
            if (own) add(input_, "input", kind, node, values);
        } else if (isOrigin(node)) {
            add(origin_, "result of equal operands", kind, node, values);
        }
    }

    /// Ranks exchange different parts on purpose, and uninitialized memory has arbitrary values.
    bool isOrigin(const Node& node) const {
        const Node* tuple = isGetitem(node) ? node.args()[0].node() : nullptr;
        const Node& call = tuple ? *tuple : node;
        const auto same = [&](const Node* operand) {
            const auto known = equal_.find(operand);
            return known == equal_.end() || known->second;
        };
        return !communicates(call.op()) && !isMeaningless(call) && std::ranges::all_of(call.inputs(), same);
    }

    void compareOutputs(GraphKind kind, const Graph& graph) {
        for (std::size_t i = 0; i < graph.outputs().size() && i < graph.outputSlots().size(); ++i) {
            const Node* node = graph.outputs()[i].node();
            const auto known = node ? equal_.find(node) : equal_.end();
            if (known == equal_.end() || known->second) continue;
            const Role role = graph.outputSlots()[i].role;
            const bool isOutput = role == Role::userOutput, isGradient = role == Role::gradient;
            if ((!isOutput || output_) && (!isGradient || gradient_)) continue;
            const Debugger::Values values = run_.values(kind, node->name());
            if (isOutput) add(output_, "output", kind, *node, values);
            if (isGradient) add(gradient_, "gradient", kind, *node, values);
        }
    }

    void add(bool& told, const char* what, GraphKind kind, const Node& node, const Debugger::Values& values) {
        if (told) return;
        told = true;
        RankDifference difference{RankDifference::Kind::values, {}, kind, "%" + node.name(), {}};
        difference.among = std::string(what) + " " + difference.node + " of the " + std::string(name(kind)) + " graph";
        for (std::size_t i = 0; i < values.size(); ++i)
            difference.each.push_back({!values[i] ? std::string()
                                       : i == 0 || !values[0]
                                           ? describe(*values[i])
                                           : describe(*values[i]) + ": " + valueDifference(*values[0], *values[i]),
                                       node.id(), kind});
        found_.push_back(std::move(difference));
    }

    const Debugger& run_;
    const Progress& progress_;
    std::unordered_map<const Node*, bool> equal_;  ///< on all ranks
    bool input_ = false, origin_ = false, output_ = false, gradient_ = false;
    std::vector<RankDifference> found_;
};

}  // namespace

std::vector<RankDifference> compareValues(Debugger& run, const Progress& progress) {
    run.run(progress);
    if (run.lastStop().reason != DebugStop::Reason::ended) throw Error(run.lastStop().text);
    return ValuesOfRanks(run, progress).compare();
}

}  // namespace aotscope
