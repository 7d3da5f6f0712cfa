#include "session/ranks/debugged_ranks.h"

#include "debug/debugger.h"
#include "io/ranks/rank_nodes.h"
#include "ops/collectives.h"
#include "session/engine.h"
#include "session/rank_options.h"
#include "support/error.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Compile time is proportional to the number of ranks.
constexpr std::uint64_t kMostUnasked = 16;

/// With equal nodes, so that references to one's nodes are valid in the other.
bool areAlike(const Graph& first, const Graph& second) {
    return !compareNodes(first, second).structure &&
           std::ranges::equal(first.nodes(), second.nodes(), {}, &Node::id, &Node::id);
}

bool runSameProgram(const CompileRecord& first, const CompileRecord& second) {
    const auto kinds = executedGraphs(first);
    return kinds == executedGraphs(second) && std::ranges::all_of(kinds, [&](GraphKind kind) {
               return areAlike(*first.graph(kind), *second.graph(kind));
           });
}

/// Options for all ranks, regardless of the session's own rank.
Options optionsOfAll(const Session& session) {
    Options options = session.options();
    options.world.size = options.world.rank = 0;
    return options;
}

}  // namespace

RankChoice rankChoiceOf(const Session& session) {
    RankChoice choice;
    const CompileRecord& record = *session.record();
    std::int64_t size = static_cast<std::int64_t>(std::min(session.options().world.size, kMostRanks));
    const bool known = size > 0;
    for (const GraphKind kind : executedGraphs(record))
        for (const Node* node : record.graph(kind)->nodes()) {
            if (!communicates(node->op())) continue;
            choice.communicates = true;
            const auto collective = known ? std::nullopt : collectiveOf(*node);
            if (collective && collective->groupSize) size = std::max(size, *collective->groupSize);
        }
    try {
        optionsOfRank(optionsOfAll(session), 0, 2);
    } catch (const UsageError& e) {
        choice.whyAlone = e.what();
    }
    if (choice.communicates && choice.whyAlone.empty() && size > 1 && size <= static_cast<std::int64_t>(kMostUnasked))
        choice.count = static_cast<std::size_t>(size);
    return choice;
}

DebuggedRanks debugRanksOf(const Engine& engine, const Session& session, std::size_t count, const Progress& progress) {
    if (count == 1) return {session.debug(progress), {true}};
    session.reconnect(progress);
    const auto compiled = engine.compileRanks(optionsOfAll(session), count, progress, {true, &session});
    DebuggedRanks ranks{compiled->debug(progress), {}};
    for (std::size_t rank = 0; rank < count; ++rank)
        ranks.alike.push_back(runSameProgram(*session.record(), ranks.run->record(rank)));
    const auto first = std::ranges::find(ranks.alike, true);
    if (first == ranks.alike.end())
        throw Error("compiled for " + counted(count, "rank") +
                    ", the program has other graphs than the open one; set World Size in Options to that number");
    const std::uint64_t own = session.options().world.rank;
    ranks.run->show(own < count && ranks.alike[own] ? own : static_cast<std::size_t>(first - ranks.alike.begin()));
    return ranks;
}

}  // namespace aotscope
