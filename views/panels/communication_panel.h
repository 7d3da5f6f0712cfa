#pragma once

#include "charts/time_chart.h"
#include "models/communication_views.h"
#include "panels/collective_menu.h"
#include "panels/tables/table_pair.h"

#include <QLabel>
#include <QToolButton>

namespace aotscope {

/// The collectives of the compiled graphs: lanes of a simulated timeline, a table of collectives beside one of
/// parameters and modules, and experiments with them.
class CommunicationPanel : public QWidget {
    Q_OBJECT

public:
    explicit CommunicationPanel(QWidget* parent = nullptr);

    void setContent(CommunicationContent content);
    /// The same run with another partition; `compiled`: the figures of the compiled one.
    void updateContent(CommunicationContent content, const QString& compiled);
    /// The experiments; `joint` may be null.
    void setOptions(const PartitionOptions& options, const Graph* joint);

    TablePanel* collectives() const { return tables_->left(); }
    TablePanel* totals() const { return tables_->right(); }
    TimeChart* lanes() const { return lanes_; }
    CollectiveMenu* menu() const { return menu_; }
    QString figures() const { return figures_->text(); }

Q_SIGNALS:
    void nodeSelected(aotscope::NodeId node, aotscope::GraphKind graph);
    void changed(const aotscope::PartitionOptions& options, const QString& what, bool merge);

private:
    QWidget* makeLanes();
    void showLanes(CommunicationContent& content, const QString& figures);

    QLabel* figures_;
    QToolButton* try_;
    CollectiveMenu* menu_;
    TimeChart* lanes_;
    std::vector<QLabel*> laneNames_;
    QWidget* chart_;
    TablePair* tables_;
};

}  // namespace aotscope
