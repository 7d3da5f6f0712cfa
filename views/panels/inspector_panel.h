#pragma once

#include "record/compile_record.h"
#include "record/results.h"

#include <QPushButton>
#include <QTextBrowser>
#include <QWidget>
#include <memory>

namespace aotscope {

/// Which partition is told of.
struct ShownPartition {
    ShownPartition(const Partition* shown, bool ofWhatIf = false) : partition(shown), whatIf(ofWhatIf) {}
    const Partition* partition;  ///< null: none
    bool whatIf;                 ///< not the compiled one
};

/// Everything known about one node, with links to its neighbours.
class InspectorPanel : public QWidget {
    Q_OBJECT

public:
    explicit InspectorPanel(QWidget* parent = nullptr);

    /// One node of the graph. `timing` may be null.
    /// `joint`: where the forward node of a backward node is looked up; may be null.
    /// `metadata`: from metadataHtml(). `kernel`: the nodes that are fused into one kernel with it.
    void showNode(const Node& node, GraphKind kind, const ShownPartition& partition, const TimingResult* timing,
                  const Graph* joint = nullptr, const QString& metadata = {},
                  const std::vector<const Node*>& kernel = {});
    /// Shows the graph as a whole, while nothing is selected.
    void showGraph(const Graph& graph, GraphKind kind);
    QString text() const { return browser_->toPlainText(); }
    bool hasSource() const { return showSource_->isEnabled(); }
    /// Opens the source file of the shown node at its line.
    void showSource();

Q_SIGNALS:
    void nodeSelected(aotscope::NodeId node);
    /// Another node is shown: hasSource() may have changed.
    void sourceChanged();

private:
    void setSource(std::shared_ptr<const SourceInfo> source);

    QTextBrowser* browser_;
    QPushButton* showSource_;
    std::shared_ptr<const SourceInfo> source_;
};

/// The inspector's texts as HTML; free functions so that they can be tested.
QString nodeHtml(const Node& node, GraphKind kind, const ShownPartition& partition, const TimingResult* timing,
                 const Graph* joint = nullptr, const QString& metadata = {},
                 const std::vector<const Node*>& kernel = {});
QString graphHtml(const Graph& graph, GraphKind kind);

}  // namespace aotscope
