#include "record/check_reference.h"

#include "record/model_kind.h"

namespace aotscope {

std::string checkReference(const CompileRecord& record) {
    const std::string& kind = record.model.kind;
    if (kind == kPrintedPasses && isSequence(record))
        return "the graph of '" + std::string(name(referencePass(record))) + "' run operation by operation";
    if (kind != kPrintedGraphs && kind != kTraceLog && kind != kExportedGraph) return "eager";
    const bool halves = record.graph(GraphKind::forward) && record.graph(GraphKind::backward);
    if (!halves) return "the same graph run operation by operation";
    return record.graph(GraphKind::joint) ? "the joint graph" : "the same graphs run operation by operation";
}

}  // namespace aotscope
