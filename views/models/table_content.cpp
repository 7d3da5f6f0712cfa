#include "models/table_content.h"

#include "io/timing_text.h"
#include "models/table_cells.h"
#include "record/module_times.h"

#include <algorithm>

namespace aotscope {

namespace {

using Cell = TableContent::Cell;

QString storageNote(const CompileRecord& record, const SavedValue& value) {
    if (value.kind != SavedValue::Kind::activation) return {};
    for (const Node* node : record.partition->forward->placeholders())
        if (const auto* type = node->type.tensor(); type && type->storage == value.type.storage)
            return tr(" (a view of ") + toQString(node->label.empty() ? node->name() : node->label) +
                   tr(": no memory of its own)");
    return {};
}

}  // namespace

TableContent savedTable(const CompileRecord& record) {
    TableContent t;
    t.whenEmpty = record.metadata && !record.metadata->needsAutograd ? tr("An inference graph saves nothing.")
                                                                     : tr("Nothing is saved.");
    t.columns = {{tr("Value"), {}, false},
                 {tr("Operation"), {}, false},
                 {tr("Type"), {}, false},
                 {tr("Bytes"), {}, true},
                 {tr("Kind"), tr("activation: made by the forward; input: kept alive anyway by its owner"), false},
                 {tr("Donated"), tr("nothing else holds its memory: the backward may free or overwrite it"), false},
                 {tr("Module"), {}, false},
                 {tr("Why"), tr("the rule that made it saved"), false}};
    if (!record.partition) return t;
    for (const auto& value : record.partition->saved) {
        const Node* node = record.partition->forward->findById(value.node);
        const QString module = node && node->source ? toQString(node->source->module) : QString();
        t.rows.push_back({{textCell(value.label.empty() ? "%" + value.name : value.label),
                           textCell(value.op),
                           textCell(formatType(*record.partition, value)),
                           bytesCell(value.type.bytes()),
                           textCell(name(value.kind)),
                           {value.donated ? tr("yes") : QString(), value.donated},
                           textCell(module),
                           textCell(toQString(value.reason) + storageNote(record, value))},
                          value.node,
                          GraphKind::joint});
    }
    // What costs memory comes first; inputs are alive anyway.
    std::stable_partition(t.rows.begin(), t.rows.end(), [&](const TableContent::Row& row) {
        return row.cells[4].text != toQString(name(SavedValue::Kind::input));
    });
    t.summary = tr("%1 values: %2 in storages of their own; inputs kept alive: %3")
                    .arg(record.partition->saved.size())
                    .arg(toQString(formatBytes(record.partition->savedUniqueBytes())),
                         toQString(formatBytes(record.partition->savedBytes(SavedValue::Kind::input))));
    return t;
}

TableContent recomputedTable(const CompileRecord& record) {
    TableContent t;
    t.whenEmpty = tr("Nothing is computed twice.");
    t.columns = {
        {tr("Value"), {}, false}, {tr("Operation"), {}, false}, {tr("Bytes"), {}, true}, {tr("Module"), {}, false}};
    if (!record.partition) return t;
    for (const auto& value : record.partition->recomputed) {
        const Node* node = record.partition->backward->findById(value.node);
        const QString module = node && node->source ? toQString(node->source->module) : QString();
        t.rows.push_back({{textCell("%" + value.name), textCell(value.op), bytesCell(value.bytes), textCell(module)},
                          value.node,
                          GraphKind::joint});
    }
    t.summary =
        tr("%1 operations run in the forward and again in the backward").arg(record.partition->recomputed.size());
    return t;
}

TableContent guardsTable(const CompileRecord& record, const CheckResult* check) {
    TableContent t;
    t.whenEmpty =
        tr("The sizes are those of the example inputs; none may vary. Name a dimension in the input spec, or "
           "type one into Dynamic, as in x.0=2..64.");
    t.columns = {{tr("Valid while"), {}, false},
                 {tr("Why"), {}, false},
                 {tr("About"),
                  tr("a size, a number that the program reads from data, or a shape that follows from data"), false},
                 {tr("Where"), {}, false}};
    QStringList summary;
    for (const Symbol& symbol : record.symbols)
        summary << QStringLiteral("%1 = %2 in %3..%4")
                       .arg(toQString(symbol.name))
                       .arg(symbol.hint)
                       .arg(symbol.min)
                       .arg(symbol.max == Symbol::kNoMax ? QString() : QString::number(symbol.max));
    if (check && check->hits + check->misses > 0)
        summary << tr("%1 calls served, %2 recompiled").arg(check->hits).arg(check->misses);
    t.summary = summary.join(QStringLiteral("; "));
    for (const Guard& guard : record.guards) {
        const QString where =
            guard.source ? toQString(guard.source->file) + QStringLiteral(":") + QString::number(guard.source->line)
                         : QString();
        t.rows.push_back({{textCell(guard.text), textCell(guard.reason), textCell(name(guard.kind)), textCell(where)},
                          kNoNode,
                          GraphKind::joint});
    }
    return t;
}

TableContent timingTable(const TimingResult* timing, const CompileRecord& record) {
    TableContent t;
    t.whenEmpty = tr("Nothing has been timed yet: press Time (Ctrl+T).");
    t.columns = {{tr("Graph"), {}, false},
                 {tr("Step"), {}, true},
                 {tr("Value"), {}, false},
                 {tr("Operation"), {}, false},
                 {tr("Module"), {}, false},
                 {tr("Median µs"), tr("median over all runs"), true},
                 {tr("Quartiles"), tr("a quarter of all runs is below the first, a quarter above the second"), true},
                 {tr("Share"), tr("of its graph"), true},
                 {tr("Bytes"), tr("of its results"), true},
                 {tr("In use"), tr("the most that was allocated while it ran, beside parameters and inputs"), true}};
    if (!timing) return t;
    const std::vector<std::string> modules = stepModules(*timing, record);
    std::map<std::string, double> totals;
    for (const auto& step : timing->steps) totals[step.graph] += step.medianUs;
    for (std::size_t i = 0; i < timing->steps.size(); ++i) {
        const StepTime& step = timing->steps[i];
        const double share = totals[step.graph] > 0 ? 100 * step.medianUs / totals[step.graph] : 0;
        const GraphKind kind = graphKindFromName(step.graph).value_or(GraphKind::forward);
        t.rows.push_back(
            {{textCell(step.graph),
              numberCell(static_cast<qint64>(step.index)),
              textCell("%" + step.name),
              textCell(step.op),
              textCell(modules[i]),
              {QString::number(step.medianUs, 'f', 1), step.medianUs},
              {tr("%1 to %2").arg(QString::number(step.lowerUs, 'f', 1), QString::number(step.upperUs, 'f', 1)),
               step.upperUs - step.lowerUs},
              {QString::number(share, 'f', 1) + tr(" %"), share},
              bytesCell(step.bytes),
              bytesCell(step.liveBytes)},
             step.node,
             kind});
    }
    const auto ms = [](const Spread& s) { return toQString(formatMs(s.median)); };
    t.summary = tr("forward %1 ms (eager %2)").arg(ms(timing->compiledForwardMs), ms(timing->eagerForwardMs));
    if (timing->backward)
        t.summary += tr(", backward %1 ms (eager %2)").arg(ms(timing->compiledBackwardMs), ms(timing->eagerBackwardMs));
    t.summary +=
        tr("; peak memory %1 (eager %2); median of %3 runs")
            .arg(toQString(formatBytes(timing->compiledPeakBytes)), toQString(formatBytes(timing->eagerPeakBytes)))
            .arg(timing->iterations);
    for (const GraphTime& graph : timing->graphs) t.summary += u'\n' + toQString(graphTimeText(graph));
    return t;
}

}  // namespace aotscope
