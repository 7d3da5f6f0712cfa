#include "models/communication_views.h"

#include "io/tables/communication_tables.h"
#include "models/tables/table_cells.h"
#include "ops/op_table.h"
#include "record/results/graph_times.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr double kUsPerMs = 1000;
enum Lane : int { kGraph, kComputing, kCommunicating, kStandingStill, kMeasuredComputing, kMeasuredExchanging };

QString sentSummary(const GraphCommunication& graph) {
    return tr("%1: %2 sent, %3 of communication, %4 exposed")
        .arg(toQString(name(graph.graph)), toQString(formatBytes(graph.sentBytes())),
             toQString(formatDuration(graph.communicating)), toQString(formatDuration(graph.exposed)));
}

TableContent collectivesTable(const Communication& found, const Options& options, const Links& links) {
    TableContent t = contentOf(collectiveTable(found.graphs));
    t.whenEmpty = found.problem.empty() ? tr("The graphs have no collectives.")
                                        : tr("Not estimated: %1.").arg(toQString(found.problem));
    QStringList sums;
    for (const GraphCommunication& graph : found.graphs) sums << sentSummary(graph);
    if (sums.isEmpty()) return t;
    const QString where =
        options.world.size > 0 ? tr("Rank %1 of %2").arg(options.world.rank).arg(options.world.size) : tr("One rank");
    t.summary = where + tr(", links %1. ").arg(toQString(links.name)) + sums.join(QStringLiteral("; "));
    return t;
}

TableContent totalsTable(const Communication& found) {
    Table all = unshardTable(found);
    std::ranges::move(communicatingModuleTable(found.graphs).rows, std::back_inserter(all.rows));
    TableContent t = contentOf(all, {"whose", "backward", "exposed_ms", "sent_bytes", "saved_bytes", "collectives"});
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
        bar({kGraph, 0, graph.total}, title).tip = sentSummary(graph);
        const int all = static_cast<int>(picture_.bars.size()) - 1;
        for (const ComputationTime& time : graph.computations)
            nodeBar({kComputing, time.start, time.duration, all}, toQString(shortOpName(time.op)), time);
        for (const CollectiveTime& time : graph.collectives) {
            nodeBar({kCommunicating, time.start, time.duration(), all}, toQString(name(time.call.kind)), time);
            if (time.exposed() <= 0) continue;
            const QString length = toQString(formatDuration(time.exposed()));
            nodeBar({kStandingStill, time.wait, time.exposed(), all}, length, time).tip +=
                QStringLiteral("\n") + toQString(exposureText(time));
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
            const Lane lane = communicates(step.op) ? kMeasuredExchanging : kMeasuredComputing;
            nodeBar({lane, 0, ms}, toQString(shortOpName(step.op)), step).tip =
                tr("%%1: %2, measured in this process").arg(toQString(step.name), toQString(formatDuration(ms)));
            start_ += ms;
        }
    }

private:
    /// A part of the graph's time, in milliseconds from its start.
    struct Stretch {
        Lane lane;
        double start, length;
        int around = -1;  ///< the bar that it is a part of
    };

    /// The bar is valid until the next one is added.
    TimeBar& bar(const Stretch& stretch, const QString& text) {
        const bool computes = stretch.lane != kGraph && stretch.lane != kStandingStill;
        TimeBar bar{computes ? TimeBar::Kind::operation : TimeBar::Kind::graph,
                    text,
                    {},
                    (start_ + stretch.start) * kUsPerMs,
                    stretch.length * kUsPerMs,
                    stretch.lane,
                    stretch.around};
        bar.backward = graph_ == GraphKind::backward;
        bar.graph = graph_;
        return picture_.bars.emplace_back(std::move(bar));
    }

    /// `time` is that of the node.
    TimeBar& nodeBar(const Stretch& stretch, const QString& text, const auto& time) {
        TimeBar& added = bar(stretch, text);
        added.tip =
            tr("%%1 %2: %3, estimated").arg(toQString(time.name), text, toQString(formatDuration(stretch.length)));
        added.nodes = {time.node};
        return added;
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
                                          const MachineSource& machine, const TimingResult* timing) {
    const Links links = linksNamed(options.links);
    const Communication found = communicationOf(record, options.world, links, machine);
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
