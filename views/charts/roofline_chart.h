#pragma once

#include "charts/plot_view.h"
#include "cost/roofline.h"
#include "record/results/results.h"

namespace aotscope {

/// Measured operations below the roofline of the machine: rate against arithmetic intensity, both in powers of ten.
struct RooflinePicture {
    struct Point {
        RooflinePoint at;
        NodeId node = kNoNode;
        GraphKind graph = GraphKind::forward;
        double share = 0;  ///< of the time of all points, 0 to 1
        QString tip;
    };
    std::vector<Point> points;  ///< by intensity
    Roofline limits;            ///< without its points
};

RooflinePicture rooflinePicture(const TimingResult& timing, const CompileRecord& record, const MachineModel* machine);

Plot rooflinePlot(const RooflinePicture& picture, const QString& title);

/// The chart as a widget with clickable points.
class RooflineChart : public PlotView {
    Q_OBJECT

public:
    explicit RooflineChart(QWidget* parent = nullptr);

    void setPicture(RooflinePicture picture);
    const RooflinePicture& picture() const { return picture_; }

Q_SIGNALS:
    void pointChosen(int point);

protected:
    int stopCount() const override { return static_cast<int>(picture_.points.size()); }
    int stopAt(QPointF place) const override { return nearestTo(place); }
    std::vector<QPointF> pointsOf(int stop) const override;
    QString tipOf(int stop) const override { return picture_.points[static_cast<std::size_t>(stop)].tip; }
    void choose(int stop) override { Q_EMIT pointChosen(stop); }

private:
    RooflinePicture picture_;
};

}  // namespace aotscope
