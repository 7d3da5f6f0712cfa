#pragma once

#include "canvas/layout.h"

#include <QObject>
#include <QProcess>
#include <QTimer>
#include <memory>
#include <vector>

namespace aotscope {

/// Lays a graph out with Graphviz in child processes, which can be killed: Graphviz itself can neither be
/// cancelled nor used from several threads. If it is missing, fails or takes too long, the result is a simpler
/// picture with a note that says so.
class LayoutJob : public QObject {
    Q_OBJECT

public:
    explicit LayoutJob(QObject* parent = nullptr);
    ~LayoutJob() override;

    /// Starts; an earlier run is cancelled and reports nothing any more.
    void start(std::shared_ptr<const DrawnGraph> graph);
    void cancel();
    bool running() const { return !processes_.empty(); }

Q_SIGNALS:
    void finished(std::shared_ptr<const DrawnGraph> graph, std::shared_ptr<const GraphLayout> layout);

private:
    void onProcessDone();
    void finishSimply(const QString& why);
    void report(GraphLayout layout);

    std::shared_ptr<const DrawnGraph> graph_;
    LayoutPlan plan_;
    std::vector<std::unique_ptr<QProcess>> processes_;
    QTimer limit_;
};

/// The same in one call, for programs without an event loop.
GraphLayout layoutNow(const DrawnGraph& graph);

}  // namespace aotscope
