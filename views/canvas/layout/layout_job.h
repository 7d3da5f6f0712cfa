#pragma once

#include "canvas/layout/group_layout.h"
#include "canvas/layout/open_to_fit.h"

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace aotscope {

/// Lays out a graph off the GUI thread, with Graphviz in a child process. If Graphviz is missing, fails or takes too
/// long, the result is a simpler picture with a note that says so. Layouts of groups are kept for the next run.
class LayoutJob : public QObject {
    Q_OBJECT

public:
    explicit LayoutJob(QObject* parent = nullptr);
    ~LayoutJob() override;

    /// Starts; an earlier run is cancelled and reports nothing.
    void start(std::shared_ptr<const DrawnGraph> graph, const ViewState& state = {});
    /// Likewise for a graph that is also drawn in the background.
    using Draw = std::function<std::shared_ptr<const DrawnGraph>()>;
    /// The view: without a state, open as deep as fits; without room, the best readable.
    struct View {
        std::optional<ViewState> state;
        std::optional<Room> room;
    };
    void start(Draw draw, const View& view);
    void cancel();
    bool running() const { return run_ != nullptr; }
    LayoutCache& cache() { return *cache_; }

Q_SIGNALS:
    /// `seen` is `whole` in the given state, and identical if nothing is closed or hidden.
    void finished(std::shared_ptr<const DrawnGraph> seen, std::shared_ptr<const GraphLayout> layout,
                  std::shared_ptr<const DrawnGraph> whole, ViewState state);

private:
    struct Run {
        std::atomic<bool> cancelled = false;
    };

    std::shared_ptr<Run> run_;  ///< the current one
    std::shared_ptr<LayoutCache> cache_;
    QThreadPool pool_;
};

/// Synchronously, for programs without an event loop.
GraphLayout layoutNow(const DrawnGraph& graph);
GraphLayout layoutNow(const DrawnGraph& graph, LayoutCache& cache);

/// Without Graphviz, in linear time; `note` says why.
GraphLayout layoutSimply(const DrawnGraph& graph, const QString& note);

}  // namespace aotscope
