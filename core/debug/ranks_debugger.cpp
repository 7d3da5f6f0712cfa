#include "debug/ranks_debugger.h"

#include "support/error.h"
#include "support/names.h"

namespace aotscope {

RanksDebugger::RanksDebugger(std::vector<std::shared_ptr<const CompileRecord>> records)
    : waits_(records.size()), records_(std::move(records)) {
    check(!records_.empty(), "there are ranks to step");
}

void RanksDebugger::show(std::size_t rank) {
    if (rank >= ranks())
        throw Error("there is no rank " + std::to_string(rank) + "; the run has " + counted(ranks(), "rank") +
                    ", numbered from 0");
    shown_ = rank;
}

const Node* RanksDebugger::stoppedAt() const {
    const DebugStop& stop = lastStop();
    const auto graph = record(shown_).graph(stop.graph);
    return graph && stop.node != kNoNode ? graph->findById(stop.node) : nullptr;
}

std::vector<RankPlace> RanksDebugger::places() const {
    std::vector<RankPlace> places;
    for (std::size_t rank = 0; rank < ranks(); ++rank) places.push_back({positionOf(rank), !waits_[rank].empty()});
    return places;
}

std::vector<RanksDebugger::OfRanks> RanksDebugger::valuesOf(GraphKind graph, const std::vector<std::string>& nodes,
                                                            const Progress& progress) const {
    std::vector<RankNode> wanted;
    std::vector<OfRanks> values(nodes.size(), OfRanks(ranks()));
    std::vector<std::optional<ValueFacts>*> places;
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
        const auto own = record(rank).graph(graph);
        for (std::size_t i = 0; own && i < nodes.size(); ++i) {
            const Node* found = own->findByName(nodes[i]);
            if (!found) continue;
            wanted.push_back({rank, graph, found->id()});
            places.push_back(&values[i][rank]);
        }
    }
    auto found = this->values(wanted, progress);
    for (std::size_t i = 0; i < places.size(); ++i) *places[i] = std::move(found[i]);
    return values;
}

}  // namespace aotscope
