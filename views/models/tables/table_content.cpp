#include "models/tables/table_content.h"

#include "io/tables/guard_table.h"
#include "io/tables/step_table.h"
#include "io/tables/table_text.h"
#include "io/timing_notes.h"
#include "io/timing_text.h"
#include "models/tables/table_cells.h"
#include "record/results/graph_times.h"
#include "support/names.h"

namespace aotscope {

namespace {

/// Nothing for what is not a number.
QVariant sortKeyOf(const TableValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<qint64>(*whole);
    if (const auto* number = std::get_if<double>(&value)) return *number;
    return {};
}

TableContent::Cell shownCell(const QString& text, const Table::Cell& cell, bool numeric) {
    const QVariant key = sortKeyOf(cell.value);
    const bool nothing = numeric && !key.isValid();
    return {nothing && text.isEmpty() ? QStringLiteral("-") : text, nothing ? QVariant(-1.0) : key, cell.mark,
            cell.fate};
}

/// The spread of the measured times, and what the machine did meanwhile: lines for a tooltip.
QString conditionsOf(const TimingResult& timing) {
    const auto range = [](const Spread& ms) {
        return toQString(formatDuration(ms.lower) + " to " + formatDuration(ms.upper));
    };
    const auto quartiles = [&](const QString& part, const Spread& compiled, const Spread& eager) {
        return tr("%1, quartiles of whole calls: %2 (eager %3)").arg(part, range(compiled), range(eager));
    };
    QStringList lines{quartiles(tr("forward"), timing.compiledForwardMs, timing.eagerForwardMs)};
    if (timing.backward) lines << quartiles(tr("backward"), timing.compiledBackwardMs, timing.eagerBackwardMs);
    const MachineLoad& load = timing.load;
    if (load.threads > 0)
        lines << tr("measured on %1; the measuring thread had a core for %2 % of the time")
                     .arg(toQString(counted(static_cast<std::size_t>(load.threads), "thread")),
                          QString::number(std::min(100.0, 100 / load.waiting), 'f', 0));
    return lines.join(u'\n');
}

}  // namespace

TableContent contentOf(const Table& table) {
    TableContent content;
    content.summary = toQString(table.summary).trimmed();
    content.whenEmpty = toQString(table.whenEmpty);
    for (const Table::Filter& filter : table.filters)
        content.filters.push_back({toQString(filter.title), toQString(filter.help)});
    for (const Table::Row& row : table.rows)
        content.rows.push_back({.cells = {}, .node = row.node, .graph = row.graph, .filters = row.filters});
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const Table::Column& column = table.columns[c];
        if (column.title.empty()) continue;
        const bool numeric = std::ranges::any_of(
            table.rows, [c](const Table::Row& row) { return sortKeyOf(row.cells[c].value).isValid(); });
        QString title = toQString(column.title);
        title[0] = title[0].toUpper();
        content.columns.push_back(
            {title, toQString(column.help), numeric, column.summed ? std::optional(column.unit) : std::nullopt});
        const auto texts = columnTexts(table, c);
        for (std::size_t i = 0; i < texts.size(); ++i)
            content.rows[i].cells.push_back(shownCell(toQString(texts[i]), table.rows[i].cells[c], numeric));
    }
    return content;
}

TableContent contentOf(const Table& table, const std::vector<std::string_view>& keys) {
    return contentOf(withColumns(table, keys));
}

TableContent guardsTable(const CompileRecord& record, const CheckResult* check) {
    Table conditions = guardTable(record);
    std::ranges::move(assumptionTable(record).rows, std::back_inserter(conditions.rows));
    TableContent t = contentOf(conditions);
    t.whenEmpty = tr("No guards: the program was not compiled.");
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
    line += tr("; peak memory %1 (eager %2); median of %3")
                .arg(toQString(formatBytes(timing.compiledPeakBytes)), toQString(formatBytes(timing.eagerPeakBytes)),
                     toQString(runsText(timing.iterations)));
    const std::string note = disturbanceNote(timing.load);
    return note.empty() ? line : line + QStringLiteral("; ") + toQString(note);
}

TableContent timingTable(const TimingResult* timing, const CompileRecord& record) {
    const TimingResult none;
    TableContent t = contentOf(stepTable(timing ? *timing : none, record, nullptr),
                               {"index", "node", "median_us", "share", "gflops_per_s", "gb_per_s", "op", "graph",
                                "module", "lower_quartile_us", "bytes", "live_bytes"});
    t.whenEmpty = tr("No times yet: press Time (Ctrl+T).");
    if (!timing) return t;
    // The steps whose times vary most, on top.
    constexpr std::size_t quartiles = 9;
    for (std::size_t i = 0; i < t.rows.size(); ++i)
        t.rows[i].cells[quartiles].sortKey = timing->steps[i].upperUs - timing->steps[i].lowerUs;
    t.summary = timesInShort(*timing) + u'\n' + conditionsOf(*timing);
    for (const GraphTime& graph : timing->graphs) t.summary += u'\n' + toQString(graphTimeText(graph));
    for (const std::string& note : timingNotes(*timing, record)) t.summary += u'\n' + toQString(note);
    return t;
}

}  // namespace aotscope
