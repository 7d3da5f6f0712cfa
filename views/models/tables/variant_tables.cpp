#include "models/tables/variant_tables.h"

#include "io/tables/memory_table.h"
#include "io/tables/pareto_table.h"
#include "models/tables/table_cells.h"
#include "models/words/node_words.h"
#include "ops/op_table.h"
#include "record/partition_figures.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

namespace aotscope {

namespace {

using Cell = TableContent::Cell;

/// No sort key without a number to show.
Cell timeCell(double ms, TimeBasis basis) {
    if (ms <= 0) return {QStringLiteral("–"), -1.0};
    return {toQString(timeText(ms, basis)), basis == TimeBasis::unreliable ? -1.0 : ms};
}

QString signedDuration(double ms, TimeBasis basis) {
    if (std::abs(ms) < 0.0005 || basis == TimeBasis::unreliable) return {};
    return (ms > 0 ? QStringLiteral("+") : QStringLiteral("−")) + toQString(timeText(std::abs(ms), basis));
}

qint64 callsOf(const std::shared_ptr<const Graph>& graph) { return static_cast<qint64>(graph->callCount()); }

class DifferenceRows {
public:
    explicit DifferenceRows(TableContent& table) : table_(table) {}

    void counts(const QString& what, qint64 before, qint64 after) {
        add(what, numberCell(before), numberCell(after), {signedNumber(after - before), after - before});
    }
    void sizes(const QString& what, std::int64_t before, std::int64_t after) {
        add(what, bytesCell(before), bytesCell(after),
            {signedBytes(after - before), static_cast<qint64>(after - before)});
    }
    void times(const QString& what, double before, double after, TimeBasis basis = TimeBasis::measured) {
        if (before <= 0 && after <= 0) return;
        const bool both = before > 0 && after > 0;
        add(what, timeCell(before, basis), timeCell(after, basis),
            {both ? signedDuration(after - before, basis) : QString(), both ? after - before : 0.0});
    }
    void operations(const QString& where, const std::map<std::string, CountChange>& ops) {
        for (const auto& [op, count] : ops) counts(where + toQString(op), count.before, count.after);
    }

private:
    void add(const QString& what, Cell before, Cell after, Cell difference) {
        table_.rows.push_back({{textCell(what), std::move(before), std::move(after), std::move(difference)}});
    }

