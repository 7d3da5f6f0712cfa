#pragma once

#include "models/tint.h"

#include <QStringList>
#include <QWidget>
#include <optional>
#include <vector>

namespace aotscope {

/// A slider with two handles over the graphs of a run. A tick can have a colour: the state of the selected node there.
class PassSlider : public QWidget {
    Q_OBJECT

public:
    explicit PassSlider(QWidget* parent = nullptr);

    void setStops(const QStringList& titles);
    int stops() const { return static_cast<int>(titles_.size()); }
    /// Without emitting rangeChanged.
    void setRange(int from, int to);
    int from() const { return from_; }
    int to() const { return to_; }
    /// One for every stop, or none.
    void setTicks(std::vector<std::optional<QColor>> colours, const QStringList& tips);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void rangeChanged(int from, int to);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    double positionOf(int stop) const;
    int stopAt(double x) const;
    void move(bool left, int stop);
    void describe();

    QStringList titles_, tips_;
    std::vector<std::optional<QColor>> ticks_;
    int from_ = 0, to_ = 0;
    bool leftIsHeld_ = false;
};

}  // namespace aotscope
