#include "models/time_pictures.h"

#include "cost/live_memory.h"
#include "io/tables/step_table.h"
#include "models/tables/table_cells.h"
#include "record/results/graph_times.h"
#include "record/results/module_times.h"
#include "support/names.h"

#include <map>
#include <utility>

namespace aotscope {

namespace {

QString usText(double us) { return toQString(formatDuration(us / 1000)); }
QString shareText(double part, double whole) {
    return QObject::tr("%1 %").arg(whole > 0 ? 100 * part / whole : 0, 0, 'f', 1);
}

QString graphLabel(GraphKind graph) { return toQString(name(graph)); }

/// Adds bars to a picture, one after another or nested.
class BarWriter {
public:
    BarWriter(const TimingResult& timing, TimePicture& picture)
        : times_(timing), total_(times_.totalUs()), picture_(picture) {}

    const GraphTimes& times() const { return times_; }

    int addGraph(GraphKind graph, double start, double length) {
        return add(TimeBar::Kind::graph, graphLabel(graph), graph, start, length, -1);
    }
    int addModule(const std::string& path, GraphKind graph, double start, double length, int around) {
        return add(TimeBar::Kind::module, toQString(path), graph, start, length, around);
    }
    /// Returns its end.
    double addStep(const StepTime& step, GraphKind graph, double start, int around) {
        const int bar = add(TimeBar::Kind::operation, toQString(step.op), graph, start, times_.stepUs(step), around);
        at(bar).tip = QStringLiteral("%") + toQString(step.name) + u' ' + describe(at(bar), step.medianUs) +
                      tr("\nquartiles %1 to %2").arg(usText(step.lowerUs), usText(step.upperUs)) +
                      tr("\nresult %1, live memory %2")
                          .arg(toQString(formatBytes(step.bytes)), toQString(formatBytes(step.liveBytes)));
        for (int b = bar; b >= 0; b = at(b).around) at(b).nodes.push_back(step.node);
        return at(bar).end();
    }
    /// The rest of the graph's time after its steps. Returns its end.
    double addOverhead(GraphKind graph, double start, int around) {
        const double us = times_.overheadUs(graph == GraphKind::backward);
        constexpr double rounded = 1e-6;
        if (us < rounded) return start;
        const int bar = add(TimeBar::Kind::overhead, tr("overhead"), graph, start, us, around);
        at(bar).tip += tr("\nin no operation: the wrapper, launches, and interruptions by other programs");
        return at(bar).end();
    }
    /// A bar lasts until `end`.
    void extend(int bar, double end) {
        at(bar).length = end - at(bar).start;
        at(bar).tip = describe(at(bar), at(bar).length);
    }
    TimeBar& at(int bar) { return picture_.bars[static_cast<std::size_t>(bar)]; }

private:
    int add(TimeBar::Kind kind, const QString& text, GraphKind graph, double start, double length, int around) {
        TimeBar bar{kind, text, {}, start, length, around < 0 ? 0 : at(around).row + 1, around};
        bar.backward = graph == GraphKind::backward;
        bar.graph = graph;
        bar.tip = describe(bar, length);
        picture_.bars.push_back(std::move(bar));
        return static_cast<int>(picture_.bars.size()) - 1;
    }

    QString describe(const TimeBar& bar, double us) const {
        return tr("%1, %2: %3, %4 of the total")
            .arg(bar.text, graphLabel(bar.graph), usText(us), shareText(bar.length, total_));
    }

