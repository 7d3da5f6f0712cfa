// All ranks of a program on another machine, which is this one, stepped together in the window.

#include "app/remote_driver.h"
#include "support/scratch.h"
#include "support/test_program.h"

#include <csignal>

namespace aotscope::test::window_remote_ranks_test {
namespace {

const QString kDistributed = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/distributed/");

/// All ranks of a program, stepped together.
struct FarRanks : Debugging {
    explicit FarRanks(const QString& model)
        : Debugging(model, std::filesystem::path(QString(kDistributed + u"mlp_fsdp.0.inputs.pt"_s).toStdString())) {}
    QStringList seen() {
        QStringList lines{values()->state(), values()->legend()->plainText(), values()->shownName()};
        for (const TableContent::Row& row : rows())
            for (const auto& cell : row.cells) lines << cell.text;
        return lines << values()->firstText() << QString::number(values()->ranks()->currentIndex());
    }
    bool selectInput() {
        return select(GraphKind::forward, record()->graph(GraphKind::forward)->placeholders().back()->id());
    }
};

}  // namespace

class TestWindowRemoteRanks : public QObject {
    Q_OBJECT

    Isolation isolation_;
    Scratch scratch_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    /// All ranks look the same as on this machine. A step needs as many requests as that of a single rank: the step,
    /// and values and picture before and after its row is visible.
    void stepsRanksThere() {
        const QString model = kDistributed + u"mlp_fsdp.pt2"_s, log = scratch_.at(u"ranks"_s);
        const auto tour = [&](FarRanks& d, qsizetype& questions) {
            QStringList lines;
            const auto act = [&](const char* action) { lines << QString::number(d.command(action)) << d.seen(); };
            if (!d.selectInput() || d.values()->rankCount() != 4) return lines;
            const auto asked = [&] { return QFile::exists(log) ? contentOf(log).count("debugger") : 0; };
            questions = asked();
            act("actionDebugStep");
            questions = asked() - questions;
            d.addBreakpoint("op:all_gather_into_tensor");
            act("actionDebugRun");
            d.values()->ranks()->setCurrentIndex(2);
            lines << QString::number(d.settle()) << d.seen();
            lines << QString::number(d.selectInput() && d.edit("[0, 1] = 77")) << d.seen();
            act("actionDebugEager");
            act("actionDebugOther");
            d.breakpoints()->view()->selectRow(0);
            d.breakpoints()->toggleSelected();
            act("actionDebugRun");
            act("actionDebugBack");
            act("actionDebugRestart");
            return lines << q(d.stop().text) << errorsIn(d);
        };
        qsizetype near = 0, far = 0;
        QStringList here, there;
        {
            FarRanks d(model);
            here = tour(d, near);
        }
        {
            FarRanks d(Far::model(model, u"sh -c \"tee %1 | %p serve --stdio\" aotscope"_s.arg(log)));
            QVERIFY2(d.opened, qPrintable(d.lastProblem()));
            there = tour(d, far);
        }
        QVERIFY(here.size() > 100);
        QCOMPARE(there, here);
        QVERIFY2(near == 0 && far > 0 && far <= 5, qPrintable(QString::number(far)));
    }

    /// Received data of ranks stays, and they continue at their positions.
    void reconnectsRanks() {
        const QString file = scratch_.at(u"ranks-process"_s);
        FarRanks d(Far::model(kDistributed + u"mlp_fsdp.pt2"_s,
                              u"sh -c \"echo $$ > %1; exec %p serve --stdio\" aotscope"_s.arg(file)));
        QVERIFY2(d.opened, qPrintable(d.lastProblem()));
        for (int step = 0; step < 3; ++step) QVERIFY(d.command("actionDebugStep"));
        QVERIFY(d.selectInput());
        d.values()->ranks()->setCurrentIndex(2);
        QVERIFY(d.settle());
        const QStringList seen = d.seen();
        const auto reconnect = [&] { return d.find<QAction>("actionReconnect"); };
        kill(contentOf(file).trimmed().toInt(), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(reconnect()->isEnabled(), kPatience);
        QVERIFY2(d.lastProblem().endsWith(u"; choose Reconnect to go on"_s), qPrintable(d.lastProblem()));
        QCOMPARE(d.seen(), seen);
        // A failing command gives its reason, once; breakpoints are kept for later.
        QVERIFY(d.addBreakpoint("op:all_gather_into_tensor"));
        QVERIFY(d.command("actionDebugStep"));
        QCOMPARE(errorsIn(d).size(), 2);
        QCOMPARE(d.seen(), seen);
        QVERIFY(d.command("actionReconnect"));
        QVERIFY(!reconnect()->isEnabled());
        QCOMPARE(d.values()->rankCount(), std::size_t{4});
        QCOMPARE(d.seen().mid(1), seen.mid(1));
        QCOMPARE(d.position().step, std::size_t{3});
        QVERIFY(d.command("actionDebugStep"));
        QVERIFY2(d.position().step == 4 || d.stop().reason == DebugStop::Reason::breakpoint, d.stop().text.c_str());
        QCOMPARE(errorsIn(d).size(), 2);
        // Automatic reconnection restores them, too.
        kill(contentOf(file).trimmed().toInt(), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(reconnect()->isEnabled(), kPatience);
        QVERIFY(d.command("actionCheck"));
        QTRY_VERIFY_WITH_TIMEOUT(!reconnect()->isEnabled() && d.settle(), kPatience);
        QVERIFY(d.command("actionDebugRun"));
        QVERIFY(errorsIn(d).size() <= 3);  // both disconnections may give the same sentence
    }
};

AOTSCOPE_TEST(TestWindowRemoteRanks)

}  // namespace aotscope::test::window_remote_ranks_test

#include "test_window_remote_ranks.moc"
