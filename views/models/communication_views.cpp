#include "models/communication_views.h"

#include "io/duration_column.h"
#include "models/tables/table_cells.h"
#include "ops/op_table.h"
#include "record/results/graph_times.h"
#include "support/joined.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr double kUsPerMs = 1000;
enum Lane : int { kGraph, kComputing, kCommunicating, kStandingStill, kMeasuredComputing, kMeasuredExchanging };

TableContent::Cell durationCell(double ms) { return {toQString(formatDuration(ms)), ms}; }

/// For cells that durationCell() made in a column; zero milliseconds beside microseconds are hard to read.
void useOneUnit(TableContent& table, std::size_t column) {
    std::vector<double> ms;
    for (const auto& row : table.rows) ms.push_back(row.cells[column].sortKey.toDouble());
    const auto texts = durationColumn(ms);
    for (std::size_t i = 0; i < texts.size(); ++i) table.rows[i].cells[column].text = toQString(texts[i]);
}

TableContent::Row collectiveRow(const CollectiveTime& time, GraphKind graph) {
    return {{textCell(name(graph)), textCell(time.name), textCell(kindAndReduction(time.call)),
             durationCell(time.exposed()), bytesCell(time.sentBytes), durationCell(time.duration()),
             durationCell(time.issue), durationCell(std::max(0.0, time.duration() - time.exposed())),
             bytesCell(std::max(time.call.inputBytes, time.call.resultBytes)), textCell(time.group.name),
             numberCell(time.group.size()), textCell(joined(time.waits, ", ")), textCell(joined(time.savedAs, ", ")),
             textCell(time.module), textCell(exposureText(time))},
            time.node,
            graph};
}

QString sentSummary(const GraphCommunication& graph) {
    return tr("%1: %2 sent, %3 of communication, %4 exposed")
        .arg(toQString(name(graph.graph)), toQString(formatBytes(graph.sentBytes())),
             toQString(formatDuration(graph.communicating)), toQString(formatDuration(graph.exposed)));
}

TableContent collectivesTable(const Communication& found, const Options& options, const Links& links) {
    TableContent t;
    t.whenEmpty = found.problem.empty() ? tr("The graphs have no collectives.")
                                        : tr("Not estimated: %1.").arg(toQString(found.problem));
    t.columns = {{tr("Graph"), tr("the graph that makes the call")},
                 {tr("Node"), tr("the collective")},
                 {tr("Collective"), tr("what it does, and how it reduces")},
                 {tr("Exposed"), tr("while the computation stands still (estimated)"), true},
                 {tr("Sent"), tr("by this rank"), true},
                 {tr("Takes"), tr("by latency and bandwidth of the slowest link (estimated)"), true},
                 {tr("Issued"), tr("when the computation gets there, from the start of the graph (estimated)"), true},
                 {tr("Hidden"), tr("while the graph computes (estimated)"), true},
                 {tr("Data"), tr("the larger of what goes in and what comes out"), true},
                 {tr("Group"), tr("name of the process group")},
                 {tr("Ranks"), tr("in the group"), true},
                 {tr("Waited for by"), tr("the operation that needs the result; empty: none")},
                 {tr("Saved as"), tr("what the backward gets of the result, instead of exchanging it again")},
                 {tr("Module"), tr("the module that makes the call; empty: the top level")},
                 {tr("Why exposed"), tr("what it has to wait for, and what would hide it")}};
    QStringList sums;
    for (const GraphCommunication& graph : found.graphs) {
        for (const CollectiveTime& time : graph.collectives) t.rows.push_back(collectiveRow(time, graph.graph));
        sums << sentSummary(graph);
    }
    for (const std::size_t column : {3U, 5U, 6U, 7U}) useOneUnit(t, column);
    if (sums.isEmpty()) return t;
    const QString where =
        options.world.size > 0 ? tr("Rank %1 of %2").arg(options.world.rank).arg(options.world.size) : tr("One rank");
    t.summary = where + tr(", links %1. ").arg(toQString(links.name)) + sums.join(QStringLiteral("; "));
    return t;
}

TableContent totalsTable(const Communication& found) {
    TableContent t;
    t.columns = {{tr("Parameter or module"), tr("whose collectives these are")},
                 {tr("In the backward"), tr("what becomes of the gathered parameter: saved, or gathered again")},
                 {tr("Exposed"), tr("while the computation stands still (estimated)"), true},
                 {tr("Sent"), tr("by this rank"), true},
                 {tr("Saved"), tr("of the gathered parameter, for the backward"), true},
                 {tr("Collectives"), tr("how many, in all graphs"), true}};
    for (const UnshardCost& cost : found.unshards)
        t.rows.push_back({{textCell(tr("unshard of %1").arg(toQString(cost.unshard.parameter))),
                           textCell(describe(cost.fate)), durationCell(cost.exposed), bytesCell(cost.sentBytes),
                           bytesCell(cost.savedBytes), numberCell(cost.fate == UnshardFate::repeated ? 2 : 1)},
                          cost.unshard.wait,
                          GraphKind::joint});
    for (const GraphCommunication& graph : found.graphs)
        for (const ModuleCommunication& sum : graph.modules()) {
            const QString module = sum.module.empty() ? tr("(top level)") : toQString(sum.module);
            t.rows.push_back({{textCell(tr("%1, %2").arg(module, toQString(name(graph.graph)))), textCell(QString()),
                               durationCell(sum.exposed), bytesCell(sum.sentBytes), textCell(QString()),
                               numberCell(static_cast<qint64>(sum.calls))},
                              kNoNode,
                              graph.graph});
        }
    useOneUnit(t, 2);
    if (!found.unshards.empty())
        t.summary = tr("%1 sharded").arg(toQString(counted(found.unshards.size(), "parameter")));
    return t;
}

