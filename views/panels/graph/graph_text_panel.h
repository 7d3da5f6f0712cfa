#pragma once

#include "canvas/theme.h"
#include "models/graph_text_model.h"

#include <QFutureWatcher>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>

namespace aotscope {

/// The text of a graph, read only: a line for each node, the selected one marked. The text is written in the
/// background, and only while the panel is visible.
class GraphTextPanel : public QWidget, public Themed {
    Q_OBJECT

public:
    explicit GraphTextPanel(QWidget* parent = nullptr);

    /// Null: none is shown.
    void setGraph(std::shared_ptr<const Graph> graph);
    /// Marks the line of a node and scrolls to it, without a signal.
    void select(NodeId node);
    void setTheme(const Theme& theme) override;

    QTableView* view() const { return view_; }
    QLineEdit* find() const { return find_; }
    const GraphTextModel& model() const { return model_; }
    /// The text is being written.
    bool busy() const { return watcher_.isRunning(); }

Q_SIGNALS:
    void nodeSelected(aotscope::NodeId node);

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    class Lines;
    QLayout* makeTop();
    void makeView();
    void write();
    void take();
    void fitColumn();
    void findNext(bool forward);
    void copy(bool all) const;

    GraphTextModel model_;
    Lines* delegate_;
    QLabel* state_;
    QLineEdit* find_;
    QTableView* view_;
    std::shared_ptr<const Graph> graph_;  ///< to show; its text may not be written yet
    NodeId node_ = kNoNode;
    QFutureWatcher<std::shared_ptr<const GraphLines>> watcher_;
    bool following_ = false;  ///< the selection is being set by code
};

}  // namespace aotscope
