#include "record/compile_record.h"

#include "record/model_kind.h"
#include "support/enumerators.h"
#include "support/error.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

std::string_view name(Guard::Kind kind) { return spelled(kind); }

std::string_view name(const PassRecord& pass) { return pass.title.empty() ? name(pass.id) : pass.title; }

std::optional<std::size_t> passNamed(const CompileRecord& record, std::string_view wanted) {
    for (std::size_t i = 0; i < record.passes.size(); ++i)
        if (name(record.passes[i]) == wanted) return i;
    return std::nullopt;
}

std::vector<NodeId> groupOf(const std::vector<CompilerUse>& compilers, GraphKind kind, NodeId node) {
    for (const CompilerUse& use : compilers) {
        if (kind != GraphKind::joint && use.graph != kind) continue;
        for (const auto& group : use.groups)
            if (std::find(group.begin(), group.end(), node) != group.end()) return group;
    }
    return {};
}

std::vector<std::string> warningsOf(const CompileRecord& record) {
    std::vector<std::string> warnings = record.fellBack;
    warnings.insert(warnings.end(), record.warnings.begin(), record.warnings.end());
    if (record.partition && record.partition->budget)
        if (std::string excess = excessText(*record.partition->budget); !excess.empty())
            warnings.push_back(std::move(excess));
    if (record.partition && record.partition->plan)
        if (std::string broken = brokenLimitText(*record.partition->plan); !broken.empty())
            warnings.push_back(std::move(broken));
    return warnings;
}

void requirePartition(const CompileRecord& record) {
    if (!record.error.empty()) throw Error(record.error);
    if (!record.partition || !record.graph(GraphKind::joint))
        throw Error("there is nothing to partition: " +
                    (record.metadata ? record.metadata->whyAutograd : std::string("the file has no joint graph")));
}

PartitionOptions optionsOn(const CompileRecord& record, PartitionOptions options) {
    options.cut.staticParameters = options.cut.staticParameters || record.staticParameters;
    return options;
}

std::string graphTitle(const CompileRecord& record, GraphKind kind) {
    const int order = kind == GraphKind::backward ? 1 : 0;
    return record.model.name + "__" + std::to_string(record.compilation) + "_" + std::string(name(kind)) + "_" +
           std::to_string(order);
}

bool isSequence(const CompileRecord& record) { return record.model.kind == kPrintedPasses && !record.passes.empty(); }

bool takesTheSame(const Graph& a, const Graph& b) {
    const auto sameType = [](const Node* x, const Node* y) {
        const TensorType *s = x->type.tensor(), *t = y->type.tensor();
        return s && t ? s->dtype == t->dtype && s->sizes == t->sizes : s == t;
    };
    return a.outputs().size() == b.outputs().size() && std::ranges::equal(a.placeholders(), b.placeholders(), sameType);
}

const PassRecord& referencePass(const CompileRecord& sequence) {
    const Graph& last = *sequence.passes.back().graphs.front().second;
    return *std::ranges::find_if(sequence.passes, [&](const PassRecord& pass) {
        return !pass.graphs.empty() && takesTheSame(*pass.graphs.front().second, last);
    });
}

std::vector<GraphKind> executedGraphs(const CompileRecord& record) {
    if (isSequence(record)) {
        const GraphKind last = record.passes.back().graphs.front().first;
        if (last == GraphKind::source) return {};
        return {last};
    }
    if (record.partition) return {GraphKind::forward, GraphKind::backward};
    for (const GraphKind kind : {GraphKind::joint, GraphKind::inference, GraphKind::forward, GraphKind::backward,
                                 GraphKind::functional, GraphKind::preFunctionalization})
        if (record.graph(kind)) return {kind};
    return {};
}

bool sameStructure(const Graph& a, const Graph& b) {
    const auto x = a.nodes(), y = b.nodes();
    if (x.size() != y.size()) return false;
    std::unordered_map<const Node*, std::size_t> first, second;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i]->kind() != y[i]->kind() || x[i]->op() != y[i]->op() || x[i]->inputs().size() != y[i]->inputs().size())
            return false;
        for (std::size_t k = 0; k < x[i]->inputs().size(); ++k)
            if (first.at(x[i]->inputs()[k]) != second.at(y[i]->inputs()[k])) return false;
        first[x[i]] = second[y[i]] = i;
    }
    return true;
}

}  // namespace aotscope
