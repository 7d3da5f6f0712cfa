#include "models/communication_table.h"

#include "cost/communication.h"
#include "models/table_cells.h"

namespace aotscope {

namespace {

TableContent::Cell durationCell(double ms) { return {toQString(formatDuration(ms)), ms}; }

TableContent::Row collectiveRow(const CollectiveTime& time, GraphKind graph) {
    const auto joined = [](const std::vector<std::string>& nodes) {
        QStringList names;
        for (const std::string& node : nodes) names << toQString(node);
        return names.join(QStringLiteral(", "));
    };
    return {{textCell(name(graph)), textCell(time.name), textCell(kindAndReduction(time.call)),
             textCell(time.group.name), numberCell(time.group.size()),
             bytesCell(std::max(time.call.inputBytes, time.call.resultBytes)), bytesCell(time.sentBytes),
             durationCell(time.issue), durationCell(time.duration()), durationCell(time.duration() - time.exposed()),
             durationCell(time.exposed()), textCell(joined(time.waits)), textCell(joined(time.savedAs))},
            time.node,
            graph};
}

QString summaryOf(const GraphCommunication& graph) {
    return tr("%1: %2 sent, %3 of communication, %4 exposed")
        .arg(toQString(name(graph.graph)), toQString(formatBytes(graph.sentBytes())),
             toQString(formatDuration(graph.communicating)), toQString(formatDuration(graph.exposed)));
}

}  // namespace

TableContent communicationTable(const CompileRecord& record, const Options& options) {
    TableContent t;
    t.whenEmpty = tr("The graphs have no collectives.");
    t.columns = {{tr("Graph"), tr("the graph that makes the call")},
                 {tr("Node"), tr("the collective")},
                 {tr("Collective"), tr("what it does, and how it reduces")},
                 {tr("Group"), tr("name of the process group")},
                 {tr("Ranks"), tr("in the group"), true},
                 {tr("Data"), tr("the larger of what goes in and what comes out"), true},
                 {tr("Sent"), tr("by this rank"), true},
                 {tr("Issued"), tr("when the computation gets there, from the start of the graph (estimated)"), true},
                 {tr("Takes"), tr("by latency and bandwidth of the slowest link (estimated)"), true},
                 {tr("Hidden"), tr("while the graph computes (estimated)"), true},
                 {tr("Exposed"), tr("while the computation stands still (estimated)"), true},
                 {tr("Waited for by"), tr("the operation that needs the result; empty: none")},
                 {tr("Saved as"), tr("what the backward gets of the result, instead of exchanging it again")}};
    const Links links = linksNamed(options.links);
    QStringList sums;
    const Communication found = communicationOf(record, options.world, links, options.device);
    if (!found.problem.empty()) t.whenEmpty = tr("Not estimated: %1.").arg(toQString(found.problem));
    for (const GraphCommunication& graph : found.graphs) {
        for (const CollectiveTime& time : graph.collectives) t.rows.push_back(collectiveRow(time, graph.graph));
        sums << summaryOf(graph);
    }
    if (sums.isEmpty()) return t;
    const QString where =
        options.world.size > 0 ? tr("Rank %1 of %2").arg(options.world.rank).arg(options.world.size) : tr("One rank");
    t.summary = where + tr(", links %1. ").arg(toQString(links.name)) + sums.join(QStringLiteral("; "));
    return t;
}

}  // namespace aotscope
