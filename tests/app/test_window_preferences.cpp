// The dialog of preferences: each takes effect at once, is found by name, and is described in the manual.

#include "app/window_driver.h"
#include "canvas/view/text_zoom.h"
#include "support/test_program.h"
#include "window/help/command_palette.h"
#include "window/window_theme.h"

#include <QCheckBox>
#include <QFontDatabase>
#include <QScrollArea>
#include <QSpinBox>

namespace aotscope::test::window_preferences_test {
namespace {

struct Chooser : Driver {
    PreferencesDialog* dialog() const { return find<PreferencesDialog>("preferencesDialog"); }
    std::vector<Preference> all() const { return window.findChild<Preferences*>()->all(); }
    /// The first command that the palette has for `words`.
    QString firstFor(const char* words) {
        trigger("actionPalette");
        auto* palette = find<CommandPalette>("commandPalette");
        palette->findChild<QLineEdit*>()->setText(QString::fromUtf8(words));
        QString first = palette->findChild<QListWidget*>()->item(0)->text().section(u"    "_s, 0, 0);
        palette->reject();
        return first;
    }
};

}  // namespace

class TestWindowPreferences : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }
    void cleanup() { applyTextSize(100); }

    void eachHasANameAndAnEditor() {
        const Chooser d;
        d.trigger("actionPreferences");
        std::set<QString> names;
        for (const Preference& each : d.all()) {
            QVERIFY2(names.insert(each.name).second, qPrintable(each.name));
            QVERIFY2(!each.title.isEmpty() && each.help.endsWith(u'.'), qPrintable(each.name));
            const auto* editor = d.dialog()->findChild<QWidget*>(each.name);
            QVERIFY2(editor && editor->focusPolicy() != Qt::NoFocus, qPrintable(each.name));
            const auto* button = qobject_cast<const QAbstractButton*>(editor);
            QVERIFY2(!(button ? button->text() : editor->accessibleName()).isEmpty(), qPrintable(each.name));
        }
    }

    void theManualDescribesEach() {
        QFile page(QStringLiteral(AOTSCOPE_MANUAL "/dialogs.md"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QString section =
            QString::fromUtf8(page.readAll()).section(u"## Preferences"_s, 1).section(u"\n## "_s, 0, 0);
        const Chooser d;
        for (const Preference& each : d.all()) {
            const QString title = each.title.startsWith(u"Options of"_s) ? u"Options"_s : each.title;
            QVERIFY2(section.contains(title.section(u'…', 0, 0).section(u' ', -1)), qPrintable(each.title));
        }
        QVERIFY(section.contains(u"font size"_s));
    }

    void thePaletteFindsThem() {
        Chooser d;
        QCOMPARE(d.firstFor("font size"), u"Text Size"_s);
        QCOMPARE(d.firstFor("dark"), u"Colours of the Window"_s);
        QCOMPARE(d.firstFor("daltonism"), u"Palette for Colour-Blind People"_s);
        d.window.findChild<Preferences*>()->openAt(u"reload"_s);
        const auto* box = d.find<QCheckBox>("reload");
        QVERIFY(box && box->isVisible());
    }

    void escapeCloses() {
        const Chooser d;
        d.trigger("actionPreferences");
        QVERIFY(d.dialog()->isVisible());
        QTest::keyClick(d.dialog(), Qt::Key_Escape);
        QTRY_VERIFY(!d.dialog());
    }

    void enterTakesANumberOver() {
        const Chooser d;
        d.trigger("actionPreferences");
        auto* box = d.find<QSpinBox>("textSize");
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, u"130"_s);
        QTest::keyClick(box, Qt::Key_Return);
        QCOMPARE(Settings().textSize(), 130);
        QVERIFY(d.dialog()->isVisible());
    }

    /// Everywhere, at once, and in the next window.
    void theTextSizeChangesAndStays() {
        const double usual = QFontDatabase::systemFont(QFontDatabase::GeneralFont).pointSizeF();
        {
            Chooser d;
            QVERIFY(d.openSample("mlp"));
            d.trigger("actionPreferences");
            d.find<QSpinBox>("textSize")->setValue(150);
            QCoreApplication::processEvents();
            for (const QWidget* widget : {static_cast<QWidget*>(d.canvas()), d.find<QWidget>("inspector"),
                                          d.find<QWidget>("valuesTable"), static_cast<QWidget*>(d.dialog())})
                QVERIFY2(qAbs(widget->font().pointSizeF() / usual - 1.5) < 0.1, qPrintable(widget->objectName()));
            d.trigger("actionLargerText");
            QCOMPARE(d.find<QSpinBox>("textSize")->value(), 160);
        }
        applyTextSize(100);
        QCOMPARE(Settings().textSize(), 160);
        Chooser d;
        QVERIFY(d.openSample("mlp"));
        QTRY_VERIFY_WITH_TIMEOUT(qAbs(d.canvas()->font().pointSizeF() / usual - 1.6) < 0.1, kPatience);
        d.trigger("actionUsualText");
        QTRY_VERIFY_WITH_TIMEOUT(qAbs(d.canvas()->font().pointSizeF() / usual - 1) < 0.1, kPatience);
        QCOMPARE(Settings().textSize(), 100);
    }

    /// Both ways.
    void commandsAndPreferencesAgree() {
        const Chooser d;
        d.trigger("actionPreferences");
        for (const auto& [box, action] :
             {std::pair{"minimap", "actionMinimap"}, std::pair{"automaticModules", "actionAutomaticModules"},
              std::pair{"linkCameras", "actionLinkCameras"}}) {
            auto* edited = d.find<QCheckBox>(box);
            const auto* command = d.find<QAction>(action);
            QCOMPARE(edited->isChecked(), command->isChecked());
            edited->click();
            QCOMPARE(edited->isChecked(), command->isChecked());
            d.trigger(action);
            QCOMPARE(edited->isChecked(), command->isChecked());
        }
    }

    void theDialogFitsTheScreen() {
        const Chooser d;
        Settings().setTextSize(Settings::kLargestText);
        applyTextSize(Settings::kLargestText);
        d.trigger("actionPreferences");
        const QSize screen = d.dialog()->screen()->availableSize();
        QVERIFY(d.dialog()->width() <= screen.width() && d.dialog()->height() <= screen.height());
    }
};

AOTSCOPE_TEST(TestWindowPreferences)

}  // namespace aotscope::test::window_preferences_test

#include "test_window_preferences.moc"
