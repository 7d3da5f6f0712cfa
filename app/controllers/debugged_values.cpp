#include "controllers/debugged_values.h"

#include "debug/ranks_debugger.h"
#include "debug/stepped_ranks_text.h"
#include "session/session.h"

#include <algorithm>

namespace aotscope {

namespace {

/// On ranks with other graphs, the node is another one.
std::vector<RankValue> valuesOfRanks(const DebuggedRanks& ranks, const ShownValue& value, const Progress& progress) {
    std::vector<RankValue> values;
    for (std::size_t rank = 0; rank < ranks.alike.size(); ++rank) {
        progress.throwIfCancelled();
        if (ranks.alike[rank]) values.push_back({rank, ranks.run->rank(rank).value(value.graph, value.node)});
    }
    return values;
}

}  // namespace

SeenValues seeValues(const Debugger& debugger, const DebuggedRanks& ranks, const WantedValues& wanted,
                     const Progress& progress) {
    SeenValues seen{wanted.watched, wanted.selected, {}, {}, debugger.position()};
    std::vector<Debugger::ValuePlace> places;
    for (const auto& [row, step] : wanted.steps) places.push_back({step.graph, step.node});
    for (const ShownValue& value : wanted.watched) places.push_back({value.graph, value.node});
    if (wanted.selected) places.push_back({wanted.selected->graph, wanted.selected->node});
    std::vector<std::optional<ValueFacts>> found = debugger.values(places, progress);
    auto next = found.begin();
    for (const auto& [row, step] : wanted.steps)
        if (auto& facts = *next++) seen.steps[row] = std::move(*facts);
    for (ShownValue& value : seen.watched) {
        value.facts = std::move(*next++);
        if (ranks.run) value.ranks = valuesOfRanks(ranks, value, progress);
    }
    if (!seen.selected) return seen;
    ShownValue& selected = *seen.selected;
    selected.facts = std::move(*next);
    if (ranks.run) selected.ranks = valuesOfRanks(ranks, selected, progress);
    // The indices may be those of another value.
    std::vector<std::int64_t> within = wanted.leading;
    const auto& facts = selected.facts;
    for (std::size_t d = 0; facts && d < within.size(); ++d)
        if (d >= facts->sizes.size() || within[d] >= facts->sizes[d]) within[d] = 0;
    seen.image = debugger.image(selected.graph, selected.node, within);
    return seen;
}

std::shared_ptr<Debugger> debugSession(const Session& session, std::size_t count, const Progress& progress) {
    if (count > 1) return debugRanksOf(session, count, progress).run;
    return session.debug(progress);
}

void keepInView(const DebuggedRanks& ranks, std::size_t rank, DebugStop& stop) {
    const auto& stopped = ranks.run->stoppedBy();
    const bool own = stopped.empty() || std::ranges::find(stopped, rank) != stopped.end();
    if (!own && !ranks.alike[stopped.front()]) stop.node = kNoNode;
    if (!ranks.alike[ranks.run->shown()]) ranks.run->show(rank);
}

std::string whereRanksAre(const RanksDebugger& run) {
    std::string text = positionsText(run);
    return std::ranges::count(text, '\n') > 1 ? text : std::string();
}

}  // namespace aotscope
