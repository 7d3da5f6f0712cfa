// F1 in every part of the window, and tooltips on technical terms.

#include "app/window_driver.h"
#include "models/manual.h"
#include "support/test_program.h"
#include "window/help/manual_window.h"
#include "window/options/option_chips.h"

#include <QAbstractButton>
#include <QDockWidget>
#include <QGroupBox>
#include <QHeaderView>
#include <QMenuBar>
#include <QStatusBar>

namespace aotscope::test::window_help_test {
namespace {

struct Desk : Driver {
    Desk() { ready = QTest::qWaitForWindowActive(&window, kPatience); }
    /// The page opened by F1 with the focus in `part`, or in a part of it.
    QString placeFor(QWidget* part) {
        QWidget* focus = part->focusPolicy() != Qt::NoFocus ? part : nullptr;
        for (QWidget* within : part->findChildren<QWidget*>())
            if (!focus && within->isVisible() && within->isEnabled() && within->focusPolicy() != Qt::NoFocus)
                focus = within;
        if (!focus) return u"no focus"_s;
        QApplication::setActiveWindow(&window);  // the manual took the focus when it was opened before
        focus->setFocus(Qt::TabFocusReason);
        trigger("actionManual");
        auto* manual = find<ManualWindow>("manualWindow");
        if (!manual || !manual->isVisible()) return u"no manual"_s;
        return manual->place();
    }

    bool ready;
};

SearchPanel* panelOf(const Desk& d) { return d.window.navigation()->search()->panel(); }

bool manualHas(const QString& place) {
    const ManualPage* page = Manual::instance().find(place.section(u'#', 0, 0));
    const QString anchor = place.section(u'#', 1);
    return page && (anchor.isEmpty() || std::ranges::any_of(page->sections, [&](const ManualPage::Section& section) {
                        return section.anchor == anchor;
                    }));
}

/// The words in the glossary, in lower case.
const QStringList& technicalWords() {
    static const QStringList words = [] {
        QStringList list;
        for (const ManualPage::Section& section : Manual::instance().find(u"glossary.md"_s)->sections)
            for (const QString& word : section.title.toLower().split(u", "_s)) list << word;
        return list;
    }();
    return words;
}

/// Whether `text` contains one of them, alone or in the plural.
bool isTechnical(const QString& text) {
    return std::ranges::any_of(technicalWords(), [&](const QString& word) {
        return QRegularExpression(u"\\b%1(s|es)?\\b"_s.arg(QRegularExpression::escape(word)),
                                  QRegularExpression::CaseInsensitiveOption)
            .match(text)
            .hasMatch();
    });
}

/// Adds something to the visible text.
bool explains(const QString& tip, const QString& text) {
    return tip.size() > text.size() + 4 && tip.compare(text, Qt::CaseInsensitive) != 0;
}

QString textOf(const QWidget* widget) {
    if (const auto* label = qobject_cast<const QLabel*>(widget)) return label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) return button->text();
    if (const auto* box = qobject_cast<const QGroupBox*>(widget)) return box->title();
    return {};
}

/// Whether the widget, what it labels, or a part around it explains `text`.
bool hasTip(const QWidget* widget, const QString& text) {
    if (explains(widget->toolTip(), text)) return true;
    const auto* label = qobject_cast<const QLabel*>(widget);
    if (label && label->buddy() && explains(label->buddy()->toolTip(), text)) return true;
    return widget->parentWidget() && explains(widget->parentWidget()->toolTip(), text);
}

}  // namespace

