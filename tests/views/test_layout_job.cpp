// Layouts made by a child process: results, cancelling, and the fallback when Graphviz fails.

#include "canvas/layout/layout_job.h"
#include "support/patience.h"
#include "support/test_program.h"
#include "views/drawings.h"
#include "views/fake_dot.h"
#include "views/layout_rules.h"

namespace aotscope::test::layout_job_test {
namespace {

using Drawing = std::shared_ptr<const DrawnGraph>;

Drawing shared(std::string_view text, GraphKind kind = GraphKind::joint) {
    return std::make_shared<const DrawnGraph>(drawText(text, kind));
}

/// A layout job and everything that it has reported.
struct Watched {
    Watched() {
        QObject::connect(&job, &LayoutJob::finished, &job,
                         [this](const Drawing& graph, const std::shared_ptr<const GraphLayout>& layout) {
                             graphs.push_back(graph);
                             layouts.push_back(layout);
                         });
    }
    bool wait(std::size_t reports) {
        return QTest::qWaitFor([&] { return layouts.size() >= reports; }, kPatience);
    }
    std::vector<Drawing> graphs;
    std::vector<std::shared_ptr<const GraphLayout>> layouts;
    LayoutJob job;
};

/// Delivers everything that is queued, so that a report of a dropped run would have arrived.
void letQueuedEventsPass() {
    Watched later;
    later.job.start(shared(kTuple, GraphKind::functional));
    QVERIFY(later.wait(1));
    QCoreApplication::sendPostedEvents();
}

void addBadPrograms() {
    columns<QByteArray, QString>("script", "note");
    const QString missing =
        u"Graphviz ('dot') was not found: showing simple rows. Install graphviz for a better layout."_s;
    const QString failed = u"Graphviz failed: showing simple rows."_s;
    QTest::newRow("no program") << QByteArray() << missing;
    QTest::newRow("exit code") << QByteArray("exit 3\n") << failed;
    QTest::newRow("killed") << QByteArray("kill -9 $$\n") << failed;
    QTest::newRow("no answer") << QByteArray("exit 0\n") << failed;
    QTest::newRow("nonsense") << QByteArray("echo graph 1 wide 2\necho stop\n") << failed;
    QTest::newRow("half of the boxes") << QByteArray("echo graph 1 2 2\necho node n0 1 1 1 1\necho stop\n") << failed;
}

}  // namespace

class TestLayoutJob : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reportsOnce() {
        Watched watched;
        const auto graph = shared(kTwoLayers);
        QVERIFY(!watched.job.running());
        watched.job.start(graph);
        QVERIFY(watched.job.running());
        QVERIFY(watched.layouts.empty());
        QVERIFY(watched.wait(1));
        letQueuedEventsPass();
        QVERIFY(!watched.job.running());
        QCOMPARE(watched.graphs, std::vector<Drawing>{graph});
        QCOMPARE(watched.layouts[0]->note, QString());
        QCOMPARE(layoutProblem(*graph, *watched.layouts[0]), QString());
    }

    void isTheSameAsLayoutNow() {
        Watched watched;
        const auto graph = std::make_shared<const DrawnGraph>(drawSample("gpt2-tiny"));
        watched.job.start(graph);
        QVERIFY(watched.wait(1));
        QCOMPARE(watched.layouts[0]->boxes, layoutNow(*graph).boxes);
    }

    void runsAgainAndAgain() {
        Watched watched;
        const auto first = shared(kTwoLayers), second = shared(kTuple, GraphKind::functional);
        for (const auto& graph : {first, second, first}) {
            const std::size_t before = watched.layouts.size();
            watched.job.start(graph);
            QVERIFY(watched.wait(before + 1));
        }
        QCOMPARE(watched.graphs, (std::vector<Drawing>{first, second, first}));
        QCOMPARE(watched.layouts[0]->boxes, watched.layouts[2]->boxes);
    }

    void cancelledRunReportsNothing() {
        Watched watched;
        watched.job.start(shared(kTwoLayers));
        watched.job.cancel();
        QVERIFY(!watched.job.running());
        letQueuedEventsPass();
        QVERIFY(watched.layouts.empty());
        watched.job.cancel();  // nothing to cancel: fine
    }

