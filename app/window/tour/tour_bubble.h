#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>

namespace aotscope {

/// A note in the window that points at a part of it. It is not a window, and takes the focus only when clicked or asked
/// to: then Enter is Next and Esc dismisses it.
class TourBubble : public QFrame {
    Q_OBJECT

public:
    explicit TourBubble(QWidget* window);

    /// `place`: "2 of 4"; `first`, `last`: there is none before, none after it.
    void say(const QString& title, const QString& text, const QString& place, bool first, bool last);
    /// Stands beside `target`, in coordinates of the window, and points at it.
    void pointAt(const QRect& target);

Q_SIGNALS:
    void nextAsked();
    void backAsked();
    void dismissed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Side : std::uint8_t { right, left, below, above, within };
    QRect placeAt(Side side, const QRect& target) const;

    QLabel *title_, *text_, *place_;
    QPushButton *back_, *next_, *dismiss_;
    Side side_ = Side::within;
    QPoint tip_;  ///< of the arrow, in the bubble's coordinates
};

}  // namespace aotscope