class TestWindowHelp : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    void f1OpensTheSectionOfThePage() {
        Desk d;
        QVERIFY(d.ready && d.openSample("mlp"));
        d.clickNode(d.node(GraphKind::joint, "relu")->id());
        panelOf(d)->edit()->setText(u"op=mm"_s);
        QVERIFY(d.settle());
        std::set<QString> places;
        for (const Page& page : d.window.pages().all()) {
            if (page.widget == d.window.pages().tabs() || page.widget == d.window.pages().contract()) continue;
            d.window.pages().opening(page.widget)->trigger();
            QVERIFY(d.settle());
            QCoreApplication::processEvents();
            // The tab of a page counts as the page.
            QTabWidget* row = page.place == Page::Place::tab        ? d.window.pages().tabs()
                              : page.place == Page::Place::contract ? d.window.pages().contract()
                                                                    : nullptr;
            if (row) QCOMPARE(d.placeFor(row->tabBar()), page.help);
            QString place = d.placeFor(page.widget);
            if (place == "no focus"_L1) place = d.window.pages().around(page.widget)->help;
            QVERIFY2(place == page.help, qPrintable(page.name + u" opens "_s + place));
            QVERIFY2(place.contains(u'#') && manualHas(place), qPrintable(place));
            QVERIFY2(places.insert(place).second, qPrintable(place + u" is not its own"_s));
        }
    }

    void f1OpensTheSectionOfEveryOtherPart() {
        Desk d;
        QVERIFY(d.ready);
        const auto opens = [&](QWidget* part, const char* place) {
            const QString reached = d.placeFor(part);
            QVERIFY2(reached == QLatin1String(place) && manualHas(reached),
                     qPrintable(QLatin1String(place) + u", not "_s + reached));
        };
        opens(d.find<QWidget>("samples"), "dialogs.md#start-page");
        QVERIFY(d.openSample("mlp"));
        opens(d.canvas(), "panels-graph.md#canvas");
        opens(d.pane()->strip(), "panels-graph.md#strip");
        opens(d.find<QTabBar>("graphTabs"), "panels-graph.md#graph-tabs");
        opens(d.find<QWidget>("moduleTree"), "panels-passes.md#modules");
        opens(d.find<QWidget>("passList"), "panels-passes.md#passes");
        opens(d.find<QWidget>("verdict"), "dialogs.md#toolbar");
        opens(panelOf(d)->edit(), "panels-passes.md#search");
        opens(d.find<QTabBar>("perspectives"), "window.md#perspectives");
        d.trigger("actionProblems");
        opens(d.problems(), "panels-passes.md#problems");
        d.trigger("actionOptions");
        opens(d.find<QWidget>("options"), "dialogs.md#options");
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle());
        opens(d.window.findChild<OptionChip*>(), "dialogs.md#changed-options");
        d.trigger("actionBeside");
        QVERIFY(d.settle());
        opens(d.window.secondaryGraph()->pane()->view(), "panels-graph.md#second-graph");
        d.trigger("actionBeside");
        d.trigger("actionDifference");
        QVERIFY(d.settle());
        opens(d.window.navigation()->difference()->view()->slider(), "panels-graph.md#difference-of-two-passes");
        d.trigger("actionTour");
        opens(d.find<GuideBubble>("guideBubble"), "dialogs.md#tour-and-lessons");
    }

    // --- tooltips ---

    void headingsOfTablesAreExplained() {
        Desk d;
        QVERIFY(d.ready && d.openSample("mlp"));
        d.clickNode(d.node(GraphKind::joint, "relu")->id());
        QVERIFY(d.settle());
        QStringList unexplained;
        int headings = 0;
        for (const QAbstractItemView* view : d.window.findChildren<QAbstractItemView*>()) {
            const auto* table = qobject_cast<const QTableView*>(view);
            const auto* tree = qobject_cast<const QTreeView*>(view);
            const QHeaderView* header = table ? table->horizontalHeader() : tree ? tree->header() : nullptr;
            if (!header || header->isHidden() || !view->model()) continue;
            for (int column = 0; column < view->model()->columnCount(); ++column) {
                const QString title = view->model()->headerData(column, Qt::Horizontal).toString(),
                              tip = view->model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
                if (!isTechnical(title)) continue;
                ++headings;
                if (!explains(tip, title))
                    unexplained << view->objectName() + u' ' + view->accessibleName() + u": "_s + title;
            }
        }
        unexplained.removeDuplicates();
        QVERIFY2(unexplained.isEmpty(), qPrintable(unexplained.join(u'\n')));
        QVERIFY(headings > 5);
    }

    /// Unless they begin with a name.
    void tooltipsBeginWithACapital() {
        Desk d;
        QVERIFY(d.ready && d.openSample("mlp"));
        d.disturbCalibration();  // for the notes of What If
        QVERIFY(d.settle());
        QStringList small;
        const auto take = [&small](const QString& tip) {
            const QString word = tip.section(u' ', 0, 0);
            const bool isName =
                std::ranges::any_of(word, [](QChar c) { return !c.isLetter() && c != u',' && c != u'-'; });
            if (tip.contains(u' ') && tip.front().isLower() && !isName) small << tip;
        };
        for (const QAction* action : d.window.findChildren<QAction*>()) {
            if (!action->text().isEmpty()) take(action->statusTip());
            if (action->toolTip() != action->text()) take(action->toolTip());
        }
        for (const QWidget* widget : d.window.findChildren<QWidget*>()) take(widget->toolTip());
        for (const QAbstractItemView* view : d.window.findChildren<QAbstractItemView*>())
            for (int c = 0; view->model() && c < view->model()->columnCount(); ++c)
                take(view->model()->headerData(c, Qt::Horizontal, Qt::ToolTipRole).toString());
        small.removeDuplicates();
        QVERIFY2(small.isEmpty(), qPrintable(small.join(u'\n')));
    }

    void graphsAndFiguresAreExplained() {
        Desk d;
        QVERIFY(d.ready && d.openSample("mlp"));
        const auto* tabs = d.find<QTabBar>("graphTabs");
        for (int tab = 0; tab < tabs->count(); ++tab)
            QVERIFY2(explains(tabs->tabToolTip(tab), tabs->tabText(tab)), qPrintable(tabs->tabText(tab)));
        QVERIFY(d.find<QLabel>("summary")->toolTip().contains(u"Already kept:"_s));
    }

    /// Short texts: sentences explain themselves.
    void labelsAreExplained() {
        Desk d;
        QVERIFY(d.ready && d.openSample("mlp"));
        d.clickNode(d.node(GraphKind::joint, "relu")->id());
        QVERIFY(d.settle());
        constexpr int longest = 4;  // words
        QStringList unexplained;
        int labels = 0;
        for (const QWidget* widget : d.window.findChildren<QWidget*>()) {
            const QString text = textOf(widget).remove(u'&').remove(u'…');
            if (text.isEmpty() || text.contains(u'<') || text.count(u' ') >= longest || !isTechnical(text)) continue;
            if (widget->parentWidget() && qobject_cast<const QTabBar*>(widget->parentWidget())) continue;
            ++labels;
            if (!hasTip(widget, text))
                unexplained << u"%1 '%2' in %3"_s.arg(
                    QLatin1String(widget->metaObject()->className()), text,
                    widget->parentWidget() ? widget->parentWidget()->objectName() : QString());
        }
        QVERIFY(labels > 20);
        unexplained.removeDuplicates();
        QVERIFY2(unexplained.isEmpty(), qPrintable(unexplained.join(u'\n')));
    }
};

AOTSCOPE_TEST(TestWindowHelp)

}  // namespace aotscope::test::window_help_test

#include "test_window_help.moc"
