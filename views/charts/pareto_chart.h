#pragma once

#include "charts/chart_style.h"

#include <QChartView>
#include <memory>
#include <vector>

namespace aotscope {

/// One way to partition: what it saves and how long it takes.
struct ParetoMark {
    double megabytes = 0;  ///< of 1e6 bytes
    double ms = 0;         ///< of forward and backward
    QString label;         ///< "0.3"
    QString tip;
    bool measured = false;
    bool chosen = false;  ///< the one that is shown now
};

/// What the axes of a Pareto chart say.
struct ParetoAxes {
    QString memory, time;
};

/// Memory against time: the estimated points joined, measured ones beside them.
std::unique_ptr<QChart> makeParetoChart(const std::vector<ParetoMark>& marks, const ParetoAxes& axes,
                                        const QString& title, const ChartStyle& style);

/// The chart as a widget: points can be clicked.
class ParetoChart : public QChartView {
    Q_OBJECT

public:
    explicit ParetoChart(QWidget* parent = nullptr);

    void setMarks(std::vector<ParetoMark> marks, const ParetoAxes& axes);
    void setTheme(const Theme& theme);
    const std::vector<ParetoMark>& marks() const { return marks_; }
    const ParetoAxes& axes() const { return axes_; }
    /// In the widget's coordinates.
    QPoint placeOf(std::size_t mark) const;

Q_SIGNALS:
    void markChosen(int mark);

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void rebuild();
    int markAt(QPoint place) const;

    std::vector<ParetoMark> marks_;
    ParetoAxes axes_;
    Theme theme_ = Theme::light();
    bool outdated_ = true;
    std::unique_ptr<QChart> shown_;
};

}  // namespace aotscope
