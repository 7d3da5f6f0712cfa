#include "window/options/tool_icons.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>

namespace aotscope {

namespace {

// All of them are drawn in a square of 16.

void drawFolder(QPainter& p) {
    p.drawPolyline(QPolygonF{{1.5, 13}, {1.5, 3.5}, {6, 3.5}, {7.5, 5.5}, {14.5, 5.5}, {14.5, 13}, {1.5, 13}});
}

void drawLens(QPainter& p) {
    p.drawEllipse(QPointF(6.5, 6.5), 4.5, 4.5);
    p.drawLine(QPointF(10, 10), QPointF(14.5, 14.5));
}

void drawTriangle(QPainter& p) {
    QPainterPath path;
    path.addPolygon(QPolygonF{{4, 2.5}, {13, 8}, {4, 13.5}, {4, 2.5}});
    p.fillPath(path, p.pen().color());
    p.drawPath(path);
}

void drawTick(QPainter& p) { p.drawPolyline(QPolygonF{{2.5, 8.5}, {6.5, 12.5}, {13.5, 3.5}}); }

void drawClock(QPainter& p) {
    p.drawEllipse(QPointF(8, 8), 6.2, 6.2);
    p.drawPolyline(QPolygonF{{8, 4.2}, {8, 8}, {11, 9.6}});
}

void drawBug(QPainter& p) {
    p.drawEllipse(QPointF(8, 9), 3.4, 4.6);
    p.drawLine(QPointF(8, 5), QPointF(8, 13));
    for (const double y : {6.5, 9.0, 11.5}) {
        p.drawLine(QPointF(1.8, y), QPointF(4.8, y));
        p.drawLine(QPointF(11.2, y), QPointF(14.2, y));
    }
    p.drawArc(QRectF(5.8, 1.6, 4.4, 4.4), 0, 180 * 16);
}

void drawSliders(QPainter& p) {
    const QColor colour = p.pen().color();
    for (const auto& [y, knob] : {std::pair{3.5, 10.5}, std::pair{8.0, 5.0}, std::pair{12.5, 9.0}}) {
        p.drawLine(QPointF(1.5, y), QPointF(14.5, y));
        p.setBrush(colour);
        p.drawEllipse(QPointF(knob, y), 1.7, 1.7);
        p.setBrush(Qt::NoBrush);
    }
}

/// A disc of `colour` with `mark` in white.
void drawDisc(QPainter& p, const QColor& colour, const QPolygonF& mark) {
    p.setPen(Qt::NoPen);
    p.setBrush(colour);
    p.drawEllipse(QPointF(8, 8), 7, 7);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(Qt::white, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    p.drawPolyline(mark);
}

void drawVerdict(QPainter& p, ToolIcon icon) {
    if (icon == ToolIcon::equal) return drawDisc(p, QColor(0x2e, 0x7d, 0x4f), {{4.8, 8.3}, {7.2, 10.7}, {11.4, 5.6}});
    if (icon == ToolIcon::stale) return drawDisc(p, QColor(0x9a, 0x6a, 0x00), {{8, 4.2}, {8, 8}, {10.6, 9.6}});
    drawDisc(p, QColor(0xc0, 0x39, 0x2b), {{5.4, 5.4}, {10.6, 10.6}});
    p.drawLine(QPointF(10.6, 5.4), QPointF(5.4, 10.6));
}

void draw(QPainter& p, ToolIcon icon) {
    switch (icon) {
        case ToolIcon::open: return drawFolder(p);
        case ToolIcon::find: return drawLens(p);
        case ToolIcon::compile: return drawTriangle(p);
        case ToolIcon::check: return drawTick(p);
        case ToolIcon::time: return drawClock(p);
        case ToolIcon::debug: return drawBug(p);
        case ToolIcon::options: return drawSliders(p);
        case ToolIcon::unchecked: return p.drawEllipse(QPointF(8, 8), 6.2, 6.2);
        case ToolIcon::equal:
        case ToolIcon::differs:
        case ToolIcon::stale: return drawVerdict(p, icon);
    }
}

class ToolIconEngine final : public QIconEngine {
public:
    explicit ToolIconEngine(ToolIcon icon) : icon_(icon) {}

    void paint(QPainter* painter, const QRect& place, QIcon::Mode mode, QIcon::State) override {
        constexpr double side = 16, width = 1.5;
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const QColor colour = QGuiApplication::palette().color(group, QPalette::ButtonText);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(place.topLeft());
        painter->scale(place.width() / side, place.height() / side);
        painter->setPen(QPen(colour, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        draw(*painter, icon_);
        painter->restore();
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new ToolIconEngine(*this); }

private:
    ToolIcon icon_;
};

}  // namespace

QIcon toolIcon(ToolIcon icon) { return QIcon(new ToolIconEngine(icon)); }

}  // namespace aotscope
