#pragma once

#include "record/compile_record.h"

#include <unordered_map>

namespace aotscope {

/// Locates operations in the model, for all tables, pictures and times. A backward operation without its own place is
/// located at the forward operation that it differentiates.
class ModelPlaces {
public:
    ModelPlaces() = default;
    explicit ModelPlaces(const Graph& graph) { add(graph); }

    void add(const Graph& graph);
    /// Null if unknown.
    const SourceInfo* of(NodeId node) const;

private:
    std::unordered_map<NodeId, std::shared_ptr<const SourceInfo>> places_;
};

/// For the nodes of a graph of the record. Forward and backward have the nodes of the joint graph, if there is one.
ModelPlaces placesIn(const Graph& graph, GraphKind kind, const CompileRecord& record);

}  // namespace aotscope
