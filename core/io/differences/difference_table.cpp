#include "io/differences/difference_table.h"

#include <unordered_map>

namespace aotscope {

namespace {

using Cell = Table::Cell;
using NodeNames = std::unordered_map<NodeId, std::string>;

NodeNames nodeNames(const Graph& graph) {
    NodeNames names;
    for (const Node* node : graph.nodes())
        names[node->id()] = node->kind() == NodeKind::output ? "return" : node->name();
    return names;
}

std::vector<std::string> aspectNames(AspectSet set) {
    std::vector<std::string> names;
    for (const AspectInfo& info : aspects())
        if (set.has(info.aspect)) names.emplace_back(info.name);
    return names;
}

Table emptyTable() {
    return {"differences",
            {{"list", "", "graphs, ops, saved, recomputed or facts: where JSON has it"},
             {"graph", "graph", "joint, forward, backward or inference, or one of them after a pass"},
             {"fate", "fate", "of a node or a value: added, removed, replaced, changed, moved or renamed"},
             {"name", "value", "of a saved or recomputed value"},
             {"op", "operation", "of such a value, or one that occurs more or less often"},
             {"before", "before", "a node's name, the number of operations, or a fact; empty: it does not exist"},
             {"after", "after", "the same of the other side"},
             {"bytes", "bytes", "of a saved or recomputed value", TableUnit::bytes},
             {"what", "", "what differs at a node, or what a fact is about"},
             {"aspects", "", "in which they differ, as for `--ignore`"}}};
}

void addNodes(const std::string& title, const GraphDifference& difference, Table& table) {
    const NodeNames before = nodeNames(*difference.before), after = nodeNames(*difference.after);
    const auto nameIn = [](const NodeNames& names, NodeId id) { return id == kNoNode ? std::string() : names.at(id); };
    for (const DifferenceRow& row : difference.rows)
        if (row.kind != DifferenceKind::same)
            table.add("graphs", title, name(row.kind), Cell(), Cell(), nameIn(before, row.before),
                      nameIn(after, row.after), Cell(), row.what, aspectNames(row.aspects));
}

void addValues(const char* list, DifferenceKind fate, const std::vector<RunSummary::Value>& values, Table& table) {
    for (const auto& value : values)
        table.add(list, Cell(), Cell(name(fate), fate == DifferenceKind::removed ? "no longer" : "now"),
                  Cell(value.name, "%" + value.name), value.op, Cell(), Cell(), value.bytes, Cell(),
                  aspectNames({Aspect::partition}));
}

}  // namespace

Table differenceTable(const GraphDifference& difference) {
    Table table = emptyTable();
    addNodes(std::string(name(difference.kindAfter)), difference, table);
    return table;
}

Table differenceTable(const RunDifference& difference) {
    using enum DifferenceKind;
    Table table = emptyTable();
    for (const auto& [title, nodes] : difference.graphs) addNodes(title, nodes, table);
    const SummaryDifference& summary = difference.summary;
    for (const auto& [graph, changes] : summary.ops)
        for (const auto& [op, count] : changes)
            table.add("ops", graph, Cell(), Cell(), op, std::int64_t{count.before}, std::int64_t{count.after}, Cell(),
                      Cell(), aspectNames({Aspect::operations}));
    addValues("saved", removed, summary.savedOnlyBefore, table);
    addValues("saved", added, summary.savedOnlyAfter, table);
    addValues("recomputed", removed, summary.recomputedOnlyBefore, table);
    addValues("recomputed", added, summary.recomputedOnlyAfter, table);
    for (const FactChange& change : difference.facts)
        table.add("facts", Cell(), Cell(), Cell(), Cell(), change.before, change.after, Cell(), change.what,
                  aspectNames({change.aspect}));
    return table;
}

}  // namespace aotscope
