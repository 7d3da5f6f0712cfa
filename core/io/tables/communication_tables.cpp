#include "io/tables/communication_tables.h"

#include "support/enumerators.h"
#include "support/joined.h"

namespace aotscope {

namespace {

using Cell = Table::Cell;

constexpr TableUnit kBytes = TableUnit::bytes, kMs = TableUnit::alikeMilliseconds;

constexpr bool kForAll = false, kSummed = true;

std::vector<Table::Column> collectiveColumns() {
    return {{"graph", "graph", "the graph that makes the call", {}, true},
            {"node", "node", "the collective"},
            {"collective", "collective", "what it does, and how it reduces"},
            {"exposed_ms", "exposed", "while the computation stands still (estimated)", kMs, kForAll, kSummed},
            {"sent_bytes", "sent", "by this rank", kBytes, kForAll, kSummed},
            {"time", "time", "by latency and bandwidth of the slowest link (estimated)", kMs, true},
            {"issue_ms", "issued at", "when the computation gets there, from the start of the graph (estimated)", kMs},
            {"hidden", "hidden", "while the graph computes (estimated)", kMs, true},
            {"data", "data", "the larger of what goes in and what comes out", kBytes, true},
            {"group", "group", "name of the process group"},
            {"ranks", "ranks", "in the group"},
            {"waits", "waited for by", "the operation that needs the result"},
            {"saved_as", "saved as", "what the backward gets of the result, instead of exchanging it again"},
            {"module", "module", "the module that makes the call; empty: the top level"},
            {"why", "why exposed", "what it has to wait for, and what would hide it", {}, true},
            {"reduction", "", "how it reduces"},
            {"redistribution", "", "of a DTensor"},
            {"input_bytes", "", "what goes in", kBytes},
            {"result_bytes", "", "what comes out", kBytes},
            {"start_ms", "", "when it is sent", kMs},
            {"end_ms", "", "when all of it is there", kMs},
            {"wait_ms", "", "when the computation needs the result", kMs}};
}

/// Columns that the tables of sharded parameters and of modules select from.
std::vector<Table::Column> totalColumns() {
    return {{"whose", "parameter or module", "whose collectives these are", {}, true},
            {"parameter", "unshard of", "the sharded parameter"},
            {"module", "module", "empty: the top level"},
            {"backward", "in the backward", "what becomes of the gathered parameter: saved, or gathered again"},
            {"exposed_ms", "exposed", "while the computation stands still (estimated)", kMs},
            {"sent_bytes", "sent", "by this rank", kBytes},
            {"saved_bytes", "saved", "of the gathered parameter, for the backward", kBytes},
            {"collectives", "collectives", "how many"},
            {"communication_ms", "time", "that they take", kMs},
            {"gather", "", "the all-gather"},
            {"shard_bytes", "shard", "of the shard of this rank", kBytes},
            {"gathered_bytes", "gathered", "of the whole parameter", kBytes}};
}

std::string namesOf(const std::vector<std::string>& nodes) {
    return joined(nodes, ", ", [](const std::string& node) { return "%" + node; });
}

}  // namespace

Table collectiveTable(std::span<const GraphCommunication> graphs) {
    Table table{"collectives", collectiveColumns()};
    for (const GraphCommunication& graph : graphs)
        for (const CollectiveTime& time : graph.collectives) {
            const Collective& call = time.call;
            Table::Row& row = table.add(name(graph.graph), Cell(time.name, "%" + time.name),
                                        Cell(name(call.kind), kindAndReduction(call)), time.exposed(), time.sentBytes,
                                        time.duration(), time.issue, std::max(0.0, time.duration() - time.exposed()),
                                        std::max(call.inputBytes, call.resultBytes), time.group.name, time.group.size(),
                                        Cell(time.waits, time.waits.empty() ? "nothing" : namesOf(time.waits)),
                                        Cell(time.savedAs, namesOf(time.savedAs)), time.module, exposureText(time),
                                        Table::given(call.reduction), Table::given(call.redistribution),
                                        call.inputBytes, call.resultBytes, time.start, time.end, time.wait);
            row.node = time.node;
            row.graph = graph.graph;
        }
    return table;
}

Table unshardTable(const Communication& found) {
    Table table{"unshards", totalColumns()};
    for (const auto& [unshard, fate, savedBytes, sentBytes, exposed] : found.unshards) {
        const CollectiveTime* gather = found.find(unshard.wait);
        table
            .add("unshard of " + unshard.parameter, unshard.parameter, Cell(),
                 Cell(spelled(fate), std::string(describe(fate))), exposed, sentBytes,
                 Cell(savedBytes, savedBytes > 0 ? "" : "-"), Cell({}, fate == UnshardFate::repeated ? "2" : "1"),
                 Cell(), gather ? Cell(gather->name) : Cell(), unshard.shardBytes, unshard.gatheredBytes)
            .node = unshard.wait;
    }
    return table;
}

Table communicatingModuleTable(std::span<const GraphCommunication> graphs) {
    Table table{"modules", totalColumns()};
    for (const GraphCommunication& graph : graphs)
        for (const auto& [module, calls, sentBytes, communicating, exposed] : graph.modules()) {
            const std::string shown = module.empty() ? "(top level)" : module;
            table
                .add(shown + ", " + std::string(name(graph.graph)), Cell(), Cell(module, shown), Cell(), exposed,
                     sentBytes, Cell(), calls, communicating, Cell(), Cell(), Cell())
                .graph = graph.graph;
        }
    return table;
}

}  // namespace aotscope
