#pragma once

#include "charts/chart_style.h"

#include <QChartView>
#include <memory>
#include <vector>

namespace aotscope {

/// How much memory is in use while a training step runs: one step for each operation, forward then backward.
struct MemoryCurve {
    struct Step {
        QString name;  ///< of the operation
        double megabytes = 0;
        bool backward = false;
        double measured = -1;  ///< megabytes; below 0: not measured
    };
    std::vector<Step> steps;
    std::size_t peak = 0;  ///< index of the highest step
};

std::unique_ptr<QChart> makeMemoryChart(const MemoryCurve& curve, int chosen, const QString& title,
                                        const ChartStyle& style);

/// The curve as a widget: a click chooses a step.
class MemoryChart : public QChartView {
    Q_OBJECT

public:
    explicit MemoryChart(QWidget* parent = nullptr);

    void setCurve(MemoryCurve curve);
    void setTheme(const Theme& theme);
    /// Marks a step; -1: none.
    void setChosen(int step);
    const MemoryCurve& curve() const { return curve_; }
    QPoint placeOf(std::size_t step) const;

Q_SIGNALS:
    void stepChosen(int step);

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void rebuild();
    int stepAt(QPoint place) const;

    MemoryCurve curve_;
    int chosen_ = -1;
    Theme theme_ = Theme::light();
    bool outdated_ = true;
    std::unique_ptr<QChart> shown_;
};

}  // namespace aotscope
