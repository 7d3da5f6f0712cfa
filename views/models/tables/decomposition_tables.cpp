#include "models/tables/decomposition_tables.h"

#include "models/tables/table_cells.h"
#include "ops/decompositions/core_aten.h"
#include "support/names.h"

namespace aotscope {

namespace {

using Cell = TableContent::Cell;

Cell numberOrBlank(qint64 n) { return {n ? QString::number(n) : QString(), n}; }

/// The graph whose operations were decomposed.
GraphKind decomposedKind(const CompileRecord& record) {
    return record.graph(GraphKind::joint) ? GraphKind::joint : GraphKind::inference;
}

/// The operations that a rewrite resulted in, as far as later passes have kept them.
QString textAfter(const Rewrite& rewrite, const Graph* graph) {
    QStringList parts;
    std::size_t gone = 0;
    for (const NodeId id : rewrite.nodes) {
        const Node* node = graph ? graph->findById(id) : nullptr;
        if (node)
            parts << QStringLiteral("%") + toQString(node->name()) + QStringLiteral(" = ") + toQString(node->op());
        else ++gone;
    }
    if (gone > 0) parts << (gone == 1 ? tr("1 removed by a later pass") : tr("%1 removed by later passes").arg(gone));
    return parts.isEmpty() ? tr("nothing: a constant or an existing value") : parts.join(QStringLiteral("; "));
}

/// For the joint or inference graph.
QString outsideCoreAten(const CompileRecord& record) {
    const auto graph = record.graph(decomposedKind(record));
    return graph ? tr("outside core ATen: %1").arg(toQString(counted(countOutsideCoreAten(*graph), "operation")))
                 : QString();
}

NodeId firstLeft(const Rewrite& rewrite, const Graph* graph) {
    for (const auto* ids : {&rewrite.results, &rewrite.nodes})
        for (const NodeId id : *ids)
            if (graph && graph->findById(id)) return id;
    return kNoNode;
}

}  // namespace

TableContent decompositionRules(const DecompositionTable* table, const CompileRecord& record) {
    TableContent t;
    t.whenEmpty = tr("No operation is decomposed. Choose a table under Decompose in the options (Ctrl+Shift+O).");
    t.columns = {{tr("Used"), tr("number of uses in this graph"), true},
                 {tr("Operation"), tr("the operation that is replaced"), false},
                 {tr("Rule"), tr("the decomposition: a function that computes the operation by simpler ones"), false},
                 {tr("From"), tr("the decomposition table with the rule"), false}};
    t.summary = outsideCoreAten(record);
    if (!table) return t;
    const auto used = countRewrites(record.rewrites);
    qint64 total = 0;
    std::size_t rulesUsed = 0;
    for (const DecompositionEntry& entry : table->entries()) {
        const auto count = used.find({entry.op, entry.rule});
        const int times = count == used.end() ? 0 : count->second;
        total += times;
        rulesUsed += times > 0;
        t.rows.push_back({{numberOrBlank(times), textCell(entry.op), textCell(entry.rule), textCell(entry.set)}});
    }
    std::stable_sort(t.rows.begin(), t.rows.end(), [](const auto& a, const auto& b) {
        return a.cells[0].sortKey.toLongLong() > b.cells[0].sortKey.toLongLong();
    });
    const QString rules = tr("%1: %2, %3 of them used; rewrites: %4")
                              .arg(toQString(table->name()), toQString(counted(t.rows.size(), "rule")),
                                   QString::number(rulesUsed), QString::number(total));
    t.summary = t.summary.isEmpty() ? rules : rules + QStringLiteral("; ") + t.summary;
    return t;
}

TableContent rewriteTable(const CompileRecord& record) {
    TableContent t;
    t.whenEmpty = tr("No operation was decomposed.");
    t.columns = {{tr("Before"), tr("the original call"), false},
                 {tr("Rule"), tr("the decomposition: a function that computes the operation by simpler ones"), false},
                 {tr("After"), tr("the operations that replaced it"), false},
                 {tr("Within"), tr("the rule that made the call; empty for calls of the program"), false}};
    const GraphKind kind = decomposedKind(record);
    const auto graph = record.graph(kind);
    for (const Rewrite& rewrite : record.rewrites)
        t.rows.push_back(
            {{textCell(rewrite.before), textCell(rewrite.rule), textCell(textAfter(rewrite, graph.get())),
              textCell(rewrite.parent < 0
                           ? std::string_view()
                           : std::string_view(record.rewrites[static_cast<std::size_t>(rewrite.parent)].rule))},
             firstLeft(rewrite, graph.get()),
             kind});
    t.summary = tr("%1, in the order of tracing").arg(toQString(counted(t.rows.size(), "rewrite")));
    return t;
}

}  // namespace aotscope