    void onlyTheLastOfSeveralStartsReports() {
        Watched watched;
        const auto last = shared(kTuple, GraphKind::functional);
        watched.job.start(shared(kTwoLayers));
        watched.job.start(std::make_shared<const DrawnGraph>(drawSample("mlp")));
        watched.job.start(last);
        QVERIFY(watched.wait(1));
        letQueuedEventsPass();
        QCOMPARE(watched.graphs, std::vector<Drawing>{last});
    }

    void theReceiverMayStartTheNext() {
        LayoutJob job;
        const auto first = shared(kTwoLayers), second = shared(kTuple, GraphKind::functional);
        std::vector<Drawing> seen;
        connect(&job, &LayoutJob::finished, this, [&](const Drawing& graph) {
            seen.push_back(graph);
            if (seen.size() == 1) job.start(second);
        });
        job.start(first);
        QTRY_COMPARE_WITH_TIMEOUT(seen, (std::vector<Drawing>{first, second}), kPatience);
        QVERIFY(!job.running());
    }

    void anEmptyGraphIsLaidOut() {
        for (const GraphKind kind : {GraphKind::joint, GraphKind::functional}) {
            Watched watched;
            watched.job.start(shared("graph empty\n  return []\n", kind));
            QVERIFY(watched.wait(1));
            QVERIFY(watched.layouts[0]->boxes.empty());
        }
    }

    // --- without a working Graphviz ---

    void fallsBackToTheSimpleLayout_data() { addBadPrograms(); }
    void fallsBackToTheSimpleLayout() {
        QFETCH(QByteArray, script);
        QFETCH(QString, note);
        const auto graph = shared(kTwoLayers);
        Watched watched;
        {
            const FakeDot fake(script);
            watched.job.start(graph);
            QVERIFY(watched.wait(1));
        }
        QCOMPARE(watched.layouts[0]->note, note);
        QCOMPARE(layoutProblem(*graph, *watched.layouts[0]), QString());
        QVERIFY(!watched.job.running());
        letQueuedEventsPass();
        QCOMPARE(watched.layouts.size(), std::size_t{1});
    }

    void layoutNowFallsBackToTheSimpleLayout_data() { addBadPrograms(); }
    void layoutNowFallsBackToTheSimpleLayout() {
        QFETCH(QByteArray, script);
        QFETCH(QString, note);
        const DrawnGraph graph = drawText(kTwoLayers);
        GraphLayout layout;
        const FakeDot fake(script);
        QCOMPARE(errorOf([&] { layout = layoutNow(graph); }), QString());
        QCOMPARE(layout.note, note);
        QCOMPARE(layoutProblem(graph, layout), QString());
    }

    void cancelledRunWithoutGraphvizReportsNothing() {
        Watched watched;
        {
            const FakeDot fake{QByteArray()};
            watched.job.start(shared(kTwoLayers));
            watched.job.cancel();
        }
        letQueuedEventsPass();
        QVERIFY(watched.layouts.empty());
    }

    void aStuckGraphvizIsKilled() {
        const auto graph = shared(kTwoLayers);
        Watched watched;
        {
            const FakeDot fake("kill -STOP $$\n");
            watched.job.start(graph);
            QVERIFY(watched.wait(1));
        }
        QVERIFY(!watched.job.running());
        QVERIFY(watched.layouts[0]->note.startsWith(u"Graphviz took more than "_s));
        QCOMPARE(layoutProblem(*graph, *watched.layouts[0]), QString());
    }

    void aStuckGraphvizCanBeCancelled() {
        Watched watched;
        {
            const FakeDot fake("kill -STOP $$\n");
            watched.job.start(shared(kTwoLayers));
            watched.job.cancel();
        }
        QVERIFY(!watched.job.running());
        letQueuedEventsPass();
        QVERIFY(watched.layouts.empty());
    }
};

AOTSCOPE_TEST(TestLayoutJob)

}  // namespace aotscope::test::layout_job_test

#include "test_layout_job.moc"
