#pragma once

#include "charts/roofline_chart.h"
#include "charts/time_chart.h"
#include "panels/tables/table_panel.h"

#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>

namespace aotscope {

/// The distribution of time, on one page: the flame chart above the timeline on one time axis, and beside them the
/// tables of steps and of modules, and the roofline.
class TimePanel : public QWidget {
    Q_OBJECT

public:
    enum class Part : std::uint8_t { flame, timeline, steps, modules, roofline };

    /// The measured times. Without bars, only the note is shown.
    struct Content {
        TimePicture flame, timeline;
        TableContent steps, modules;
        RooflinePicture roofline;
        QString note;     ///< a sentence above the charts; without bars, the reason
        QString details;  ///< the background of its numbers, for its tooltip
    };

    explicit TimePanel(QWidget* parent = nullptr);

    void setContent(Content content);
    /// Scrolls to a chart and gives it the focus, or brings a table to the front.
    void bringIntoView(Part part);

    QString note() const { return note_->text(); }
    /// The operations of the marked range, with their time and peak memory; empty: nothing is marked.
    QString rangeText() const { return range_->text(); }
    TimeChart* flame() const { return flame_; }
    TimeChart* timeline() const { return timeline_; }
    TablePanel* steps() const { return steps_; }
    TablePanel* modules() const { return modules_; }
    RooflineChart* roofline() const { return roofline_; }
    /// What the roofline does not show.
    QString rooflineNote() const { return rooflineNote_->text(); }
    /// Between charts and tables.
    QSplitter* splitter() const { return splitter_; }

Q_SIGNALS:
    void nodesSelected(const std::vector<aotscope::NodeId>& nodes, aotscope::GraphKind graph);
    void exportRequested();

private:
    QLayout* makeTop();
    void addCharts();
    void addTables();
    QWidget* makeRoofline();
    void choose(const TimeChart* chart, int bar);
    void showRange(TimeChart* chart);

    QLabel *note_, *range_;
    QToolButton* export_;
    QSplitter* splitter_;
    QScrollArea* charts_;
    TimeChart *flame_, *timeline_;
    QTabWidget* tables_;
    TablePanel *steps_, *modules_;
    RooflineChart* roofline_;
    QLabel* rooflineNote_;
};

}  // namespace aotscope
