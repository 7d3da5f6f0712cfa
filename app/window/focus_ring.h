#pragma once

#include <QMainWindow>
#include <QPointer>

namespace aotscope {

/// A line around the part of the window that has the focus, while the keyboard is used: tables, texts and the canvas do
/// not show it themselves. It takes no events, and disappears when the mouse is used.
class FocusRing : public QWidget {
    Q_OBJECT

public:
    explicit FocusRing(QMainWindow* window);

    /// the part it surrounds; null: hidden
    QWidget* target() const { return target_; }

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void watchKeys();
    void follow(QWidget* now);
    void place();
    /// The visible part of the target, in coordinates of the window.
    QRect targetRect() const;

    QMainWindow* window_;
    QPointer<QWidget> target_;
    bool byKeyboard_ = false;
};

}  // namespace aotscope
