#include "benchmarks.h"
#include "canvas/layout/layout_job.h"
#include "canvas/layout/open_to_fit.h"
#include "canvas/view/graph_view.h"
#include "deep_graphs.h"
#include "io/dot.h"
#include "sessions.h"

#include <benchmark/benchmark.h>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QProcess>
#include <QThread>
#include <QWheelEvent>

#include <algorithm>
#include <map>

namespace aotscope {

namespace {

constexpr int kFrames = 60;
constexpr int kDotLimitMs = 60'000;

/// Created once.
std::shared_ptr<const Graph> deepGraph(int nodes) {
    static std::map<int, std::shared_ptr<const Graph>> known;
    auto& graph = known[nodes];
    if (!graph) graph = makeDeepGraph(nodes);
    return graph;
}

double millisecondsOf(const QElapsedTimer& clock) { return static_cast<double>(clock.nsecsElapsed()) / 1e6; }

/// A canvas that paints into an image, as the raster platforms do.
struct Canvas {
    Canvas() : frame(kWindow, QImage::Format_RGB32) {
        view.resize(kWindow);
        view.show();
    }
    void show(const std::shared_ptr<const DrawnGraph>& graph, LayoutCache& cache,
              GraphView::Camera camera = GraphView::Camera::fit, const QString& anchor = {}) {
        show(graph, layoutNow(*graph, cache), camera, anchor);
    }
    void show(const std::shared_ptr<const DrawnGraph>& graph, GraphLayout layout,
              GraphView::Camera camera = GraphView::Camera::fit, const QString& anchor = {}) {
        layout.index = std::make_shared<const PlaceIndex>(layout);  // as the background job does
        const auto shared = std::make_shared<const GraphLayout>(std::move(layout));
        QElapsedTimer clock;
        clock.start();
        view.showGraph(graph, shared, camera, anchor);
        paint();
        shownIn = millisecondsOf(clock);
    }
    double paint() {
        QElapsedTimer clock;
        clock.start();
        view.viewport()->render(&frame);
        return millisecondsOf(clock);
    }
    GraphView view;
    QImage frame;
    double shownIn = 0;  ///< milliseconds of the GUI thread, for the last picture
};

std::shared_ptr<const DrawnGraph> wholeOf(const Graph& graph) {
    return withGroups(drawGraph(graph, GraphKind::joint, nullptr));
}

void firstPaint(benchmark::State& state, int nodes, bool open) {
    const auto graph = deepGraph(nodes);
    Canvas canvas;
    std::shared_ptr<const DrawnGraph> seen;
    for ([[maybe_unused]] auto _ : state) {
        LayoutCache cache;
        const auto whole = wholeOf(*graph);
        OpenedGraph picture =
            open ? OpenedGraph{{}, whole, layoutNow(*whole, cache)}
                 : openToFit(whole, canvas.view.room(), [&](const DrawnGraph& g) { return layoutNow(g, cache); });
        seen = picture.seen;
        canvas.show(seen, std::move(picture.layout));
    }
    state.counters["gui_ms"] = canvas.shownIn;
    state.counters["boxes"] = static_cast<double>(seen->nodes.size());
    state.SetLabel(canvas.view.layout()->note.toStdString());
}

/// From the turn of the wheel to the painted window.
double frameOf(GraphView& view, int turn, Qt::KeyboardModifiers keys) {
    const QPointF place = QRectF(view.viewport()->rect()).center();
    QWheelEvent event(place, view.viewport()->mapToGlobal(place), {}, {0, turn}, Qt::NoButton, keys, Qt::NoScrollPhase,
                      false);
    QElapsedTimer clock;
    clock.start();
    QCoreApplication::sendEvent(view.viewport(), &event);
    QCoreApplication::sendPostedEvents();  // paints
    return millisecondsOf(clock);
}

/// When input stops, the window is repainted completely: the time for that.
double restOf(GraphView& view) {
    constexpr int rest = 120;  // longer than the canvas waits
    QThread::msleep(rest);
    QElapsedTimer clock;
    clock.start();
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents();
    const double time = millisecondsOf(clock);
    if (!view.picture().isWhole()) throw Error("the canvas at rest was not painted as a whole");
    return time;
}

void addTimes(benchmark::State& state, const std::string& prefix, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    state.counters[prefix + "median_ms"] = times[times.size() / 2];
    state.counters[prefix + "p95_ms"] = times[times.size() * 95 / 100];
    state.counters[prefix + "worst_ms"] = times.back();
}

int boxesInView(const GraphView& view) {
    const QRectF seen = view.mapToScene(view.viewport()->rect()).boundingRect();
    return static_cast<int>(
        std::ranges::count_if(view.layout()->boxes, [&](auto& box) { return box.intersects(seen); }));
}

/// Frames while the wheel turns, at several scales, and the sharp picture after every few of them.
void frames(benchmark::State& state, int nodes, bool zoom) {
    const auto whole = wholeOf(*deepGraph(nodes));
    LayoutCache cache;
    Canvas canvas;
    canvas.show(whole, cache);
    constexpr int turn = 30, framesUntilRest = 15;  // a quarter of a notch: smooth wheels and touchpads
    std::vector<double> moving, resting;
    int most = 0;
    try {
        for ([[maybe_unused]] auto _ : state) {
            for (const double scale : {1.0, 0.6, 0.3, 0.12, 0.04}) {
                const auto& boxes = canvas.view.layout()->boxes;
                canvas.view.goTo({boxes[boxes.size() / 3].center(), scale});
                restOf(canvas.view);
                most = std::max(most, boxesInView(canvas.view));
                for (int i = 0; i < kFrames; ++i) {
                    const bool inwards = i / framesUntilRest % 2 == 0;
                    moving.push_back(zoom ? frameOf(canvas.view, inwards ? turn : -turn, Qt::ControlModifier)
                                          : frameOf(canvas.view, -turn, Qt::NoModifier));
                    if ((i + 1) % framesUntilRest == 0) resting.push_back(restOf(canvas.view));
                }
            }
        }
    } catch (const Error& e) {
        return state.SkipWithError(e.what());
    }
    addTimes(state, "", moving);
    addTimes(state, "rest_", resting);
    state.counters["boxes"] = most;
}

/// One block of the closed picture opens: from the key to the painted picture.
void openGroup(benchmark::State& state, int nodes, bool known) {
    const auto whole = wholeOf(*deepGraph(nodes));
    const GroupTree& tree = *whole->groups;
    const ViewState closed = readable(*whole, 250);
    const int block = tree.byKey(QStringLiteral("blocks.1")), twin = tree.byKey(QStringLiteral("blocks.2"));
    for ([[maybe_unused]] auto _ : state) {
        state.PauseTiming();
        LayoutCache cache;
        Canvas canvas;
        canvas.show(visibleGraph(whole, closed), cache);
        if (known) canvas.show(visibleGraph(whole, toggled(tree, closed, twin, true)), cache);
        state.ResumeTiming();
        canvas.show(visibleGraph(whole, toggled(tree, closed, block, true)), cache, GraphView::Camera::keep,
                    QStringLiteral("blocks.1"));
    }
}

void restyle(benchmark::State& state, int nodes, bool open) {
    const auto whole = wholeOf(*deepGraph(nodes));
    const ViewState view = open ? ViewState() : readable(*whole, 250);
    LayoutCache cache;
    Canvas canvas;
    canvas.show(visibleGraph(whole, view), cache);
    for ([[maybe_unused]] auto _ : state) {
        auto changed = std::make_shared<DrawnGraph>(*whole);
        for (auto& node : changed->nodes) node.placement.saved = !node.placement.saved;
        canvas.view.restyle(visibleGraph(changed, view));
        canvas.paint();
    }
}

/// Graphviz alone on the plain graph, and our layout of it.
void stockDot(benchmark::State& state, const std::string& model) {
    try {
        const auto graph = sessionOf("sample:" + model)->record()->graph(GraphKind::joint);
        if (!graph) throw Error("the pipeline left no joint graph");
        const QByteArray text = QByteArray::fromStdString(printDot(*graph));
        QElapsedTimer clock;
        double stock = 0;
        for ([[maybe_unused]] auto _ : state) {
            QProcess dot;
            dot.start(QStringLiteral("dot"), {QStringLiteral("-Tplain")});
            if (!dot.waitForStarted()) throw Error("Graphviz's program 'dot' was not found");
            clock.start();
            dot.write(text);
            dot.closeWriteChannel();
            if (!dot.waitForFinished(kDotLimitMs)) state.SetLabel("limit");
            stock = millisecondsOf(clock);
            dot.kill();
            dot.waitForFinished(1000);
        }
        clock.start();
        const auto whole = withGroups(drawGraph(*graph, GraphKind::joint, nullptr));
        const GraphLayout ours = layoutNow(*whole);
        state.counters["ladder_ms"] = millisecondsOf(clock);
        state.counters["stock_ms"] = stock;
        state.counters["boxes"] = static_cast<double>(graph->nodes().size());
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

template <typename Run>
void add(const std::string& name, Run&& run) {
    benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);
}

}  // namespace

void registerCanvasBenchmarks() {
    for (const int nodes : kDeepGraphs) {
        const std::string at = "canvas/" + std::to_string(nodes) + "/";
        for (const bool open : {false, true}) {
            const std::string what = open ? "open" : "closed";
            add(at + "first paint, modules " + what, [=](benchmark::State& s) { firstPaint(s, nodes, open); });
            add(at + "what-if, modules " + what, [=](benchmark::State& s) { restyle(s, nodes, open); });
        }
        for (const bool zoom : {false, true})
            add(at + (zoom ? "frames of a zoom" : "frames of a pan"),
                [=](benchmark::State& s) { frames(s, nodes, zoom); });
        for (const bool known : {false, true})
            add(at + (known ? "a module opens, one like it was open" : "a module opens"),
                [=](benchmark::State& s) { openGroup(s, nodes, known); });
    }
    for (const std::string model : {"resnet18", "resnet50", "gpt2", "bert"})
        add("stock/" + model + "/joint", [model](benchmark::State& s) { stockDot(s, model); });
}

}  // namespace aotscope
