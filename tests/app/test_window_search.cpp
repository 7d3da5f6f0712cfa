// Search in the window, the command palette, the list of keys and the manual.

#include "app/keys_page.h"
#include "app/window_driver.h"
#include "ir/subgraphs.h"
#include "models/manual.h"
#include "support/file.h"
#include "support/test_program.h"
#include "window/help/command_palette.h"
#include "window/help/manual_window.h"

#include <QListWidget>
#include <QTextBlock>
#include <algorithm>
#include <functional>
#include <stdexcept>

namespace aotscope::test::window_search_test {
namespace {

SearchPanel* panelOf(const Driver& d) { return d.window.navigation()->search()->panel(); }

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
        QVERIFY(countOf(d).contains(u"in %1 graphs"_s.arg(result.groups.size())));
        lookFor(d, "nothing-like-this");
        QVERIFY(countOf(d).startsWith(u"No hits in"_s));
    }

    void marksAllHitsOfTheShownGraph() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        const QImage before = d.canvas()->grab().toImage();
        lookFor(d, "op=mm");
        QVERIFY(d.canvas()->grab().toImage() != before);
        const Legend* legend = d.canvas()->legend();
        const QString meaning = d.canvas()->paintOptions().theme.hitEntry().text;
        QVERIFY(legend->accessibleName().contains(meaning));
        d.trigger("actionFind");
        QTest::keyClick(panelOf(d)->edit(), Qt::Key_Escape);
        QVERIFY(!d.find<QDockWidget>("searchDock")->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(panelOf(d)->edit()->text().isEmpty(), kPatience);
        QVERIFY(d.settle());
        QVERIFY(!legend->accessibleName().contains(meaning));
    }

    /// The operator opens around the hit, and the Inspector says where it is.
    void findsWhatOperatorsRun() {
        Driver d;
        QVERIFY(d.open(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/control_flow.log")));
        d.chooseTab(GraphKind::joint);
        QVERIFY(d.settle());
        d.trigger("actionCloseAll");
        QVERIFY(d.settle());
        QVERIFY(d.canvas()->layout()->frames.empty());
        lookFor(d, "op:sin graph:joint");
        d.trigger("actionFindNext");
        QVERIFY(d.settle());
        QCOMPARE(d.canvas()->layout()->frames.size(), std::size_t{3});
        const NodeId found = d.canvas()->selectedNode();
        QVERIFY(isInner(found) && findNode(*d.pane()->graph(), found)->isCall("aten.sin.default"));
        QVERIFY2(d.inspector().contains(u"true_fn: true_graph_0 of %cond"_s), qPrintable(d.inspector()));
    }

    /// However it is closed.
    void aClosedSearchLeavesNoMarks() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        auto* dock = d.find<QDockWidget>("searchDock");
        const Legend* legend = d.canvas()->legend();
        const QString meaning = d.canvas()->paintOptions().theme.hitEntry().text;
        const std::vector<std::function<void()>> ways = {[&] { dock->close(); },
                                                         [&] { dock->toggleViewAction()->trigger(); },
                                                         [&] { QTest::keyClick(panelOf(d)->edit(), Qt::Key_Escape); },
                                                         [&] { QTest::keyClick(panelOf(d)->view(), Qt::Key_Escape); }};
        for (const auto& close : ways) {
            d.trigger("actionFind");
            lookFor(d, "op=mm");
            QVERIFY(legend->accessibleName().contains(meaning));
            close();
            QVERIFY(!dock->isVisible());
            QTRY_VERIFY_WITH_TIMEOUT(panelOf(d)->edit()->text().isEmpty(), kPatience);
            QVERIFY(d.settle());
            QVERIFY(!legend->accessibleName().contains(meaning));
        }
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
        // The window shows the final joint graph: its hits come first.
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
        QVERIFY(countOf(d).contains(u" of "_s));
    }

    void enterBeforeTheResultIsThereGoesToTheFirstHit() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        panelOf(d)->edit()->setText(u"name:relu graph:joint"_s);
        QTest::keyClick(panelOf(d)->edit(), Qt::Key_Return);
        QVERIFY(d.settle());
        QVERIFY(d.inspector().contains(u"%relu"_s));
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

    void aWrongQueryIsReportedInPlace() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        lookFor(d, "op=relu");
        lookFor(d, "shap:8");
        QVERIFY(countOf(d).contains(u"query, character 1: expected a keyword (shape)"_s));
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
        QTest::keyClicks(&edit, u"op:mm (reco"_s);
        QCOMPARE(edit.wordAtCursor(), (std::pair{7, u"reco"_s}));
        auto* completer = edit.findChild<QCompleter*>();
        Q_UNUSED(completer);
        edit.setText(u"-sta"_s);
        QCOMPARE(edit.wordAtCursor(), (std::pair{1, u"sta"_s}));
    }

