#pragma once

#include <QChart>
#include <QColor>
#include <QGraphicsSimpleTextItem>
#include <QObject>
#include <vector>

namespace aotscope {

/// Short texts at points of a chart. They move with the plot; one that would cover another is hidden.
class ChartLabels : public QObject {
    Q_OBJECT

public:
    ChartLabels(QChart& chart, const QColor& colour);

    /// Earlier texts win where two would overlap.
    void add(QPointF point, const QString& text);
    /// Call when all points and axes are there.
    void place();

private:
    struct Label {
        QPointF point;
        QGraphicsSimpleTextItem* item;
    };

    QChart& chart_;
    QColor colour_;
    std::vector<Label> labels_;
};

}  // namespace aotscope
