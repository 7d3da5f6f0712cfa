#pragma once

#include "passes/record.h"
#include "runtime/results.h"

#include <QTextBrowser>
#include <QWidget>
#include <memory>

namespace aotscope {

/// Everything known of one node, with links to the nodes around it.
class InspectorPanel : public QWidget {
    Q_OBJECT

public:
    explicit InspectorPanel(QWidget* parent = nullptr);

    /// One node of the graph. `partition` and `timing` may be null.
    void showNode(const Node& node, GraphKind kind, const Partition* partition, const TimingResult* timing);
    /// The graph as a whole: what is shown while nothing is selected.
    void showGraph(const Graph& graph, GraphKind kind);
    QString text() const { return browser_->toPlainText(); }

Q_SIGNALS:
    void nodeSelected(aotscope::NodeId node);

private:
    QTextBrowser* browser_;
};

/// The inspector's texts as HTML; free functions so that they can be tested.
QString nodeHtml(const Node& node, GraphKind kind, const Partition* partition, const TimingResult* timing);
QString graphHtml(const Graph& graph, GraphKind kind);

}  // namespace aotscope
