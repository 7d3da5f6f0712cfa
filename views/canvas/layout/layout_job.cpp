#include "canvas/layout/layout_job.h"

#include "canvas/layout/dot_process.h"
#include "canvas/place_index.h"
#include "support/signal_stack.h"

namespace aotscope {

namespace {

GraphLayout layOutFlat(const DrawnGraph& graph, const std::atomic<bool>& cancelled) {
    const LayoutPlan plan = planLayout(graph);
    if (plan.isLarge()) return simpleLayout(graph, plan, {}, cancelled);
    try {
        DotProcess graphviz(cancelled);
        std::vector<QByteArray> questions;
        for (const auto& column : plan.columns) questions.push_back(column.dot);
        return composeLayout(graph, plan, graphviz.ask(questions));
    } catch (const NoLayout& e) {
        return simpleLayout(graph, plan, QString::fromUtf8(e.what()), cancelled);
    } catch (const Error&) {
        return simpleLayout(graph, plan, QStringLiteral("Graphviz failed: showing simple rows."), cancelled);
    }
}

/// A ladder without modules is one group, so that its rungs are routed around boxes, too. Runs have no frames.
bool inGroups(const DrawnGraph& graph) { return graph.groups && (graph.groups->deepest() > 0 || graph.isLadder()); }

GraphLayout layOut(const DrawnGraph& graph, LayoutCache& cache, const std::atomic<bool>& cancelled) {
    if (!inGroups(graph)) return layOutFlat(graph, cancelled);
    DotProcess graphviz(cancelled);
    return layOutGroups(
        graph, cache, [&](const auto& questions) { return graphviz.ask(questions); }, cancelled);
}

OpenedGraph opened(const std::shared_ptr<const DrawnGraph>& whole, const LayoutJob::View& view, LayoutCache& cache,
                   const std::atomic<bool>& cancelled) {
    const auto layOutSeen = [&](const DrawnGraph& seen) { return layOut(seen, cache, cancelled); };
    if (!view.state && view.room) return openToFit(whole, *view.room, layOutSeen);
    const ViewState state = view.state ? *view.state : opening(*whole);
    const auto seen = visibleGraph(whole, state);
    return {state, seen, layOutSeen(*seen)};
}

}  // namespace

LayoutJob::LayoutJob(QObject* parent) : QObject(parent), cache_(std::make_shared<LayoutCache>()) {
    pool_.setMaxThreadCount(2);  // a cancelled one may still be running
}

LayoutJob::~LayoutJob() {
    cancel();
    pool_.waitForDone();
}

void LayoutJob::start(std::shared_ptr<const DrawnGraph> graph, const ViewState& state) {
    start([graph = std::move(graph)] { return graph; }, View{state, {}});
}

void LayoutJob::start(Draw draw, const View& view) {
    cancel();
    run_ = std::make_shared<Run>();
    pool_.start([this, run = run_, cache = cache_, draw = std::move(draw), view] {
        useSignalStack();
        if (run->cancelled) return;
        const auto whole = draw();
        if (run->cancelled) return;
        OpenedGraph picture = opened(whole, view, *cache, run->cancelled);
        if (run->cancelled) return;
        picture.layout.index = std::make_shared<const PlaceIndex>(picture.layout);
        const auto layout = std::make_shared<const GraphLayout>(std::move(picture.layout));
        QMetaObject::invokeMethod(
            this,
            [this, run, seen = picture.seen, layout, whole, state = picture.state] {
                if (run != run_) return;
                run_.reset();
                Q_EMIT finished(seen, layout, whole, state);
            },
            Qt::QueuedConnection);
    });
}

void LayoutJob::cancel() {
    if (run_) run_->cancelled = true;
    run_.reset();
}

GraphLayout layoutNow(const DrawnGraph& graph) {
    LayoutCache cache;
    return layoutNow(graph, cache);
}

GraphLayout layoutNow(const DrawnGraph& graph, LayoutCache& cache) { return layOut(graph, cache, kNeverCancelled); }

GraphLayout layoutSimply(const DrawnGraph& graph, const QString& note) {
    if (!inGroups(graph)) return simpleLayout(graph, planLayout(graph), note);
    LayoutCache cache;
    GraphLayout layout = layOutGroups(
        graph, cache, [](const auto& /*questions*/) -> std::vector<QByteArray> { throw NoLayout("no layout"); });
    layout.note = note;
    return layout;
}

}  // namespace aotscope
