// When pages are filled: visible ones at once, the others soon after or, for large graphs, when they become visible.

#include "ir/parser.h"
#include "panels/tables/table_panel.h"
#include "support/deep_graph.h"
#include "support/patience.h"
#include "support/test_program.h"
#include "window/pages/page_filler.h"

#include <atomic>

namespace aotscope::test::page_filler_test {
namespace {

std::shared_ptr<const CompileRecord> recordWith(int layers) {
    auto record = std::make_shared<CompileRecord>();
    record->graphs[GraphKind::joint] = parseGraph(deepGraphText(layers));
    return record;
}

/// Two pages, the first of which is visible, and how often each was filled.
struct Filled {
    Filled() : filler(pages, &window) {
        for (const int i : {0, 1}) {
            Page page;
            page.widget = new QWidget(&window);
            page.fill = [this, i](const CompileRecord&, const ShownRun&, const DecompositionTable*) { ++times[i]; };
            page.repartition = [this, i](const ShownRun&) { ++again[i]; };
            pages.push_back(page);
        }
        pages[1].widget->hide();
        window.show();
    }
    void show(const std::shared_ptr<const CompileRecord>& record) {
        run.partial = record;
        filler.fill(run, nullptr);
    }
    QWidget window;
    std::vector<Page> pages;
    ShownRun run;
    int times[2] = {0, 0}, again[2] = {0, 0};
    PageFiller filler;
};

}  // namespace

class TestPageFiller : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// One in each round of the event loop.
    void hiddenPagesOfSmallGraphsAreFilledSoon() {
        Filled f;
        for (const char* name : {"third", "fourth"}) {
            f.pages.push_back(f.pages[1]);
            f.pages.back().name = QString::fromLatin1(name);
            f.pages.back().widget = new QWidget(&f.window);
            f.pages.back().widget->hide();
        }
        f.show(recordWith(2));
        QCOMPARE(f.times[0], 1);
        QCOMPARE(f.times[1], 0);
        for (int rounds = 0; f.filler.busy(); ++rounds) {
            QVERIFY(rounds < 100);
            const int before = f.times[1];
            QCoreApplication::processEvents(QEventLoop::AllEvents);
            QVERIFY(f.times[1] <= before + 1);
        }
        QCOMPARE(f.times[1], 3);
    }

    void aPageThatIsSeenBeforeItsTurnIsFilledOnce() {
        Filled f;
        f.show(recordWith(2));
        f.pages[1].widget->show();
        QCOMPARE(f.times[1], 1);
        QTRY_VERIFY(!f.filler.busy());
        f.filler.repartition(f.run);
        QCOMPARE(f.again[1], 1);
        f.pages[1].widget->show();
        QCOMPARE(f.times[1], 1);
    }

    void hiddenPagesOfLargeGraphsWait() {
        Filled f;
        f.show(recordWith(40));
        QCOMPARE(f.times[0], 1);
        QCOMPARE(f.times[1], 0);
        f.filler.repartition(f.run);
        QCOMPARE(f.again[0], 1);
        QCOMPARE(f.again[1], 0);
        f.pages[1].widget->show();
        QCOMPARE(f.times[1], 1);
        f.pages[1].widget->hide();
        f.pages[1].widget->show();
        QCOMPARE(f.times[1], 1);
    }

    /// Rows of the previous run would stand for nodes that no longer exist.
    void tablesOfLargeGraphsAreMadeInTheBackground() {
        QWidget window;
        auto* table = new TablePanel(&window);
        std::atomic<QThread*> maker = nullptr;
        const std::vector<Page> pages = [&] {
            Page page;
            page.widget = page.nodes = table;
            page.ofPartition = true;
            page.content = [&](const ShownRun& run) {
                maker = QThread::currentThread();
                TableContent content;
                content.columns = {{u"Operations"_s, {}, true}};
                const auto& graph = run.record()->graphs.at(GraphKind::joint);
                content.rows = {{{{QString::number(graph->size())}}, graph->nodes().front()->id()}};
                return content;
            };
            return std::vector{page};
        }();
        PageFiller filler(pages, &window);
        window.show();
        ShownRun run;
        run.partial = recordWith(2);
        filler.fill(run, nullptr);
        QVERIFY(!filler.busy() && maker == QThread::currentThread());
        const auto shown = [&] {
            return table->content().rows.empty() ? QString() : table->content().rows[0].cells[0].text;
        };
        QVERIFY(!shown().isEmpty());
        filler.selectRows({run.record()->graphs.at(GraphKind::joint)->nodes().front()->id()});
        run.partial = recordWith(40);
        filler.fill(run, nullptr);
        QVERIFY(filler.busy() && shown().isEmpty());
        QTRY_VERIFY(!filler.busy());
        QVERIFY(maker != QThread::currentThread());
        const QString large = QString::number(run.record()->graphs.at(GraphKind::joint)->size());
        QCOMPARE(shown(), large);
        QCOMPARE(table->markedNodes().size(), std::size_t{1});
        filler.repartition(run);
        QVERIFY(filler.busy());
        QCOMPARE(shown(), large);
        run.partial = recordWith(2);
        filler.fill(run, nullptr);
        QVERIFY(!filler.busy());
        QTest::qWait(20);
        QVERIFY(shown() != large);
    }

    /// The next graph counts, not the previous one.
    void pagesThatWaitAreFilledWithTheNextRun() {
        Filled f;
        f.show(recordWith(40));
        f.show(recordWith(2));
        QTRY_COMPARE(f.times[1], 1);
        f.pages[1].widget->show();
        QCOMPARE(f.times[1], 1);
    }

    void aTableThatCannotBeMadeSaysWhy() {
        Filled f;
        auto* panel = new TablePanel(&f.window);
        Page page;
        page.widget = panel;
        page.content = [](const ShownRun&) -> TableContent { throw std::runtime_error("no luck"); };
        f.pages = {page};
        panel->show();
        f.show(recordWith(40));
        QTRY_VERIFY_WITH_TIMEOUT(panel->content().whenEmpty.contains(u"no luck"_s), kPatience);
        QVERIFY(!f.filler.busy());
    }
};

AOTSCOPE_TEST(TestPageFiller)

}  // namespace aotscope::test::page_filler_test

#include "test_page_filler.moc"
