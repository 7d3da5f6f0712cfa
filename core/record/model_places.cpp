#include "record/model_places.h"

#include "ir/provenance.h"

namespace aotscope {

void ModelPlaces::add(const Graph& graph) {
    for (const Node* node : graph.nodes()) {
        Provenance provenance = provenanceOf(*node);
        const auto forward = places_.find(provenance.forward);
        if (!provenance.source && forward != places_.end()) provenance.source = forward->second;
        places_.emplace(node->id(), std::move(provenance.source));
    }
}

const SourceInfo* ModelPlaces::of(NodeId node) const {
    const auto known = places_.find(node);
    return known == places_.end() ? nullptr : known->second.get();
}

ModelPlaces placesIn(const Graph& graph, GraphKind kind, const CompileRecord& record) {
    ModelPlaces places;
    const bool half = kind == GraphKind::forward || kind == GraphKind::backward;
    if (const auto joint = record.graph(GraphKind::joint); half && joint) places.add(*joint);
    places.add(graph);
    return places;
}

}  // namespace aotscope
