#pragma once

#include "app/window_driver.h"

#include <QWindow>

namespace aotscope::test {

/// A user with a keyboard only, who sees the window.
struct KeyHands : Driver {
    KeyHands() { active = QTest::qWaitForWindowActive(&window, kPatience); }

    /// To the window with the focus, whatever in it has it.
    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(keyboardWindow(), static_cast<Qt::Key>(key), modifiers);
        QCoreApplication::processEvents();
    }
    void type(const QString& text) {
        for (const QChar letter : text) QTest::keyClick(keyboardWindow(), letter.toLatin1());
        QCoreApplication::processEvents();
    }
    static QWidget* focus() { return QApplication::focusWidget(); }
    static bool has(const QWidget* part) { return part && focus() && (part == focus() || part->isAncestorOf(focus())); }
    /// The visible part of a widget, in coordinates of the window.
    QRect seenOf(const QWidget* part) const {
        QRect seen = part->rect();
        for (; part != &window && part->parentWidget(); part = part->parentWidget())
            seen = seen.translated(part->pos()) & part->parentWidget()->rect();
        return seen;
    }
    static QString nameOf(const QWidget* widget) {
        if (!widget) return u"nothing"_s;
        const QString name = widget->accessibleName().isEmpty() ? widget->objectName() : widget->accessibleName();
        return QLatin1String(widget->metaObject()->className()) + u" '"_s + name + u'\'';
    }

    /// A walk through the window by Tab.
    struct Walk {
        std::set<const QWidget*> visited;
        QStringList unseen;  ///< had the focus, and nothing showed it
        bool round = false;  ///< it returned to the start
    };
    /// Presses Tab until the focus is back. The focused widget must look different from its unfocused state.
    Walk walk() {
        constexpr int most = 250;
        Walk walk;
        const QWidget *first = nullptr, *last = nullptr;
        QString name;
        QRect place;
        QImage focused;
        for (int stop = 0; stop < most && !walk.round; ++stop) {
            press(Qt::Key_Tab);
            const QWidget* now = focus();
            if (!now || now->window() != &window) break;
            if (last == now) continue;  // from link to link
            if (last && (place.isEmpty() || pictureOf(place) == focused)) walk.unseen << name;
            last = now;
            walk.round = now == first;
            if (!first) first = now;
            walk.visited.insert(now);
            name = nameOf(now);
            place = placeOf(*now);
            focused = pictureOf(place);
        }
        return walk;
    }
    /// Whether the walk was in `part`.
    static bool reached(const Walk& walk, const QWidget* part) {
        return std::ranges::any_of(
            walk.visited, [part](const QWidget* widget) { return widget == part || part->isAncestorOf(widget); });
    }
    /// By Tab, from wherever the focus is.
    bool tabTo(const QWidget* part) {
        constexpr int most = 250;
        for (int stop = 0; stop < most && !has(part); ++stop) press(Qt::Key_Tab);
        return has(part);
    }

    bool active;

private:
    /// A window system returns the focus to the window when a dialog closes; that of tests does not.
    QWindow* keyboardWindow() {
        if (const QWidget* popup = QApplication::activePopupWidget()) return popup->windowHandle();
        if (!QGuiApplication::focusWindow()) {
            window.activateWindow();
            if (!QTest::qWaitForWindowActive(&window, kPatience)) qFatal("the window does not get the keyboard back");
        }
        return QGuiApplication::focusWindow();
    }
    /// The visible area of a part and its surroundings; empty: not visible.
    QRect placeOf(const QWidget& part) const {
        constexpr int around = 3;
        const QRect seen = seenOf(&part);
        return seen.isEmpty() ? QRect() : seen.adjusted(-around, -around, around, around) & window.rect();
    }
    QImage pictureOf(const QRect& place) { return place.isEmpty() ? QImage() : window.grab(place).toImage(); }
};

}  // namespace aotscope::test