    GraphTimes times_;
    double total_;
    TimePicture& picture_;
};

double timeIn(const ModuleTime& module, bool backward) { return backward ? module.backwardUs : module.forwardUs; }

/// Returns the end of the last bar.
double addFlames(BarWriter& writer, const TimingResult& timing, const ModuleTime& module, GraphKind graph, double start,
                 int around) {
    const bool backward = graph == GraphKind::backward;
    for (const ModuleTime& part : module.parts) {
        const double length = timeIn(part, backward);
        if (length <= 0) continue;
        addFlames(writer, timing, part, graph, start, writer.addModule(part.path, graph, start, length, around));
        start += length;
    }
    for (const std::size_t i : module.steps) {
        const StepTime& step = timing.steps[i];
        if (step.graph != graph) continue;
        start = writer.addStep(step, graph, start, around);
    }
    return start;
}

class Timeline {
public:
    Timeline(const TimingResult& timing, const CompileRecord& record)
        : timing_(timing), modules_(stepModules(timing, record)), writer_(timing, picture_) {
        if (const auto memory = liveMemory(record))
            for (const MemoryPoint& point : memory->curve)
                predicted_[{point.stage == Stage::backward, point.node}] = point.bytes;
    }

    TimePicture make() {
        for (const GraphTime& graph : timing_.graphs) addGraph(graph.graph);
        return std::move(picture_);
    }

private:
    void addGraph(GraphKind graph) {
        open_ = {{"", writer_.addGraph(graph, now_, 0)}};
        for (std::size_t i = 0; i < timing_.steps.size(); ++i) {
            const StepTime& step = timing_.steps[i];
            if (step.graph != graph) continue;
            enter(modules_[i], graph);
            const double start = std::exchange(now_, writer_.addStep(step, graph, now_, open_.back().second));
            addMemory(step, start, graph == GraphKind::backward);
        }
        leave(1);
        now_ = writer_.addOverhead(graph, now_, open_.front().second);
        leave(0);
    }

    void enter(const std::string& module, GraphKind graph) {
        const std::vector<std::string> paths = pathsTo(module);
        std::size_t common = 0;  // the outermost open one is the graph
        while (common + 1 < open_.size() && common < paths.size() && open_[common + 1].first == paths[common]) ++common;
        leave(common + 1);
        for (std::size_t i = common; i < paths.size(); ++i)
            open_.emplace_back(paths[i], writer_.addModule(paths[i], graph, now_, 0, open_.back().second));
    }

    void leave(std::size_t depth) {
        for (; open_.size() > depth; open_.pop_back()) writer_.extend(open_.back().second, now_);
    }

    void addMemory(const StepTime& step, double start, bool backward) {
        const auto known = predicted_.find({backward, step.node});
        picture_.memory.push_back({start, now_, static_cast<double>(step.liveBytes),
                                   known == predicted_.end() ? -1.0 : static_cast<double>(known->second)});
    }

    const TimingResult& timing_;
    std::vector<std::string> modules_;
    TimePicture picture_;
    BarWriter writer_;
    std::map<std::pair<bool, NodeId>, std::int64_t> predicted_;
    std::vector<std::pair<std::string, int>> open_;  ///< modules with their bars, the graph first
    double now_ = 0;
};

}  // namespace

TimePicture flamePicture(const TimingResult& timing, const CompileRecord& record) {
    TimePicture picture;
    BarWriter writer(timing, picture);
    const ModuleTime root = moduleTimes(timing, record);
    double start = 0;
    for (const GraphTime& graph : timing.graphs) {
        const GraphKind kind = graph.graph;
        const int bar = writer.addGraph(kind, start, timeIn(root, kind == GraphKind::backward));
        start = writer.addOverhead(kind, addFlames(writer, timing, root, kind, start, bar), bar);
    }
    return picture;
}

TimePicture timelinePicture(const TimingResult& timing, const CompileRecord& record) {
    return Timeline(timing, record).make();
}

TableContent moduleTable(const TimingResult* timing, const CompileRecord& record) {
    const TimingResult none;
    TableContent t = contentOf(moduleTable(timing ? *timing : none, record),
                               {"module", "forward_us", "backward_us", "own", "share"});
    t.whenEmpty = tr("No times yet: press Time (Ctrl+T).");
    if (!timing) {
        t.rows.clear();
        return t;
    }
    t.summary =
        QObject::tr("%1; operations take %2 of a step's time")
            .arg(toQString(counted(t.rows.size() - 1, "module")), shareText(GraphTimes(*timing).utilization(), 1));
    return t;
}

}  // namespace aotscope
