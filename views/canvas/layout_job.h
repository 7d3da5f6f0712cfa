#pragma once

#include "canvas/group_layout.h"
#include "canvas/visible.h"

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <memory>

namespace aotscope {

/// Lays a graph out off the GUI thread, with Graphviz in a child process. If Graphviz is missing, fails or takes too
/// long, the result is a simpler picture with a note that says so. Layouts of groups are kept for the next run.
class LayoutJob : public QObject {
    Q_OBJECT

public:
    explicit LayoutJob(QObject* parent = nullptr);
    ~LayoutJob() override;

    /// Starts; an earlier run is cancelled and reports nothing any more.
    void start(std::shared_ptr<const DrawnGraph> graph, const ViewState& state = {});
    void cancel();
    bool running() const { return run_ != nullptr; }
    LayoutCache& cache() { return *cache_; }

Q_SIGNALS:
    /// `graph` as the state has it: the one given where nothing is closed or hidden.
    void finished(std::shared_ptr<const DrawnGraph> graph, std::shared_ptr<const GraphLayout> layout);

private:
    struct Run {
        std::atomic<bool> cancelled = false;
    };

    std::shared_ptr<Run> run_;  ///< the one under way
    std::shared_ptr<LayoutCache> cache_;
    QThreadPool pool_;
};

/// The same in one call, for programs without an event loop.
GraphLayout layoutNow(const DrawnGraph& graph);
GraphLayout layoutNow(const DrawnGraph& graph, LayoutCache& cache);

/// Without Graphviz, in linear time; `note` says why.
GraphLayout layoutSimply(const DrawnGraph& graph, const QString& note);

}  // namespace aotscope
