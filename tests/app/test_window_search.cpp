// Search in the window, the command palette, the list of keys and the manual.

#include "app/window_driver.h"
#include "models/manual.h"
#include "window/cheat_sheet.h"
#include "window/command_palette.h"
#include "window/manual_window.h"

#include <QListWidget>

using namespace aotscope;
using namespace aotscope::test;

namespace {

SearchPanel* panelOf(const Driver& d) { return d.window.exploration()->search()->panel(); }

void lookFor(Driver& d, const char* query) {
    panelOf(d)->edit()->setText(QString::fromUtf8(query));
    QVERIFY(d.settle());
}

QString countOf(const Driver& d) { return d.find<QLabel>("searchCount")->text(); }

}  // namespace

class TestWindowSearch : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }
    void init() { isolation_.forget(); }

    void findsInAllGraphs() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(!d.find<QDockWidget>("searchDock")->isVisible());
        d.trigger("actionFind");
        QVERIFY(d.find<QDockWidget>("searchDock")->isVisible());
        lookFor(d, "op=relu");
        const SearchResult& result = panelOf(d)->model().result();
        QVERIFY(result.groups.size() >= 4);
        for (const SearchGroup& group : result.groups)
            for (const NodeId id : group.nodes) QVERIFY(group.where.graph->findById(id)->op().starts_with("aten.relu"));
        QVERIFY(countOf(d).contains(QStringLiteral("in %1 graphs").arg(result.groups.size())));
        lookFor(d, "nothing-like-this");
        QVERIFY(countOf(d).startsWith(QStringLiteral("No hits in")));
    }

    void marksAllHitsOfTheShownGraph() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        const QImage before = d.canvas()->grab().toImage();
        lookFor(d, "op=mm");
        QVERIFY(d.canvas()->grab().toImage() != before);
        const auto* legend = d.canvas()->findChild<Legend*>(QStringLiteral("legend"));
        const QString meaning = d.canvas()->paintOptions().theme.hitEntry().text;
        QVERIFY(legend && legend->accessibleName().contains(meaning));
        d.trigger("actionFind");
        QTest::keyClick(panelOf(d)->edit(), Qt::Key_Escape);
        QVERIFY(!d.find<QDockWidget>("searchDock")->isVisible());
        QVERIFY(d.settle());
        QVERIFY(panelOf(d)->edit()->text().isEmpty());
        QVERIFY(!legend->accessibleName().contains(meaning));
    }

    void goesThroughTheHits() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        lookFor(d, "saved graph:joint -parameter -input");
        const auto& groups = panelOf(d)->model().result().groups;
        QVERIFY(!groups.empty());
        std::vector<std::pair<const Graph*, NodeId>> expected;
        for (const SearchGroup& group : groups)
            for (const NodeId id : group.nodes) expected.emplace_back(group.where.graph.get(), id);
        // The window shows the final joint graph: its hits come first, then those of the others.
        const auto first = std::find_if(expected.begin(), expected.end(),
                                        [&](const auto& hit) { return hit.first == d.pane()->graph().get(); });
        QVERIFY(first != expected.end());
        std::rotate(expected.begin(), first, expected.end());
        for (const auto& [graph, node] : expected) {
            d.trigger("actionFindNext");
            QVERIFY(d.settle());
            QCOMPARE(d.pane()->graph().get(), graph);
            QCOMPARE(d.canvas()->selectedNode(), node);
        }
        d.trigger("actionFindNext");  // and round again
        QVERIFY(d.settle());
        QCOMPARE(d.canvas()->selectedNode(), expected.front().second);
        d.trigger("actionFindPrevious");
        QVERIFY(d.settle());
        QCOMPARE(d.canvas()->selectedNode(), expected.back().second);
        QVERIFY(countOf(d).contains(QStringLiteral(" of ")));
    }

    void enterBeforeTheResultIsThereGoesToTheFirstHit() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        panelOf(d)->edit()->setText(QStringLiteral("name:relu graph:joint"));
        QTest::keyClick(panelOf(d)->edit(), Qt::Key_Return);
        QVERIFY(d.settle());
        QVERIFY(d.inspector().contains(QStringLiteral("%relu")));
    }

    void aRowOfTheListIsGoneTo() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        lookFor(d, "op=relu");
        const auto& model = panelOf(d)->model();
        const QModelIndex other = model.hit(0);
        panelOf(d)->view()->setCurrentIndex(other);
        QVERIFY(d.settle());
        QCOMPARE(d.pane()->graph(), model.result().groups.front().where.graph);
        QCOMPARE(d.canvas()->selectedNode(), model.result().groups.front().nodes.front());
    }

    void aWrongQueryIsSaidInPlace() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        lookFor(d, "op=relu");
        lookFor(d, "shap:8");
        QVERIFY(countOf(d).contains(QStringLiteral("query, character 1: expected a keyword (shape)")));
        QVERIFY(panelOf(d)->model().result().groups.empty());
        QCOMPARE(d.problems()->count(), 0);
        d.trigger("actionFindNext");
        QVERIFY(d.settle());
    }

    void anotherModelIsSearchedForTheSame() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        lookFor(d, "op=sin");
        QCOMPARE(panelOf(d)->model().result().hits, std::size_t{0});
        QVERIFY(d.openSample("sincos"));
        QVERIFY(panelOf(d)->model().result().hits > 0);
    }

    void wordsAreCompleted() {
        QueryEdit edit;
        edit.show();
        QTest::keyClicks(&edit, QStringLiteral("op:mm (reco"));
        QCOMPARE(edit.wordAtCursor(), (std::pair{7, QStringLiteral("reco")}));
        auto* completer = edit.findChild<QCompleter*>();
        Q_UNUSED(completer);
        edit.setText(QStringLiteral("-sta"));
        QCOMPARE(edit.wordAtCursor(), (std::pair{1, QStringLiteral("sta")}));
    }

    void thePaletteRunsWhatIsTyped() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionPalette");
        auto* palette = d.window.findChild<CommandPalette*>();
        QVERIFY(palette && palette->isVisible());
        QVERIFY(palette->list()->count() > 30);
        QTest::keyClicks(palette->edit(), QStringLiteral("func gra"));
        QVERIFY(palette->list()->item(0)->text().startsWith(QStringLiteral("Functional graph")));
        QTest::keyClick(palette->edit(), Qt::Key_Return);
        QVERIFY(d.settle());
        QCOMPARE(d.pane()->kind(), GraphKind::functional);
    }

    void thePaletteLooksForNodes() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionPalette");
        auto* palette = d.window.findChild<CommandPalette*>();
        palette->edit()->setText(QStringLiteral("relu"));
        palette->list()->setCurrentRow(palette->list()->count() - 1);
        QTest::keyClick(palette->edit(), Qt::Key_Return);
        QVERIFY(d.settle());
        QVERIFY(panelOf(d)->model().result().hits > 0);
    }

    void lettersFindActions_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("better");
        QTest::addColumn<QString>("worse");
        QTest::newRow("initials") << "fa"
                                  << "Fit All"
                                  << "Find nodes past";
        QTest::newRow("whole word") << "joint"
                                    << "Joint graph"
                                    << "Just open in the";
        QTest::newRow("shorter") << "save"
                                 << "Save Report"
                                 << "Save report as something else entirely";
    }
    void lettersFindActions() {
        QFETCH(QString, pattern);
        QFETCH(QString, better);
        QFETCH(QString, worse);
        QVERIFY(fuzzyScore(pattern, better) > fuzzyScore(pattern, worse));
        QCOMPARE(fuzzyScore(QStringLiteral("zq"), better), kNoMatch);
        QVERIFY(fuzzyScore({}, better) > kNoMatch);
    }

    void everyKeyIsOnTheSheetAndUsedOnce() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        const auto actions = actionsOf(*d.window.menuBar());
        CheatSheet sheet(actions, nullptr);
        std::map<QKeySequence, QString> users;
        for (const NamedAction& named : actions)
            for (const QKeySequence& keys : named.action->shortcuts()) {
                QVERIFY2(sheet.text().contains(keys.toString(QKeySequence::NativeText)), qPrintable(named.text));
                QVERIFY2(!users.contains(keys), qPrintable(named.text + u' ' + users[keys] + u' ' + keys.toString()));
                users[keys] = named.text;
            }
        QVERIFY(users.size() > 30);
        sheet.filter(QStringLiteral("history"));
        QVERIFY(sheet.text().contains(QStringLiteral("Node History")));
        QVERIFY(!sheet.text().contains(QStringLiteral("Open model")));
    }

    void everyPanelHasItsSectionInTheManual() {
        const Driver d;
        QStringList titles;
        for (const auto* dock : d.window.findChildren<QDockWidget*>())
            if (!dock->findChild<QTabWidget*>()) titles << dock->windowTitle().remove(u'&');
        for (const auto* tabs : d.window.findChildren<QTabWidget*>())
            for (int i = 0; i < tabs->count(); ++i) titles << tabs->tabText(i).remove(u'&');
        QVERIFY(titles.size() > 20);
        for (const QString& title : titles)
            QVERIFY2(!Manual::instance().sectionOnPanel(title).isEmpty(), qPrintable(title));
    }

    void manualOpensAtTheFocus() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QCOMPARE(panelTitle(d.find<QTextBrowser>("inspector")), QStringLiteral("Inspector"));
        QCOMPARE(panelTitle(d.window.centralWidget()), QString());
        d.find<QTextBrowser>("inspector")->setFocus();
        d.trigger("actionManual");
        auto* manual = d.find<ManualWindow>("manualWindow");
        QVERIFY(manual && manual->isVisible());
        QCOMPARE(manual->place(), QStringLiteral("panels-node.md#inspector"));
        manual->open(QStringLiteral("glossary.md"));
        auto* back = manual->findChild<QAction*>(QStringLiteral("manualBack"));
        manual->open(QStringLiteral("no such page"));
        QCOMPARE(manual->place(), QStringLiteral("index.md"));
        back->trigger();
        QCOMPARE(manual->place(), QStringLiteral("glossary.md"));
        back->trigger();
        QCOMPARE(manual->place(), QStringLiteral("panels-node.md#inspector"));
    }

    void manualIsSearched() {
        ManualWindow manual(nullptr);
        auto* edit = manual.findChild<QLineEdit*>();
        auto* hits = manual.findChild<QTreeWidget*>();
        QCOMPARE(hits->topLevelItemCount(), static_cast<int>(Manual::instance().pages().size()));
        edit->setText(QStringLiteral("synthetic base"));
        QVERIFY(hits->topLevelItemCount() > 1);
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(manual.findChild<QTextBrowser*>()->toPlainText().contains(QStringLiteral("synthetic base"),
                                                                          Qt::CaseInsensitive));
        edit->setText(QStringLiteral("no-word-like-this"));
        QCOMPARE(hits->topLevelItemCount(), 1);
        QVERIFY(!(hits->topLevelItem(0)->flags() & Qt::ItemIsEnabled));
        edit->clear();
        QVERIFY(hits->topLevelItemCount() > 1);
    }
};

QTEST_MAIN(TestWindowSearch)
#include "test_window_search.moc"
