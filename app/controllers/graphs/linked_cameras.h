#pragma once

#include "canvas/view/graph_view.h"
#include "record/level_map.h"

#include <QTimer>
#include <functional>

namespace aotscope {

/// Two canvases that are moved and zoomed together: what corresponds to the box in the middle of one stands at the same
/// place in the other. Where nothing in sight has a counterpart, both show the same part of their pictures.
class LinkedCameras : public QObject {
    Q_OBJECT

public:
    /// `map`: from the graph of `a` to that of `b`; null while there is none.
    LinkedCameras(GraphView* a, GraphView* b, std::function<const LevelMap*()> map, QObject* parent);

    /// Off until it is asked for.
    void setOn(bool on);
    /// Whatever was moved last, `leader` stands where it is, and the other canvas comes along.
    void follow(GraphView* leader);

protected:
    /// Every movement ends in a new picture on the screen.
    bool eventFilter(QObject* viewport, QEvent* event) override;

private:
    struct Camera {
        GraphView* view;
        GraphView::Position known;  ///< nobody has moved it from there
    };

    void align();
    GraphView::Position counterpartOf(const GraphView& from, const GraphView& to) const;

    Camera a_, b_;
    GraphView* leader_;
    std::function<const LevelMap*()> map_;
    QTimer soon_;
    bool on_ = false;
};

}  // namespace aotscope
