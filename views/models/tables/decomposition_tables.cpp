#include "models/tables/decomposition_tables.h"

#include "io/tables/operator_tables.h"
#include "ops/decompositions/core_aten.h"
#include "support/joined.h"
#include "support/names.h"

#include <algorithm>
#include <functional>

namespace aotscope {

namespace {

/// The graph whose operations were decomposed.
GraphKind decomposedKind(const CompileRecord& record) {
    return record.graph(GraphKind::joint) ? GraphKind::joint : GraphKind::inference;
}

/// The operations that a rewrite resulted in, as far as later passes have kept them.
std::string textAfter(const Rewrite& rewrite, const Graph* graph) {
    std::vector<std::string> parts;
    std::size_t gone = 0;
    for (const NodeId id : rewrite.nodes) {
        const Node* node = graph ? graph->findById(id) : nullptr;
        if (node) parts.push_back("%" + node->name() + " = " + node->op());
        else ++gone;
    }
    if (gone > 0)
        parts.push_back(gone == 1 ? "1 removed by a later pass" : std::to_string(gone) + " removed by later passes");
    return parts.empty() ? "nothing: a constant or an existing value" : joined(parts, "; ");
}

/// For the joint or inference graph.
std::string outsideCoreAten(const CompileRecord& record) {
    const auto graph = record.graph(decomposedKind(record));
    return graph ? "outside core ATen: " + counted(countOutsideCoreAten(*graph), "operation") : std::string();
}

NodeId firstLeft(const Rewrite& rewrite, const Graph* graph) {
    for (const auto* ids : {&rewrite.results, &rewrite.nodes})
        for (const NodeId id : *ids)
            if (graph && graph->findById(id)) return id;
    return kNoNode;
}

}  // namespace

TableContent activeRules(const DecompositionTable* table, const std::vector<DecompositionRule>& rules,
                         const CompileRecord& record) {
    Table active = table ? decompositionsTable(*table, rules, "") : Table();
    if (table) active.columns.back().title = "from";
    active.columns.push_back({"count", "used", "number of uses in this graph"});
    active.whenEmpty = "No operation is decomposed. Choose a table under Decompose in the options (Ctrl+Shift+O).";
    active.summary = outsideCoreAten(record);
    if (!table) return contentOf(active);
    const auto used = countRewrites(record.rewrites);
    std::size_t total = 0, rulesUsed = 0;
    const auto entries = table->entries(rules);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto count = used.find({entries[i].op, entries[i].rule});
        const std::int64_t times = count == used.end() ? 0 : count->second;
        total += static_cast<std::size_t>(times);
        rulesUsed += times > 0;
        Table::Cell& uses = active.rows[i].cells.emplace_back();
        uses.value.emplace<std::int64_t>(times);
        if (times == 0) uses.text = "-";
    }
    std::ranges::stable_sort(active.rows, std::greater(),
                             [](const Table::Row& row) { return std::get<std::int64_t>(row.cells.back().value); });
    active.summary = table->name + ": " + counted(active.rows.size(), "rule") + ", " + std::to_string(rulesUsed) +
                     " of them used; rewrites: " + std::to_string(total) + (active.summary.empty() ? "" : "; ") +
                     active.summary;
    return contentOf(active, {"count", "op", "rule", "set"});
}

TableContent rewriteTable(const CompileRecord& record) {
    Table table{"rewrites",
                {{"before", "before", "the original call"},
                 {"rule", "rule", "the decomposition: a function that computes the operation by simpler ones"},
                 {"after", "after", "the operations that replaced it"},
                 {"within", "within", "the rule that made the call; empty for calls of the program"}}};
    const GraphKind kind = decomposedKind(record);
    const auto graph = record.graph(kind);
    for (const Rewrite& rewrite : record.rewrites) {
        Table::Row& row = table.add(
            rewrite.before, rewrite.rule, textAfter(rewrite, graph.get()),
            rewrite.parent < 0 ? std::string() : record.rewrites[static_cast<std::size_t>(rewrite.parent)].rule);
        row.node = firstLeft(rewrite, graph.get());
        row.graph = kind;
    }
    table.summary = counted(table.rows.size(), "rewrite") + ", in the order of tracing";
    table.whenEmpty = "No operation was decomposed.";
    return contentOf(table);
}

}  // namespace aotscope
