// The window for people who cannot see the screen well: names and roles, contrast, large fonts.

#include "app/window_driver.h"
#include "support/test_program.h"
#include "window/help/command_palette.h"
#include "window/window_theme.h"

#include <QAccessible>
#include <QCheckBox>
#include <QMenuBar>
#include <QPalette>
#include <QScrollBar>

#include <cmath>

namespace aotscope::test::window_accessibility_test {
namespace {

constexpr double kReadable = 4.5;  // WCAG 2.1, AA

double luminance(const QColor& colour) {
    const auto linear = [](double part) {
        return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double one = luminance(a), other = luminance(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

QString described(const QWidget* widget) {
    QString path;
    for (; widget && !widget->isWindow(); widget = widget->parentWidget())
        path += u" < %1 '%2'"_s.arg(QLatin1String(widget->metaObject()->className()), widget->objectName());
    return path;
}

/// The widget as a whole describes Qt's own parts of composed widgets.
bool isOurs(const QWidget* widget) {
    const QString name = widget->objectName();
    const auto* scrolled = qobject_cast<const QAbstractScrollArea*>(widget->parentWidget());
    if (scrolled && scrolled->viewport() == widget) return false;
    return !name.startsWith("qt_"_L1) && !qobject_cast<const QScrollBar*>(widget) &&
           !qobject_cast<const QTabBar*>(widget->parentWidget()) &&
           !qobject_cast<const QAbstractSpinBox*>(widget->parentWidget()) &&
           !qobject_cast<const QComboBox*>(widget->parentWidget());
}

struct Desk : Driver {
    Desk() { active = QTest::qWaitForWindowActive(&window, kPatience); }
    /// Controls that the keyboard reaches and that lack information for screen readers.
    QStringList nameless() const {
        QStringList found;
        for (QWidget* widget : window.findChildren<QWidget*>()) {
            if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus) || !isOurs(widget)) continue;
            if (const auto* tabs = qobject_cast<QTabBar*>(widget); tabs && tabs->count() == 0) continue;
            QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
            if (!interface || interface->text(QAccessible::Name).isEmpty()) found << described(widget);
        }
        return found;
    }

    bool active;
};

}  // namespace

class TestWindowAccessibility : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    void everyControlHasAName() {
        Desk d;
        QVERIFY(d.active);
        QVERIFY2(d.nameless().isEmpty(), qPrintable(d.nameless().join(u'\n')));
        QVERIFY(d.openSample("mlp"));
        d.clickNode(d.node(GraphKind::joint, "relu")->id());
        d.trigger("actionFind");
        QVERIFY(d.settle());
        QStringList nameless;
        for (const Page& page : d.window.pages().all()) {
            d.window.pages().opening(page.widget)->trigger();
            QCoreApplication::processEvents();
            nameless << d.nameless();
        }
        nameless.removeDuplicates();
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(u'\n')));
    }

    void theGraphTellsWhatIsSelected() {
        Desk d;
        QVERIFY(d.active && d.openSample("mlp"));
        d.clickNode(d.node(GraphKind::joint, "relu")->id());
        QAccessibleInterface* canvas = QAccessible::queryAccessibleInterface(d.canvas());
        QVERIFY(canvas);
        const QString told = canvas->text(QAccessible::Name) + canvas->text(QAccessible::Description);
        QVERIFY2(told.contains(u"relu"_s), qPrintable(told));
    }

    void textStandsOut_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void textStandsOut() {
        QFETCH(bool, dark);
        const Theme theme = applyAppearance(dark ? Settings::Appearance::dark : Settings::Appearance::light, false);
        const QPalette palette = QApplication::palette();
        for (const auto& [text, ground] :
             {std::pair{QPalette::WindowText, QPalette::Window}, std::pair{QPalette::Text, QPalette::Base},
              std::pair{QPalette::Text, QPalette::AlternateBase}, std::pair{QPalette::ButtonText, QPalette::Button},
              std::pair{QPalette::HighlightedText, QPalette::Highlight}, std::pair{QPalette::Link, QPalette::Base},
              std::pair{QPalette::PlaceholderText, QPalette::Base},
              std::pair{QPalette::PlaceholderText, QPalette::Window},
              std::pair{QPalette::ToolTipText, QPalette::ToolTipBase}}) {
            const double reached = contrast(palette.color(text), palette.color(ground));
            QVERIFY2(reached >= kReadable, qPrintable(u"role %1 on %2: %3"_s.arg(text).arg(ground).arg(reached)));
        }
        for (const QColor& text : {theme.text, theme.faintText}) {
            const double reached = contrast(text, theme.background);
            QVERIFY2(reached >= kReadable, qPrintable(text.name() + u" on the canvas: %1"_s.arg(reached)));
        }
    }

    void boxesAreReadable_data() { textStandsOut_data(); }
    void boxesAreReadable() {
        QFETCH(bool, dark);
        Desk d;
        QVERIFY(d.active && d.openSample("bert"));
        for (const bool colourBlind : {false, true}) requireReadable(d, Theme::of({dark, colourBlind}));
    }

    void thePaletteForColourBlindPeopleIsRemembered() {
        QColor usual;
        {
            Desk d;
            QVERIFY(d.active && d.openSample("mlp"));
            usual = d.canvas()->paintOptions().theme.rung;
            d.trigger("actionPreferences");
            QVERIFY(!d.find<QCheckBox>("colourBlind")->isChecked());
            d.find<QCheckBox>("colourBlind")->click();
            QVERIFY(d.canvas()->paintOptions().theme.rung != usual);
            QVERIFY(d.window.secondaryGraph()->pane()->view()->paintOptions().theme.scheme.colourBlind);
            QVERIFY(d.window.navigation()->difference()->view()->canvas()->paintOptions().theme.scheme.colourBlind);
        }
        Desk d;
        QVERIFY(d.canvas()->paintOptions().theme.scheme.colourBlind);
        d.trigger("actionPreferences");
        QVERIFY(d.find<QCheckBox>("colourBlind")->isChecked());
        d.find<QCheckBox>("colourBlind")->click();
        QCOMPARE(d.canvas()->paintOptions().theme.rung, usual);
    }

private:
    static void requireReadable(const Desk& d, const Theme& theme) {
        for (const ColourBy by : {ColourBy::stage, ColourBy::family, ColourBy::mutation, ColourBy::placement})
            for (const DrawnNode& node : d.canvas()->graph()->nodes) {
                const NodeColours colours = theme.colours(node, by);
                for (const QColor& text : {colours.text, colours.lines})
                    QVERIFY2(contrast(text, colours.fill) >= kReadable,
                             qPrintable(name(by) + u' ' + text.name() + u' ' + colours.fill.name() +
                                        u": %1"_s.arg(contrast(text, colours.fill))));
            }
    }
};

AOTSCOPE_TEST(TestWindowAccessibility)

}  // namespace aotscope::test::window_accessibility_test

#include "test_window_accessibility.moc"