    TableContent& table_;
};

/// Nothing to compare yet.
void showOne(TableContent& table, const QString& name) {
    table.columns.resize(2);
    for (auto& row : table.rows) row.cells.resize(2);
    table.summary = tr("The figures of %1. Move the memory budget, or have a value saved or recomputed (Shift+S, "
                       "Shift+R): the partition that results is compared with it here")
                        .arg(name);
}

}  // namespace

QString signedNumber(qint64 n) {
    return n > 0 ? u'+' + QString::number(n) : n < 0 ? QStringLiteral("−") + QString::number(-n) : QString();
}

QString signedBytes(std::int64_t n) {
    if (n == 0) return {};
    return (n > 0 ? QStringLiteral("+") : QStringLiteral("−")) + toQString(formatBytes(n < 0 ? -n : n));
}

TableContent differenceTable(const Variant& before, const Variant& after, const PartitionDifference& difference) {
    TableContent t;
    t.columns = {{tr("What"), tr("a count, a size or a time of both partitions"), false},
                 {before.name, tr("before"), true},
                 {after.name, tr("after"), true},
                 {tr("Difference"), tr("of the second partition from the first"), true}};
    t.summary = difference.empty() ? tr("%1 and %2 are the same partition").arg(before.name, after.name)
                                   : tr("%1 against %2").arg(after.name, before.name);
    DifferenceRows rows(t);
    const auto &a = before.figures, &b = after.figures;
    rows.counts(tr("saved values"), static_cast<qint64>(a.savedValues), static_cast<qint64>(b.savedValues));
    rows.sizes(tr("saved bytes"), a.savedBytes, b.savedBytes);
    rows.counts(tr("recomputed operations"), static_cast<qint64>(a.recomputedOps),
                static_cast<qint64>(b.recomputedOps));
    const Partition &p = *before.partition, &q = *after.partition;
    rows.counts(tr("forward operations"), callsOf(p.forward), callsOf(q.forward));
    rows.counts(tr("backward operations"), callsOf(p.backward), callsOf(q.backward));
    rows.times(tr("forward, estimated"), a.forwardMs, b.forwardMs, b.basis);
    rows.times(tr("backward, estimated"), a.backwardMs, b.backwardMs, b.basis);
    rows.times(tr("of which recomputation"), a.recomputedMs, b.recomputedMs, b.basis);
    rows.sizes(tr("peak memory, predicted"), a.peakBytes, b.peakBytes);
    if (a.simulatedMs > 0 || b.simulatedMs > 0) {
        rows.sizes(tr("sent in collectives"), a.sentBytes, b.sentBytes);
        rows.times(tr("exposed communication, estimated"), a.exposedMs, b.exposedMs, b.basis);
        rows.times(tr("with communication, estimated"), a.simulatedMs, b.simulatedMs, b.basis);
    }
    const MeasuredFigures none, &m = before.measured.value_or(none), &n = after.measured.value_or(none);
    rows.times(tr("forward, measured"), m.forwardMs, n.forwardMs);
    rows.times(tr("backward, measured"), m.backwardMs, n.backwardMs);
    if (before.measured && after.measured) rows.sizes(tr("peak memory, measured"), m.peakBytes, n.peakBytes);
    rows.operations(tr("saved: "), difference.savedOps);
    rows.operations(tr("recomputed: "), difference.recomputedOps);
    rows.operations(tr("in forward: "), difference.forwardOps);
    rows.operations(tr("in backward: "), difference.backwardOps);
    if (before.name == after.name && difference.empty()) showOne(t, before.name);
    return t;
}

TableContent changedValuesTable(const PartitionDifference& difference) {
    Table table{"values",
                {{"value", "value", "the node whose value is placed differently"},
                 {"op", "operation", "what computes it"},
                 {"before", "before", "saved, recomputed or neither, in the first partition"},
                 {"after", "after", "saved, recomputed or neither, in the second partition"},
                 {"bytes", "bytes", "size of the tensor", TableUnit::bytes, false, true},
                 {"reason", "why now", "the partitioner's rule that decided in the second partition"}}};
    for (const PlacementChange& change : difference.values)
        table
            .add(shownName(change.name, change.label).toStdString(), change.op, name(change.before), name(change.after),
                 change.bytes, change.reason)
            .node = change.node;
    table.summary = counted(difference.values.size(), "value") + " placed differently";
    table.whenEmpty = "No value changes.";
    return contentOf(table);
}

TableContent liveTable(const LiveMemory& memory, std::size_t point) {
    TableContent t = contentOf(liveValueTable(memory, point));
    if (point >= memory.curve.size()) return t;
    const auto& at = memory.curve[point];
    const QString where = at.node == kNoNode
                              ? tr("between forward and backward")
                              : tr("while %%1 runs in the %2").arg(toQString(at.name), toQString(name(at.stage)));
    t.summary = tr("%1: %2 in %3 %4")
                    .arg(point == memory.peak ? tr("Peak") : tr("Here"), toQString(formatBytes(at.bytes)),
                         toQString(counted(t.rows.size(), "block")), where);
    return t;
}

QString differenceLine(const Variant& before, const Variant& after) {
    const auto &a = before.figures, &b = after.figures;
    const auto change = [](const QString& c) { return c.isEmpty() ? QString() : QStringLiteral(" (") + c + u')'; };
    QStringList parts;
    parts << tr("saved %1, %2%3")
                 .arg(toQString(counted(b.savedValues, "value")), toQString(formatBytes(b.savedBytes)),
                      change(signedBytes(b.savedBytes - a.savedBytes)));
    parts << tr("recomputed %1%2")
                 .arg(b.recomputedOps)
                 .arg(
                     change(signedNumber(static_cast<qint64>(b.recomputedOps) - static_cast<qint64>(a.recomputedOps))));
    if (b.ms() > 0) {
        QString time = toQString(timeText(b.ms(), b.basis)) + change(signedDuration(b.ms() - a.ms(), b.basis));
        if (b.basis == TimeBasis::estimated) time += change(toQString(sharesText(b.msBy)));
        parts << (b.basis == TimeBasis::measured    ? tr("%1, from measured times").arg(time)
                  : b.basis == TimeBasis::estimated ? tr("estimated %1").arg(time)
                                                    : tr("estimated time %1").arg(time));
    }
    if (b.peakBytes > 0)
        parts
            << tr("peak %1%2").arg(toQString(formatBytes(b.peakBytes)), change(signedBytes(b.peakBytes - a.peakBytes)));
    return parts.join(QStringLiteral("; "));
}

namespace {

/// ": measured 96 %, estimated 4 %", for estimates with measured parts.
QString knownPart(const VariantCosts& costs) {
    const std::string shares = sharesText(costs.msBy);
    return shares.empty() || costs.basis != TimeBasis::estimated ? QString() : QStringLiteral(": ") + toQString(shares);
}

/// "min-cut, memory budget 0.5, 2 overrides".
QString askedLine(const PartitionOptions& options) {
    QStringList parts{toQString(name(options.algorithm))};
    const bool minCut = options.algorithm == PartitionAlgorithm::minCut;
    if (plansByPeak(options)) parts << tr("peak %1").arg(toQString(options.peak));
    if (minCut && options.memoryBudget < 1) parts << tr("memory budget %1").arg(options.memoryBudget, 0, 'g', 3);
    const std::size_t overrides =
        options.cut.mustSave.size() + options.cut.mustRecompute.size() + options.save.size() + options.recompute.size();
    if (overrides > 0) parts << toQString(counted(overrides, "override"));
    if (!options.moves.bucket.empty()) parts << tr("buckets of %1").arg(toQString(options.moves.bucket));
    if (options.moves.issueEarly) parts << tr("issued early");
    if (options.moves.waitLate) parts << tr("waited for late");
    return parts.join(QStringLiteral(", "));
}

}  // namespace

/// The table of memory budgets, with runs instead.
TableContent runTable(const std::vector<RunRow>& rows) {
    std::vector<BudgetCosts> costs;
    for (const RunRow& row : rows) {
        costs.push_back({row.options.memoryBudget, row.partition, row.costs.value_or(VariantCosts())});
        if (const auto& m = row.measured) costs.back().costs.measured = {m->forwardMs, m->backwardMs, 0, m->peakBytes};
    }
    Table table = paretoTable(costs);
    for (Table::Column& column : table.columns)
        if (column.key.starts_with("estimated_ms.")) column.title = "est. " + column.title;
        else if (column.key.starts_with("measured.")) column.title.erase(0, std::string_view("measured ").size());
        else if (column.key == "predicted_peak_bytes") column.title = "predicted peak";
    const std::size_t ofBudgets = table.columns.size();
    table.columns.insert(table.columns.end(),
                         {{"name", "run", "a run of this model, or a partition that is kept under this name"},
                          {"shown", "shown", "what the graph shows"},
                          {"changed", "changed", "what differs from the run that it was made from"},
                          {"check", "check", "whether the compiled function equals eager"},
                          {"values", "values", "how many storages are saved; inputs and views need none of their own"},
                          {"ratio", "peak ratio", "measured peak memory / predicted peak memory"}});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const RunRow& row = rows[i];
        const auto peak = static_cast<double>(row.costs ? row.costs->peakBytes : 0);
        const double ratio = row.measured && peak > 0 ? static_cast<double>(row.measured->peakBytes) / peak : 0;
        std::vector<Table::Cell>& cells = table.rows[i].cells;
        if (row.options.algorithm != PartitionAlgorithm::minCut) cells[0] = name(row.options.algorithm);
        if (!row.costs)
            for (std::size_t c = 0; c < ofBudgets; ++c)
                if (!table.columns[c].key.starts_with("measured.")) cells[c] = Table::Cell();
        cells.insert(cells.end(),
                     {row.name.toStdString(), row.shown ? "●" : "", row.changed.toStdString(),
                      row.verdict.toStdString(), row.costs ? Table::Cell(row.costs->savedValues) : Table::Cell(),
                      ratio > 0 ? Table::Cell(ratio, formatted("%.3f", ratio)) : Table::Cell()});
    }
    table.whenEmpty = "No model is open.";
    return contentOf(
        table, {"name", "shown", "changed", "check", "saved_bytes", "predicted_peak_bytes", "estimated_ms.forward",
                "estimated_ms.backward", "measured.forward_ms", "measured.backward_ms", "measured.peak_bytes", "ratio",
                "values", "recomputed_ops", "budget", "communication.sent_bytes", "communication.exposed_ms"});
}

