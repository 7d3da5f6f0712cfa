#pragma once

#include "controllers/controller.h"
#include "panels/pass_difference_view.h"
#include "record/history/node_follower.h"
#include "record/pass_graphs.h"

#include <QAction>

namespace aotscope {

/// Shows the difference of two graphs in place of the graphs. The later one is always the graph of the pane, so that
/// the difference, the list of passes and everything that follows the selection refer to the same pass.
class DifferenceController : public Controller {
    Q_OBJECT

public:
    explicit DifferenceController(const Surroundings& around);

    PassDifferenceView* view() const { return view_; }
    QAction* action() const { return action_; }
    const std::vector<PassGraph>& graphs() const { return graphs_; }
    const std::shared_ptr<const GraphDifference>& difference() const { return difference_; }

    void setRecord(std::shared_ptr<const CompileRecord> record);
    bool busy() const override { return job_.running() || view_->layoutRunning(); }
    bool shown() const { return action_->isChecked(); }
    /// The window steps to a pass: compares its graph with the previous one.
    void followPass(int pass);
    void showRange(int from, int to);

Q_SIGNALS:
    /// Compares two graphs; the later one is that of the pane.
    void rangeShown();

private:
    struct Answer {
        std::shared_ptr<const DifferenceLines> lines;
        std::shared_ptr<const DrawnGraph> drawn;
        ViewState state;
    };

    void show(bool shown);
    void compare();
    int stopOf(const Graph* graph) const;
    int stopBefore(int stop) const;
    void lead(NodeId node);
    void follow();

    PassDifferenceView* view_;
    QAction* action_;
    BackgroundJob job_;
    std::shared_ptr<const CompileRecord> record_;
    std::unique_ptr<NodeFollower> follower_;
    std::vector<PassGraph> graphs_;
    std::shared_ptr<const GraphDifference> difference_;
    std::pair<int, int> compared_{-1, -1};
    bool leading_ = false;
};

}  // namespace aotscope
