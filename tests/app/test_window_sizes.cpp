// The sizes of the main window and its pages: small screens hold all of it, and no text is cut off. The start page.

#include "app/window_driver.h"

#include <QAbstractButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTextBlock>

using namespace aotscope;
using namespace aotscope::test;

namespace {

QStringList messages;

/// Takes what Qt would print, but for what the offscreen platform says of itself.
class Listener {
public:
    Listener() {
        messages.clear();
        before_ = qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& text) {
            if (!text.startsWith(QLatin1String("This plugin does not support"))) messages << text;
        });
    }
    ~Listener() { qInstallMessageHandler(before_); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

private:
    QtMessageHandler before_;
};

/// A window on a run with everything that its pages can show.
struct Full : Driver {
    bool fill() {
        if (!openSample("gpt2-tiny")) return false;
        for (const char* action : {"actionTime", "actionKeepRun", "actionSweep", "actionTimeBoth", "actionCheck"}) {
            trigger(action);
            if (!settle()) return false;
        }
        clickNode(node(GraphKind::joint, "addmm")->id());
        trigger("actionHistory");
        window.statusBar()->findChild<QLabel*>(QStringLiteral("summary"))->setText(QString(500, u'm'));
        return settle();
    }
    Pages* pages() const { return window.findChild<Pages*>(); }
};

QString described(const QWidget* widget) {
    QString path;
    for (; widget && !widget->isWindow(); widget = widget->parentWidget())
        path += QStringLiteral(" < %1 '%2' %3x%4")
                    .arg(QLatin1String(widget->metaObject()->className()), widget->objectName())
                    .arg(widget->width())
                    .arg(widget->height());
    return path;
}

/// Of the parts of Qt's own widgets, their styles choose the size.
bool isOurs(const QWidget* widget) {
    const QWidget* parent = widget->parentWidget();
    return !qobject_cast<const QTabBar*>(parent) && !qobject_cast<const QLineEdit*>(parent) &&
           !qobject_cast<const QDockWidget*>(parent) && widget->objectName() != QLatin1String("qt_toolbar_ext_button");
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

/// What is cut off in `window` as it is.
QStringList cutIn(const QWidget& window) {
    QStringList cut;
    for (const QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isVisible() && !widget->visibleRegion().isEmpty() && isOurs(widget) && isCut(widget))
            cut << described(widget) + QStringLiteral(" needs %1").arg(widget->sizeHint().width());
    return cut;
}

struct Link {
    QString href;
    QPoint place;
};

/// The links of a page, where they are when it is at its top.
std::vector<Link> linksOf(QTextBrowser& page) {
    std::vector<Link> links;
    for (QTextBlock block = page.document()->begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            const QTextFragment text = part.fragment();
            if (!text.charFormat().isAnchor() || text.charFormat().anchorHref().isEmpty()) continue;
            QTextCursor cursor(page.document());
            cursor.setPosition(text.position() + 1);
            links.push_back({text.charFormat().anchorHref(), page.cursorRect(cursor).center()});
        }
    return links;
}

}  // namespace

class TestWindowSizes : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }
    void init() { isolation_.forget(); }

    void everythingFitsASmallScreen() {
        constexpr QSize least(800, 560);
        Full d;
        QVERIFY(d.fill());
        for (const bool difference : {false, true}) {
            // In place of the second graph, which stands beside the first.
            if (difference)
                for (const char* action : {"actionBeside", "actionDifference"}) d.trigger(action);
            QVERIFY(d.settle());
            for (const Page& page : d.pages()->all()) {
                d.pages()->show(page.widget);
                d.window.resize(least);
                QCoreApplication::processEvents();
                const QSize needed = d.window.minimumSizeHint();
                QVERIFY2(
                    needed.width() <= least.width() && needed.height() <= least.height(),
                    qPrintable(page.name +
                               QStringLiteral(": the window needs %1x%2").arg(needed.width()).arg(needed.height())));
                QCOMPARE(d.window.size(), least);
                const QRect place(page.widget->mapTo(&d.window, QPoint()), page.widget->size());
                QVERIFY2(d.window.rect().contains(place), qPrintable(page.name));
                const QSize own = page.widget->minimumSizeHint();
                QVERIFY2(own.width() <= place.width() && own.height() <= place.height(),
                         qPrintable(page.name + QStringLiteral(": has %1x%2, needs %3x%4")
                                                    .arg(place.width())
                                                    .arg(place.height())
                                                    .arg(own.width())
                                                    .arg(own.height())));
            }
        }
    }

    void noTextIsCutOff() {
        Full d;
        QVERIFY(d.fill());
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

    /// With a step to redo, whose name is long.
    void undoAndRedoAreReadable() {
        Full d;
        QVERIFY(d.openSample("mlp"));
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
        QVERIFY2(texts.contains(QStringLiteral("Undo")) && texts.contains(QStringLiteral("Redo")),
                 qPrintable(texts.join(u' ')));
        QVERIFY2(cutIn(d.window).isEmpty(), qPrintable(cutIn(d.window).join(u'\n')));
    }

    // --- the start page ---

    void linksOfTheStartPageAreFollowedSilently() {
        const QStringList recent{QStringLiteral("sample:mlp"),
                                 QStringLiteral("/models/50% of a #b? c'd \"e\" <f> ü.pt2")};
        StartPage page;
        page.refresh(recent);
        page.resize(1000, 3000);
        page.show();
        const Listener listener;
        const QSignalSpy models(&page, &StartPage::modelChosen), files(&page, &StartPage::openRequested);
        QStringList expected = recent;
        for (const auto& sample : sampleList()) expected << QStringLiteral("sample:") + q(sample.name);
        expected << QStringLiteral("sample:resnet18") << QStringLiteral("sample:aliasing");
        for (const Link& link : linksOf(page)) QTest::mouseClick(page.viewport(), Qt::LeftButton, {}, link.place);
        QCOMPARE(files.size(), 1);
        QStringList chosen;
        for (const auto& arguments : models) chosen << arguments.front().toString();
        QCOMPARE(chosen, expected);
        QVERIFY2(messages.isEmpty(), qPrintable(messages.join(u'\n')));
    }

    void aSampleOpensSilently() {
        const Listener listener;
        Driver d;
        auto* page = d.window.findChild<StartPage*>();
        for (const Link& link : linksOf(*page)) {
            if (link.href != QLatin1String("model:sample:mlp")) continue;
            page->verticalScrollBar()->setValue(link.place.y() - 100);
            QTest::mouseClick(page->viewport(), Qt::LeftButton, {},
                              link.place - QPoint(0, page->verticalScrollBar()->value()));
            break;
        }
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), QStringLiteral("mlp"));
        QVERIFY2(messages.isEmpty(), qPrintable(messages.join(u'\n')));
    }
};

QTEST_MAIN(TestWindowSizes)
#include "test_window_sizes.moc"
