#include "record/record_at.h"

#include "ir/graph_at.h"
#include "record/partition_figures.h"
#include "support/quoted.h"

#include <map>

namespace aotscope {

namespace {

/// Each graph once, though the record and its partition share some.
class GraphsAt {
public:
    explicit GraphsAt(const SymbolValues& values) : values_(values) {}
    std::shared_ptr<const Graph> operator()(const std::shared_ptr<const Graph>& graph) {
        if (!graph) return nullptr;
        auto& known = known_[graph.get()];
        if (!known) known = graphAt(*graph, values_);
        return known;
    }

private:
    const SymbolValues& values_;
    std::map<const Graph*, std::shared_ptr<const Graph>> known_;
};

Partition partitionAt(const Partition& partition, GraphsAt& at) {
    Partition here;
    here.algorithm = partition.algorithm;
    here.forward = at(partition.forward);
    here.backward = at(partition.backward);
    here.saved = partition.saved;
    for (SavedValue& value : here.saved)
        if (const Node* node = here.forward->findById(value.node))
            if (const TensorType* type = node->type.tensor()) value.type = *type;
    for (const RecomputedValue& value : partition.recomputed)
        if (const Node* node = here.backward->findById(value.node)) here.recomputed.push_back(recomputedValue(*node));
    return here;
}

std::shared_ptr<const FunctionMetadata> metadataAt(const std::shared_ptr<const FunctionMetadata>& metadata,
                                                   const SymbolValues& values) {
    return metadata ? std::make_shared<const FunctionMetadata>(metadata->at(values)) : nullptr;
}

}  // namespace

SymbolValues hintsOf(const CompileRecord& record) {
    SymbolValues hints;
    for (const Symbol& symbol : record.symbols) {
        hints[symbol.name] = symbol.hint;
        for (const std::string& same : symbol.equals) hints[same] = symbol.hint;
    }
    return hints;
}

std::shared_ptr<CompileRecord> recordAt(const CompileRecord& record, const SymbolValues& values) {
    SymbolValues all = hintsOf(record);
    for (const auto& [name, value] : values) {
        if (!all.contains(name)) throw Error("the run has no symbol " + inQuotes(name));
        all[name] = value;
    }
    auto here = std::make_shared<CompileRecord>(record);
    GraphsAt at(all);
    for (const GraphKind kind : executedGraphs(record)) here->graphs[kind] = at(record.graph(kind));
    if (record.partition) here->partition = std::make_shared<const Partition>(partitionAt(*record.partition, at));
    here->metadata = metadataAt(record.metadata, all);
    here->graphMetadata = metadataAt(record.graphMetadata, all);
    for (Symbol& symbol : here->symbols) symbol.hint = all.at(symbol.name);
    here->compilers = notCompiledYet(std::move(here->compilers));  // the kernels are those of the example
    here->costs = nullptr;
    return here;
}

}  // namespace aotscope
