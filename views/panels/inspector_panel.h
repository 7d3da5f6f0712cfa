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

    /// `node` belongs to `graph`; null clears. `partition` and `timing` may be null.
    void show(const Node* node, GraphKind kind, const Partition* partition, const TimingResult* timing);
    QString text() const { return browser_->toPlainText(); }

Q_SIGNALS:
    void nodeSelected(aotscope::NodeId node);

private:
    QTextBrowser* browser_;
};

/// The inspector's text as HTML; a free function so that it can be tested.
QString inspectorHtml(const Node& node, GraphKind kind, const Partition* partition, const TimingResult* timing);

}  // namespace aotscope
