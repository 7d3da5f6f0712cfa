#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QStringList>
#include <QVBoxLayout>

#include <vector>

namespace aotscope {

/// What a bubble says. Texts are Markdown.
struct GuideWords {
    QString title, text;
    QString place;        ///< "Look, 2 of 4"
    QStringList choices;  ///< answers to its question; empty: it asks none
    QString offer;        ///< what the user may have done; empty: nothing
    QString dismiss;      ///< the button that ends it; empty: none
    QString further;      ///< the button that leads on from its end; empty: none
    QString next;         ///< the button that goes on
    bool first = false;   ///< there is none before it
};

/// A note in the window that points at a part of it. It is not a window, and takes the focus only when clicked or asked
/// to: then Enter is Next, Esc dismisses it, and a digit chooses an answer.
class GuideBubble : public QFrame {
    Q_OBJECT

public:
    explicit GuideBubble(QWidget* window);

    /// A question has to be answered before Next.
    void say(const GuideWords& words);
    /// Marks the right choice, and the chosen one if it is another, and says why. The question is answered.
    void answer(int chosen, int right, const QString& because);
    /// Says more below the text, in place of the offer.
    void conclude(const QString& text);
    /// Stands beside `target`, or over a large one, and points at it, where it covers the least of `boxes`. All are in
    /// coordinates of the window.
    void pointAt(const QRect& target, const QList<QRect>& boxes);

Q_SIGNALS:
    void nextAsked();
    void backAsked();
    void dismissed();
    void chosen(int choice);
    void offerTaken();
    void furtherAsked();
    /// A page of the manual, "glossary.md#tangents".
    void linkFollowed(const QString& place);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Side : std::uint8_t { right, left, below, above, within };
    struct Place {
        Side side;
        QRect rect;
    };
    QRect placeAt(Side side, const QRect& target) const;
    std::vector<Place> placesFor(const QRect& target) const;
    QLabel* makeText();
    static void write(QLabel* label, const QString& markdown);
    void makeChoices(const QStringList& choices);
    void fit();
    void announce(const QString& text);

    QLabel *title_, *text_, *more_, *place_;
    QVBoxLayout* choiceLayout_;
    std::vector<QPushButton*> choices_;
    QPushButton *offer_, *back_, *further_, *next_, *dismiss_;
    QRect target_;
    QList<QRect> boxes_;
    Side side_ = Side::within;
    QPoint tip_;  ///< of the arrow, in the bubble's coordinates
};

}  // namespace aotscope
