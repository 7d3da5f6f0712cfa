#pragma once

#include "canvas/view/graph_view.h"
#include "record/level_map.h"

#include <QTimer>
#include <functional>

namespace aotscope {

/// Moves and zooms two canvases together: counterparts of the box in the middle of one stay at the same place in the
/// other. Where nothing in view has a counterpart, both show the same part of their pictures.
class LinkedCameras : public QObject {
    Q_OBJECT

public:
    /// `map`: from the graph of `a` to that of `b`; null: not known yet.
    LinkedCameras(GraphView* a, GraphView* b, std::function<const LevelMap*()> map, QObject* parent);

    /// Off by default.
    void setOn(bool on);
    /// `leader` keeps its place, and the other canvas follows.
    void follow(GraphView* leader);

protected:
    /// Every movement ends in a repaint.
    bool eventFilter(QObject* viewport, QEvent* event) override;

private:
    struct Camera {
        GraphView* view;
        GraphView::Position known;  ///< not moved since
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