RunRow runRowOf(const Variant& variant) {
    return {.name = variant.name,
            .changed = askedLine(variant.options),
            .compiled = false,
            .options = variant.options,
            .partition = variant.partition,
            .costs = variant.figures,
            .measured = variant.measured};
}

PartitionResult resultOf(const Variant& before, const Variant& after, bool whatIf) {
    const auto &a = before.figures, &b = after.figures;
    const auto orNone = [](const QString& text) { return text.isEmpty() ? QStringLiteral("–") : text; };
    const auto bytes = [](std::int64_t n) { return toQString(formatBytes(n)); };
    const auto operations = [](std::size_t n) { return QString::number(n); };
    const auto time = [](double ms, TimeBasis basis) {
        return ms > 0 ? toQString(timeText(ms, basis)) : QStringLiteral("–");
    };
    const auto peak = [&](std::int64_t n) { return n > 0 ? bytes(n) : QStringLiteral("–"); };
    const auto change = static_cast<qint64>(b.recomputedOps) - static_cast<qint64>(a.recomputedOps);
    return {.shown = whatIf ? ofWhatIf(askedLine(after.options)) : tr("Compiled partition"),
            .before = before.name,
            .figures = {{tr("Saved"), tr("bytes saved for backward, each storage counted once"), bytes(b.savedBytes),
                         bytes(a.savedBytes), orNone(signedBytes(b.savedBytes - a.savedBytes))},
                        {tr("Recomputed"), tr("operations that backward computes again"), operations(b.recomputedOps),
                         operations(a.recomputedOps), orNone(signedNumber(change))},
                        {after.measured ? tr("Measured time") : tr("Estimated time"),
                         b.basis == TimeBasis::measured && !after.measured
                             ? tr("of forward and backward together, from measured times of operations")
                             : tr("of forward and backward together") + knownPart(b),
                         time(b.ms(), b.basis), time(a.ms(), a.basis),
                         orNone(b.ms() > 0 ? signedDuration(b.ms() - a.ms(), b.basis) : QString())},
                        {tr("Peak memory"), tr("predicted, without parameters and inputs"), peak(b.peakBytes),
                         peak(a.peakBytes), orNone(signedBytes(b.peakBytes - a.peakBytes))}}};
}