class LaneWriter {
public:
    TimePicture take() { return std::move(picture_); }

    void add(const GraphCommunication& graph) {
        graph_ = graph.graph;
        const QString title = toQString(name(graph.graph));
        const int all = bar(TimeBar::Kind::graph, kGraph, title, {}, 0, graph.total, kNoNode, -1);
        at(all).tip = sentSummary(graph);
        for (const ComputationTime& time : graph.computations)
            bar(TimeBar::Kind::operation, kComputing, toQString(shortOpName(time.op)),
                QStringLiteral("%") + toQString(time.name), time.start, time.duration, time.node, all);
        for (const CollectiveTime& time : graph.collectives) {
            const QString what = toQString(name(time.call.kind)), node = QStringLiteral("%") + toQString(time.name);
            bar(TimeBar::Kind::operation, kCommunicating, what, node, time.start, time.duration(), time.node, all);
            if (time.exposed() <= 0) continue;
            const int gap = bar(TimeBar::Kind::graph, kStandingStill, toQString(formatDuration(time.exposed())), node,
                                time.wait, time.exposed(), time.node, all);
            at(gap).tip += QStringLiteral("\n") + toQString(exposureText(time));
        }
        start_ += graph.total;
    }

    /// From the left again, one step after the other.
    void addMeasured(const TimingResult& timing) {
        const GraphTimes times(timing);
        start_ = 0;
        for (const StepTime& step : timing.steps) {
            graph_ = step.graph;
            const double ms = times.stepUs(step) / kUsPerMs;
            const int measured =
                bar(TimeBar::Kind::operation, communicates(step.op) ? kMeasuredExchanging : kMeasuredComputing,
                    toQString(shortOpName(step.op)), QStringLiteral("%") + toQString(step.name), 0, ms, step.node, -1);
            at(measured).tip =
                tr("%%1: %2, measured in this process").arg(toQString(step.name), toQString(formatDuration(ms)));
            start_ += ms;
        }
    }

private:
    TimeBar& at(int i) { return picture_.bars[static_cast<std::size_t>(i)]; }

    int bar(TimeBar::Kind kind, Lane lane, const QString& text, const QString& node, double ms, double length,
            NodeId id, int around) {
        TimeBar bar{kind, text, {}, (start_ + ms) * kUsPerMs, length * kUsPerMs, lane, around};
        bar.backward = graph_ == GraphKind::backward;
        bar.graph = graph_;
        bar.tip = tr("%1 %2: %3, estimated").arg(node, text, toQString(formatDuration(length)));
        if (id != kNoNode) bar.nodes = {id};
        picture_.bars.push_back(std::move(bar));
        return static_cast<int>(picture_.bars.size()) - 1;
    }

    TimePicture picture_;
    GraphKind graph_ = GraphKind::forward;
    double start_ = 0;  ///< of the graph, in milliseconds
};

}  // namespace

QStringList communicationLanes() {
    return {tr("graph"),   tr("computation"),          tr("communication"),
            tr("exposed"), tr("measured computation"), tr("measured exchanges")};
}

CommunicationContent communicationContent(const CompileRecord& record, const Options& options,
                                          const TimingResult* timing) {
    const Links links = linksNamed(options.links);
    const Communication found = communicationOf(record, options.world, links, options.device);
    CommunicationContent content{collectivesTable(found, options, links), totalsTable(found), {}, {}};
    LaneWriter lanes;
    for (const GraphCommunication& graph : found.graphs) lanes.add(graph);
    if (timing && !found.graphs.empty()) lanes.addMeasured(*timing);
    content.lanes = lanes.take();
    if (!found.graphs.empty())
        content.figures =
            tr("%1 sent, %2 exposed of %3 of simulated time")
                .arg(toQString(formatBytes(found.sentBytes())), toQString(formatDuration(found.exposed())),
                     toQString(formatDuration(found.total())));
    return content;
}

QStringList communicationStory(const Communication& found, NodeId node) {
    QStringList sentences;
    if (const UnshardCost* cost = found.unshardOf(node)) {
        sentences << tr("Unshard of %1: the shard of %2 is gathered to %3, %4.")
                         .arg(toQString(cost->unshard.parameter), toQString(formatBytes(cost->unshard.shardBytes)),
                              toQString(formatBytes(cost->unshard.gatheredBytes)), toQString(describe(cost->fate)));
        if (cost->fate == UnshardFate::saved)
            sentences << tr("PyTorch's partitioner never recomputes a collective; FSDP that reshards after the forward "
                            "would gather it again and save %1 less (What If, Collectives).")
                             .arg(toQString(formatBytes(cost->savedBytes)));
    }
    if (const CollectiveTime* time = found.find(node)) {
        sentences << tr("It takes %1, of which %2 are exposed.")
                         .arg(toQString(formatDuration(time->duration())), toQString(formatDuration(time->exposed())));
        if (const std::string why = exposureText(*time); !why.empty()) sentences << toQString(why);
    }
    return sentences;
}

}  // namespace aotscope
