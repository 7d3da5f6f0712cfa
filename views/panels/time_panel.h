#pragma once

#include "charts/time_chart.h"
#include "panels/table_panel.h"

#include <QLabel>
#include <QToolButton>

namespace aotscope {

/// A chart of times, with a table beside it where there is one.
class TimePanel : public QWidget {
    Q_OBJECT

public:
    explicit TimePanel(const QString& name, const QString& title, TablePanel* table = nullptr,
                       QWidget* parent = nullptr);

    /// `note`: a sentence above the chart; if the picture is empty, why there is no chart.
    void showPicture(TimePicture picture, const QString& note);
    void setTheme(const Theme& theme) { chart_->setTheme(theme); }
    TimeChart* chart() const { return chart_; }
    TablePanel* table() const { return table_; }

Q_SIGNALS:
    void nodesSelected(const std::vector<aotscope::NodeId>& nodes, aotscope::GraphKind graph);
    void exportRequested();

private:
    TimeChart* chart_;
    TablePanel* table_;
    QLabel* note_;
    QToolButton* export_;
};

}  // namespace aotscope
