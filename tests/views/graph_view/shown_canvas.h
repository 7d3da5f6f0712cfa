// A canvas on the screen, driven and examined by tests.
#pragma once

#include "canvas/layout/layout_job.h"
#include "canvas/view/graph_view.h"
#include "views/drawings.h"

#include <QtTest>

namespace aotscope::test {

inline std::shared_ptr<const DrawnGraph> share(DrawnGraph graph) {
    return std::make_shared<const DrawnGraph>(std::move(graph));
}

/// A shown canvas with a picture on it, and the signals that it has emitted.
struct Canvas {
    explicit Canvas(DrawnGraph drawn) : spy(&view, &GraphView::nodeSelected) {
        view.resize(900, 700);
        view.show();
        show(share(std::move(drawn)));
    }
    void show(const std::shared_ptr<const DrawnGraph>& drawn) {
        view.showGraph(drawn, std::make_shared<const GraphLayout>(layoutNow(*drawn)));
    }
    const DrawnGraph& graph() const { return *view.graph(); }
    QPoint placeOf(int node) const {
        return view.mapFromScene(view.layout()->boxes[static_cast<std::size_t>(node)].center());
    }
    void click(QPoint place) { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, place); }
    NodeId idOf(const char* name) const { return nodeNamed(graph(), name).id; }
    /// The node selected by the last key or click; -2 if nothing was emitted.
    NodeId taken() {
        const NodeId id = spy.isEmpty() ? -2 : spy.last().first().toInt();
        spy.clear();
        return id;
    }
    NodeId key(int key) {
        QTest::keyClick(&view, static_cast<Qt::Key>(key));
        return taken();
    }
    bool shows(const QColor& colour) {
        const QImage image = view.grab().toImage();
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y) == colour) return true;
        return false;
    }
    GraphView view;
    QSignalSpy spy;
};

inline QImage shown(GraphView& view) { return view.viewport()->grab().toImage().convertToFormat(QImage::Format_RGB32); }

}  // namespace aotscope::test