    void thePaletteRunsWhatIsTyped() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionPalette");
        auto* palette = d.window.findChild<CommandPalette*>();
        QVERIFY(palette && palette->isVisible());
        QVERIFY(palette->list()->count() > 30);
        QTest::keyClicks(palette->edit(), u"func gra"_s);
        QVERIFY(palette->list()->item(0)->text().startsWith(u"Functional Graph"_s));
        QTest::keyClick(palette->edit(), Qt::Key_Return);
        QVERIFY(d.settle());
        QCOMPARE(d.pane()->kind(), GraphKind::functional);
    }

    /// Also by words that are not in its name.
    void thePaletteKnowsOtherWords() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionPalette");
        auto* palette = d.window.findChild<CommandPalette*>();
        for (const auto& [word, command] :
             {std::pair{"verify", "Check Against Eager"}, std::pair{"benchmark", "Time Every Step"},
              std::pair{"kineto", "Add Profile"}, std::pair{"peak", "Memory"}, std::pair{"shortcuts", "Keyboard"}}) {
            palette->edit()->setText(QString::fromUtf8(word));
            QVERIFY2(palette->list()->item(0)->text().startsWith(QString::fromUtf8(command)),
                     qPrintable(palette->list()->item(0)->text()));
        }
    }

    void thePaletteOpensOptions() {
        Driver d;
        QVERIFY(QTest::qWaitForWindowActive(&d.window, kPatience) && d.openSample("mlp"));
        d.trigger("actionPalette");
        auto* palette = d.window.findChild<CommandPalette*>();
        QTest::keyClicks(palette->edit(), u"always rec"_s);
        QVERIFY2(palette->list()->item(0)->text().startsWith(u"Always Recompute"_s),
                 qPrintable(palette->list()->item(0)->text()));
        QTest::keyClick(palette->edit(), Qt::Key_Return);
        QVERIFY(d.find<QFrame>("options")->isVisible());
    }

    /// A value after the name of an option, or one of its choices.
    void thePaletteSetsOptions() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        const auto choose = [&](const char* typed, const char* first) {
            d.trigger("actionPalette");
            auto* palette = d.window.findChildren<CommandPalette*>().last();
            palette->edit()->setText(QString::fromUtf8(typed));
            QVERIFY2(palette->list()->item(0)->text().startsWith(QString::fromUtf8(first)),
                     qPrintable(palette->list()->item(0)->text()));
            QTest::keyClick(palette->edit(), Qt::Key_Return);
            QVERIFY(d.settle());
            QTRY_VERIFY_WITH_TIMEOUT(d.window.findChildren<CommandPalette*>().isEmpty(), kPatience);
        };
        const auto used = [&] { return d.window.session()->options().partition; };
        choose("budget 0.3", "Memory Budget: 0.3");
        QCOMPARE(used().memoryBudget, 0.3);
        choose("partition default", "Partition: default");
        QVERIFY(used().algorithm == PartitionAlgorithm::defaultPartition);
        choose("min cut", "Partition: min-cut");
        QVERIFY(used().algorithm == PartitionAlgorithm::minCut);
        choose("keep input on", "Keep Input Mutations: on");
        QVERIFY(d.window.session()->options().keepInputMutations);
        choose("keep input off", "Keep Input Mutations: off");
        QVERIFY(!d.window.session()->options().keepInputMutations);
        choose("memory budget 7", "Memory Budget: 7");
        QCOMPARE(used().memoryBudget, 0.3);
        QVERIFY2(d.lastProblem().contains(u"7"_s), qPrintable(d.lastProblem()));
    }

    void thePaletteLooksForNodes() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionPalette");
        auto* palette = d.window.findChild<CommandPalette*>();
        palette->edit()->setText(u"relu"_s);
        palette->list()->setCurrentRow(palette->list()->count() - 1);
        QTest::keyClick(palette->edit(), Qt::Key_Return);
        QVERIFY(d.settle());
        QVERIFY(panelOf(d)->model().result().hits > 0);
    }

    void lettersFindActions_data() {
        const auto row = columns<QString, QString, QString>("pattern", "better", "worse");
        row("initials", "fa", "Fit All", "Find nodes past");
        row("whole word", "joint", "Joint graph", "Just open in the");
        row("shorter", "save", "Save Report", "Save report as something else entirely");
    }
    void lettersFindActions() {
        FETCH(QString, pattern, better, worse);
        QVERIFY(fuzzyScore(pattern, better) > fuzzyScore(pattern, worse));
        QCOMPARE(fuzzyScore(u"zq"_s, better), kNoMatch);
        QCOMPARE(fuzzyScore(u"font"_s, u"File › Open Sample gpt2-tiny"_s), kNoMatch);
        QVERIFY(fuzzyScore(u"time"_s, u"Two Times"_s) > kNoMatch);
        QVERIFY(fuzzyScore({}, better) > kNoMatch);
    }

    void everyKeyIsUsedOnce() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        std::map<QKeySequence, QString> users;
        for (const NamedAction& named : actionsOf(*d.window.menuBar()))
            for (const QKeySequence& keys : named.action->shortcuts()) {
                QVERIFY2(!users.contains(keys), qPrintable(named.text + u' ' + users[keys] + u' ' + keys.toString()));
                users[keys] = named.text;
            }
        QVERIFY(users.size() > 30);
    }

    /// The manual's page of keys is generated from the actions. UPDATE_GOLDEN=1 writes it.
    void pageOfKeysIsThatOfTheActions() {
        const Driver d;
        const QString made = keysPage(actionsOf(*d.window.menuBar()));
        if (qEnvironmentVariableIsSet("UPDATE_GOLDEN"))
            writeFileAtomically(AOTSCOPE_MANUAL "/keys.md", made.toStdString());
        QFile file(QStringLiteral(AOTSCOPE_MANUAL "/keys.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(file.readAll()), made);
    }

    void keysOpenAsAPageOfTheManual() {
        Driver d;
        d.trigger("actionKeys");
        auto* manual = d.find<ManualWindow>("manualWindow");
        QVERIFY(manual && manual->isVisible());
        QCOMPARE(manual->place(), u"keys.md"_s);
        QVERIFY(manual->findChild<QTextBrowser*>()->toPlainText().contains(u"Node History"_s));
    }

    /// Name, title and section are complete; the manual has the section, with the title of the page.
    void everyPageHasItsSectionInTheManual() {
        const Driver d;
        const auto& pages = d.window.pages().all();
        QVERIFY(pages.size() > 20);
        for (const Page& page : pages) {
            QVERIFY2(!page.title.isEmpty() && d.window.pages().find(page.name) == &page, qPrintable(page.name));
            const ManualPage* manual = Manual::instance().find(page.help.section(u'#', 0, 0));
            QVERIFY2(manual, qPrintable(page.help));
            const QString anchor = page.help.section(u'#', 1);
            const auto isIt = [&](const ManualPage::Section& section) {
                return section.anchor == anchor && section.title == page.title;
            };
            QVERIFY2(anchor.isEmpty() || std::ranges::any_of(manual->sections, isIt), qPrintable(page.help));
        }
    }

    void pagesAreAddedOnceAndComplete() {
        QMainWindow window;
        Pages pages(&window);
        auto* widget = new QWidget;
        const Page page{.name = u"one"_s,
                        .title = u"One"_s,
                        .help = u"window.md"_s,
                        .perspective = Perspective::passes,
                        .widget = widget};
        Page nowhere = page;
        nowhere.perspective.reset();
        QVERIFY_THROWS_EXCEPTION(std::logic_error, pages.add(nowhere));
        pages.add(page);
        QVERIFY_THROWS_EXCEPTION(std::logic_error, pages.add(page));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, pages.show(&window));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, pages.opening(&window));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, pages.dock(widget));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, pages.table(u"one"_s));
        QVERIFY(!pages.find(u"two"_s));
        QCOMPARE(pages.around(widget)->name, u"one"_s);
        QVERIFY(!pages.inFront(widget) && !pages.front());
        pages.setPerspective(Perspective::passes);
        QVERIFY(pages.inFront(widget) && pages.front()->name == u"one"_s);
    }

    void manualShowsItsPictures() {
        ManualWindow manual(nullptr);
        manual.show();
        manual.open(u"what-if.md"_s);
        QFile page(u":/manual/what-if.md"_s);
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QTextDocument& document = *manual.findChild<QTextBrowser*>()->document();
        QList<QTextImageFormat> pictures;
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
            for (auto part = block.begin(); !part.atEnd(); ++part)
                if (const QTextImageFormat format = part.fragment().charFormat().toImageFormat();
                    !format.name().isEmpty())
                    pictures << format;
        QVERIFY(!pictures.isEmpty());
        QCOMPARE(pictures.size(), page.readAll().count("!["));
        const auto shown = [&](const QTextImageFormat& format) {
            return document.resource(QTextDocument::ImageResource, QUrl(format.name())).value<QImage>();
        };
        // They are read in the background; their places are reserved.
        for (const QTextImageFormat& format : pictures) QCOMPARE(shown(format).width(), 1);
        for (const QTextImageFormat& format : pictures) {
            QVERIFY(format.width() > 100);
            QVERIFY(format.width() <= manual.width());
            QTRY_VERIFY2(shown(format).width() > 100, qPrintable(format.name()));
            // Scaled when read, in the best quality, not while drawing.
            QCOMPARE(shown(format).width(), qRound(format.width() * manual.devicePixelRatioF()));
        }
    }

    void aboutNamesThirdParties() {
        Driver d;
        d.trigger("actionAbout");
        auto* about = d.find<QDialog>("aboutDialog");
        QVERIFY(about && about->isVisible());
        const QString text = about->findChild<QTextBrowser*>()->toPlainText();
        QVERIFY(text.contains(u"LibTorch"_s) && text.contains(u"LGPL"_s));
        about->close();
    }

    void manualOpensAtTheFocus() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(!d.window.pages().around(d.window.centralWidget()));
        d.canvas()->setFocus();
        d.trigger("actionManual");
        QCOMPARE(d.find<ManualWindow>("manualWindow")->place(), u"panels-graph.md#canvas"_s);
        d.trigger("show-guardsTable");
        auto* tabs = d.find<QTabWidget>("contract");
        QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(tabs->currentIndex()).center());
        d.trigger("actionManual");
        QCOMPARE(d.find<ManualWindow>("manualWindow")->place(), u"panels-tables.md#guards"_s);
        d.find<QTextBrowser>("inspector")->setFocus();
        d.trigger("actionManual");
        auto* manual = d.find<ManualWindow>("manualWindow");
        QVERIFY(manual && manual->isVisible());
        QCOMPARE(manual->place(), u"panels-node.md#inspector"_s);
        manual->open(u"glossary.md"_s);
        auto* back = manual->findChild<QAction*>(u"manualBack"_s);
        manual->open(u"no such page"_s);
        QCOMPARE(manual->place(), u"index.md"_s);
        back->trigger();
        QCOMPARE(manual->place(), u"glossary.md"_s);
        back->trigger();
        QCOMPARE(manual->place(), u"panels-node.md#inspector"_s);
    }

    void manualIsSearched() {
        ManualWindow manual(nullptr);
        auto* edit = manual.findChild<QLineEdit*>();
        auto* hits = manual.findChild<QTreeWidget*>();
        QCOMPARE(hits->topLevelItemCount(), static_cast<int>(Manual::instance().pages().size()));
        edit->setText(u"synthetic base"_s);
        QVERIFY(hits->topLevelItemCount() > 1);
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(manual.findChild<QTextBrowser*>()->toPlainText().contains(u"synthetic base"_s, Qt::CaseInsensitive));
        edit->setText(u"no-word-like-this"_s);
        QCOMPARE(hits->topLevelItemCount(), 1);
        QVERIFY(!(hits->topLevelItem(0)->flags() & Qt::ItemIsEnabled));
        edit->clear();
        QVERIFY(hits->topLevelItemCount() > 1);
    }
};

AOTSCOPE_TEST(TestWindowSearch)

}  // namespace aotscope::test::window_search_test

#include "test_window_search.moc"