QString ofWhatIf(const QString& sentence) {
    return sentence.isEmpty() ? sentence : tr("What if: %1").arg(QString(sentence.left(1).toLower() + sentence.mid(1)));
}

QString communicationLine(const Variant& before, const Variant& after) {
    const auto &a = before.figures, &b = after.figures;
    if (a.simulatedMs <= 0 && b.simulatedMs <= 0) return {};
    const auto change = [](const QString& c) { return c.isEmpty() ? QString() : QStringLiteral(" (") + c + u')'; };
    const auto time = [&](double now, double then) -> QString {
        return toQString(formatEstimate(now)) + change(signedDuration(now - then, TimeBasis::estimated));
    };
    return tr("collectives: %1%2 sent, %3 exposed, %4 in all")
        .arg(toQString(formatBytes(b.sentBytes)), change(signedBytes(b.sentBytes - a.sentBytes)),
             time(b.exposedMs, a.exposedMs), time(b.simulatedMs, a.simulatedMs));
}

QString savedInsteadLine(const Variant& before, const Variant& after) {
    const auto &earlier = before.options.cut.mustRecompute, &asked = after.options.cut.mustRecompute;
    if (after.figures.savedBytes < before.figures.savedBytes || std::ranges::includes(earlier, asked)) return {};
    std::unordered_set<NodeId> known;
    for (const SavedValue& value : before.partition->saved) known.insert(value.node);
    const PartitionFigures figures = figuresOf(*after.partition);
    std::map<std::string_view, std::size_t> counts;
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < figures.saved.size(); ++i) {
        const Node* node = after.partition->forward->findById(after.partition->saved[i].node);
        if (!node || figures.saved[i].bytes == 0 || known.contains(node->id())) continue;
        ++counts[shortOpName(makerOf(*node).op())];
        bytes += figures.saved[i].bytes;
    }
    QStringList saved;
    for (const auto& [op, count] : counts)
        saved << tr("%1 of %2").arg(toQString(counted(count, "result")), toQString(op));
    if (saved.isEmpty()) return {};
    return tr("recomputing frees no memory; saved instead: %1, %2")
        .arg(saved.join(QStringLiteral(", ")), toQString(formatBytes(bytes)));
}

/// How the values of a budget or of a limit of the peak were chosen.
QString choiceLine(const Partition& partition) {
    if (partition.plan) return toQString(planText(*partition.plan));
    if (!partition.budget || partition.budget->budget >= 1) return {};
    const BudgetOutcome& b = *partition.budget;
    const auto allowed = static_cast<double>(b.inputBytes) +
                         b.budget * static_cast<double>(std::max<std::int64_t>(0, b.fastestBytes - b.inputBytes));
    QString how;
    switch (b.cut) {
        case BudgetOutcome::Cut::fastest: how = tr("min-cut with all rules fits"); break;
        case BudgetOutcome::Cut::wider:
            how = tr("min-cut without the rules on distance, chains and materialized values");
            break;
        case BudgetOutcome::Cut::widest: how = tr("all cheap operations are recomputed"); break;
        case BudgetOutcome::Cut::knapsack: {
            const auto kept = std::count_if(b.items.begin(), b.items.end(), [](const auto& item) { return item.kept; });
            how = tr("%1 of %2 expensive values kept").arg(kept).arg(b.items.size());
            break;
        }
        case BudgetOutcome::Cut::inputsOnly: how = tr("only inputs are saved"); break;
    }
    return tr("budget %1: %2; as the partitioner counts, with inputs and views, %3 of %4 allowed")
        .arg(b.budget, 0, 'g', 3)
        .arg(how, toQString(formatBytes(b.savedBytes)), toQString(formatBytes(static_cast<std::int64_t>(allowed))));
}

}  // namespace aotscope
