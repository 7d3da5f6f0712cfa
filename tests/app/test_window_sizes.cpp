// The sizes of the main window and its pages: small screens hold all of it, and no text is cut off.

#include "app/window_driver.h"
#include "support/test_program.h"

#include <QAbstractButton>
#include <QScrollBar>

namespace aotscope::test::window_sizes_test {
namespace {

/// A window on a run with all content that its pages can show.
struct Full : Driver {
    bool fill() {
        if (!openSample("gpt2-tiny")) return false;
        for (const char* action : {"actionTime", "actionKeepRun", "actionSweep", "actionTimeBoth", "actionCheck"}) {
            trigger(action);
            if (!settle()) return false;
        }
        clickNode(node(GraphKind::joint, "addmm")->id());
        trigger("actionHistory");
        window.statusBar()->findChild<QLabel*>(u"summary"_s)->setText(QString(500, u'm'));
        return settle();
    }
    Pages* pages() const { return window.findChild<Pages*>(); }
    /// The widgets that need the most room.
    QString needs() const {
        QString text;
        for (const Page& page : pages()->all())
            text += u", %1 %2x%3"_s.arg(page.name)
                        .arg(page.widget->minimumSizeHint().width())
                        .arg(page.widget->minimumSizeHint().height());
        return text;
    }
};

QString described(const QWidget* widget) {
    QString path;
    for (; widget && !widget->isWindow(); widget = widget->parentWidget())
        path += u" < %1 '%2' %3x%4"_s.arg(QLatin1String(widget->metaObject()->className()), widget->objectName())
                    .arg(widget->width())
                    .arg(widget->height());
    return path;
}

/// Styles choose the size of parts of Qt's own widgets.
bool isOurs(const QWidget* widget) {
    const QWidget* parent = widget->parentWidget();
    return !qobject_cast<const QTabBar*>(parent) && !qobject_cast<const QLineEdit*>(parent) &&
           !qobject_cast<const QDockWidget*>(parent) && widget->objectName() != "qt_toolbar_ext_button"_L1;
}

bool isCut(const QWidget* widget) {
    if (const auto* label = qobject_cast<const QLabel*>(widget)) {
        if (qobject_cast<const ElidedLabel*>(label) || label->text().isEmpty()) return false;
        if (label->wordWrap()) return label->height() < label->heightForWidth(label->width());
    } else if (!qobject_cast<const QAbstractButton*>(widget)) {
        return false;
    }
    return widget->width() < widget->sizeHint().width();
}

/// What is cut off in `window` now.
QStringList cutIn(const QWidget& window) {
    QStringList cut;
    for (const QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isVisible() && !widget->visibleRegion().isEmpty() && isOurs(widget) && isCut(widget))
            cut << described(widget) + u" needs %1"_s.arg(widget->sizeHint().width());
    return cut;
}

}  // namespace

class TestWindowSizes : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    void everythingFitsASmallScreen() {
        constexpr QSize least(800, 560);
        Full d;
        QVERIFY(d.fill());
        for (const bool difference : {false, true}) {
            // In place of the second graph, beside the first.
            if (difference)
                for (const char* action : {"actionBeside", "actionDifference"}) d.trigger(action);
            QVERIFY(d.settle());
            for (const Page& page : d.pages()->all()) {
                d.pages()->show(page.widget);
                d.window.resize(least);
                QCoreApplication::processEvents();
                const QSize needed = d.window.minimumSizeHint();
                QVERIFY2(needed.width() <= least.width() && needed.height() <= least.height(),
                         qPrintable(page.name + u": the window needs %1x%2"_s.arg(needed.width()).arg(needed.height()) +
                                    d.needs()));
                QCOMPARE(d.window.size(), least);
                const QRect place(page.widget->mapTo(&d.window, QPoint()), page.widget->size());
                QVERIFY2(d.window.rect().contains(place), qPrintable(page.name));
                const QSize own = page.widget->minimumSizeHint();
                QVERIFY2(own.width() <= place.width() && own.height() <= place.height(),
                         qPrintable(page.name + u": has %1x%2, needs %3x%4"_s.arg(place.width())
                                                    .arg(place.height())
                                                    .arg(own.width())
                                                    .arg(own.height())));
            }
        }
    }

    void noTextIsCutOff() {
        Full d;
        QVERIFY(d.fill());
        d.disturbCalibration();  // its word is longer than a time
        QVERIFY(d.settle());
        for (const QSize& size : {d.window.size(), QSize(1024, 700)}) {
            d.window.resize(size);
            for (const Page& page : d.pages()->all()) {
                d.pages()->show(page.widget);
                QCoreApplication::processEvents();
                const QStringList cut = cutIn(d.window);
                QVERIFY2(cut.isEmpty(), qPrintable(page.name + u'\n' + cut.join(u'\n')));
            }
        }
    }

    /// Alone in the window.
    void theStartPageFits() {
        StartPage page;
        page.refresh({u"sample:mlp"_s, u"sample:sincos"_s, u"sample:bert"_s});
        page.show();
        for (const QSize& size : {QSize(800, 480), QSize(1024, 620), QSize(1680, 960)}) {
            page.resize(size);
            QCoreApplication::processEvents();
            QCOMPARE(page.size(), size);
            QVERIFY2(cutIn(page).isEmpty(), qPrintable(cutIn(page).join(u'\n')));
            const auto* cards = page.findChild<QListWidget*>(u"samples"_s);
            QVERIFY(cards->horizontalScrollBar()->maximum() == 0 && cards->gridSize().width() > 200);
        }
    }

    /// With a step to redo, whose name is long.
    void undoAndRedoAreReadable() {
        Full d;
        QVERIFY(d.openSample("mlp"));
        d.disturbCalibration();  // its word is longer than a time
        d.clickNode(d.node(GraphKind::joint, "relu")->id());
        d.trigger("actionRecompute");
        QVERIFY(d.settle());
        d.trigger("actionUndo");
        QVERIFY(d.settle());
        d.pages()->show(d.window.whatIf()->panel());
        QCoreApplication::processEvents();
        QStringList texts;
        for (const QToolButton* button : d.window.whatIf()->panel()->findChildren<QToolButton*>())
            if (button->isVisible()) texts << button->text();
        QVERIFY2(texts.contains(u"Undo"_s) && texts.contains(u"Redo"_s), qPrintable(texts.join(u' ')));
        QVERIFY2(cutIn(d.window).isEmpty(), qPrintable(cutIn(d.window).join(u'\n')));
    }
};

AOTSCOPE_TEST(TestWindowSizes)

}  // namespace aotscope::test::window_sizes_test

#include "test_window_sizes.moc"
