#include "models/tables/table_content.h"

#include "io/timing_text.h"
#include "models/tables/table_cells.h"
#include "record/assumptions.h"
#include "record/results/graph_times.h"
#include "record/results/module_times.h"
#include "support/names.h"

namespace aotscope {

TableContent guardsTable(const CompileRecord& record, const CheckResult* check) {
    TableContent t;
    t.whenEmpty = tr("No guards: the program was not compiled.");
    t.columns = {{tr("Valid while"),
                  tr("the guard: a condition on the inputs; where it fails, the function is compiled again"), false},
                 {tr("Why"), tr("what in the program or in its graphs needs the guard"), false},
                 {tr("About"),
                  tr("a size, a number read from data, a data-dependent shape; a tensor, a number, gradients or "
                     "aliasing of the inputs; a mode of the caller"),
                  false},
                 {tr("Where"), tr("the operation that has asked for the size or the number"), false}};
    QStringList summary;
    if (record.symbols.empty())
        summary << tr(
            "All sizes are those of the example inputs. For dynamic shapes, name a dimension in the input "
            "spec or type one into Dynamic, for example x.0=2..64");
    for (const Symbol& symbol : record.symbols)
        summary << QStringLiteral("%1 = %2 in %3..%4")
                       .arg(toQString(symbol.name), QString::number(symbol.hint), QString::number(symbol.min),
                            symbol.max == Symbol::kNoMax ? QString() : QString::number(symbol.max));
    if (check && check->hits + check->misses > 0)
        summary << tr("calls served from cache: %1, recompiles: %2").arg(check->hits).arg(check->misses);
    t.summary = summary.join(QStringLiteral("; "));
    for (const Guard& guard : record.guards) {
        const QString where =
            guard.source ? toQString(guard.source->file) + QStringLiteral(":") + QString::number(guard.source->line)
                         : QString();
        t.rows.push_back({{textCell(guard.text), textCell(guard.reason), textCell(name(guard.kind)), textCell(where)},
                          kNoNode,
                          GraphKind::joint});
    }
    for (const Assumption& assumption : assumptionsOf(record))
        t.rows.push_back({{textCell(assumption.text), textCell(assumption.reason), textCell(name(assumption.kind)),
                           textCell(QString())},
                          kNoNode,
                          GraphKind::joint});
    return t;
}

QString timesInShort(const TimingResult& timing) {
    const GraphTimes times(timing);
    const auto text = [](double us) { return toQString(formatDuration(us / 1000)); };
    QString line =
        tr("forward %1 (eager %2)").arg(text(times.totalUs(false)), text(1000 * timing.eagerForwardMs.median));
    if (timing.backward)
        line +=
            tr(", backward %1 (eager %2)").arg(text(times.totalUs(true)), text(1000 * timing.eagerBackwardMs.median));
    return line + tr("; peak memory %1 (eager %2); median of %3")
                      .arg(toQString(formatBytes(timing.compiledPeakBytes)),
                           toQString(formatBytes(timing.eagerPeakBytes)), toQString(runsText(timing.iterations)));
}

TableContent timingTable(const TimingResult* timing, const CompileRecord& record) {
    TableContent t;
    t.whenEmpty = tr("No times yet: press Time (Ctrl+T).");
    t.columns = {{tr("Step"), tr("position in its graph"), true},
                 {tr("Value"), tr("the node that was timed"), false},
                 {tr("Median"), tr("median over all runs"), true},
                 {tr("Share"), tr("share of its graph's time"), true},
                 {tr("Operation"), tr("what the node calls"), false},
                 {tr("Graph"), tr("forward, backward or inference graph"), false},
                 {tr("Module"), tr("the module that the operation belongs to"), false},
                 {tr("Quartiles"), tr("first and third quartile of all runs"), true},
                 {tr("Bytes"), tr("size of its results"), true},
                 {tr("Peak"), tr("peak memory while it ran, excluding parameters and inputs"), true}};
    if (!timing) return t;
    const std::vector<std::string> modules = stepModules(*timing, record);
    const GraphTimes times(*timing);
    const auto text = [](double us) { return toQString(formatDuration(us / 1000)); };
    for (std::size_t i = 0; i < timing->steps.size(); ++i) {
        const StepTime& step = timing->steps[i];
        const GraphKind kind = graphKindFromName(step.graph).value_or(GraphKind::forward);
        const double total = times.totalUs(kind == GraphKind::backward);
        const double share = total > 0 ? 100 * times.stepUs(step) / total : 0;
        t.rows.push_back({{numberCell(static_cast<qint64>(step.index)),
                           textCell("%" + step.name),
                           {text(step.medianUs), step.medianUs},
                           {QString::number(share, 'f', 1) + tr(" %"), share},
                           textCell(step.op),
                           textCell(step.graph),
                           textCell(modules[i]),
                           {tr("%1 to %2").arg(text(step.lowerUs), text(step.upperUs)), step.upperUs - step.lowerUs},
                           bytesCell(step.bytes),
                           bytesCell(step.liveBytes)},
                          step.node,
                          kind});
    }
    t.summary = timesInShort(*timing);
    for (const GraphTime& graph : timing->graphs) t.summary += u'\n' + toQString(graphTimeText(graph));
    return t;
}

}  // namespace aotscope
