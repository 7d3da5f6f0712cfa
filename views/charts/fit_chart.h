#pragma once

#include "charts/plot_view.h"
#include "cost/fit/batch_search.h"

namespace aotscope {

/// Memory of a training step by batch: its peaks in forward, backward and update, beside the limit.
Plot fitPlot(const BatchSearch& found, std::int64_t shown, const QString& title);

/// The curves as a widget; a click chooses a batch.
class FitChart : public PlotView {
    Q_OBJECT

public:
    explicit FitChart(QWidget* parent = nullptr);

    /// `shown`: the batch that is marked.
    void show(BatchSearch found, std::int64_t shown);
    const BatchSearch& found() const { return found_; }

Q_SIGNALS:
    void batchChosen(qint64 batch);

protected:
    int stopCount() const override { return static_cast<int>(found_.rows.size()); }
    int stopAt(QPointF place) const override { return nearestTo(place); }
    std::vector<QPointF> pointsOf(int stop) const override;
    QString tipOf(int stop) const override;
    void choose(int stop) override;

private:
    const BatchStep& row(int stop) const { return found_.rows[static_cast<std::size_t>(stop)]; }

    BatchSearch found_;
};

}  // namespace aotscope
