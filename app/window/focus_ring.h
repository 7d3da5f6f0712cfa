#pragma once

#include <QMainWindow>
#include <QPointer>

namespace aotscope {

/// A line around the part of the window that has the keyboard, while the keyboard is used: tables, texts and the canvas
/// do not show it themselves. It takes no events, and goes when the mouse is used.
class FocusRing : public QWidget {
    Q_OBJECT

public:
    explicit FocusRing(QMainWindow* window);

    /// What it is around; null: it is not seen.
    QWidget* target() const { return target_; }

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void watchKeys();
    void follow(QWidget* now);
    void place();
    /// In coordinates of the window: as much of the target as can be seen.
    QRect targetRect() const;

    QMainWindow* window_;
    QPointer<QWidget> target_;
    bool byKeyboard_ = false;
};

}  // namespace aotscope
