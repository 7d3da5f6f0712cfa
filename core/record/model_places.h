#pragma once

#include "record/compile_record.h"

#include <unordered_map>

namespace aotscope {

/// Where operations are in the model: the one answer that tables, pictures and times share. A backward operation that
/// says nothing of its own place is in the place of the forward one that it differentiates.
class ModelPlaces {
public:
    ModelPlaces() = default;
    explicit ModelPlaces(const Graph& graph) { add(graph); }

    void add(const Graph& graph);
    /// Null: nothing is known.
    const SourceInfo* of(NodeId node) const;

private:
    std::unordered_map<NodeId, std::shared_ptr<const SourceInfo>> places_;
};

/// Of the nodes of a graph of the record. Forward and backward have the nodes of the joint graph, if there is one.
ModelPlaces placesIn(const Graph& graph, GraphKind kind, const CompileRecord& record);

}  // namespace aotscope
