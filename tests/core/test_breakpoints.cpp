// Breakpoints of the pipeline, and the observer between passes.

#include "passes/breakpoints.h"
#include "passes/pass_names.h"
#include "session/session.h"
#include "support/test_program.h"
#include "support/text.h"

namespace aotscope::test::breakpoints_test {
namespace {

using When = Breakpoint::When;

/// Records every stop at a breakpoint.
class Notes : public PassObserver {
public:
    explicit Notes(std::vector<Breakpoint> breakpoints) : breakpoints_(std::move(breakpoints)) {}
    void betweenPasses(const CompileRecord& record, std::string_view next, const Progress&) override {
        passes << q(std::string(next));
        passesBefore.push_back(record.passes.size());
        if (const auto hit = testBreakpoints(breakpoints_, record, next)) {
            stops << q(hit->reason);
            if (hit->where && !hit->where->graph->findById(hit->node)) stops << u"no such node"_s;
        }
        if (cancelAt && name(*cancelAt) == next) throw Cancelled();
    }
    QStringList passes, stops;
    std::vector<std::size_t> passesBefore;
    std::optional<PassId> cancelAt;

private:
    std::vector<Breakpoint> breakpoints_;
};

std::shared_ptr<const Session> compile(const char* model, PassObserver& observer) {
    return Session::open({.model = model}, {}, nullptr, &observer);
}

}  // namespace

class TestBreakpoints : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anObserverSeesEveryPass() {
        Notes notes({});
        const auto session = compile("sample:mlp", notes);
        QStringList expected;
        for (std::size_t i = 1; i < session->record()->passes.size(); ++i)
            expected << q(name(session->record()->passes[i].id));
        expected << QString();
        QCOMPARE(notes.passes, expected);
        for (std::size_t i = 0; i < notes.passesBefore.size(); ++i) QCOMPARE(notes.passesBefore[i], i + 1);
    }

    void anObserverCanEndTheRun() {
        Notes notes({});
        notes.cancelAt = PassId::partition;
        QVERIFY_EXCEPTION_THROWN(compile("sample:mlp", notes), Cancelled);
        QCOMPARE(notes.passes.last(), u"partition"_s);
    }

    void stopsWhereItIsAsked_data() {
        columns<int, QString, QString>("when", "what", "expected");
        const auto row = [](const char* name, When when, const char* what, const char* expected) {
            QTest::newRow(name) << static_cast<int>(when) << QString::fromLatin1(what) << QString::fromLatin1(expected);
        };
        row("pass", When::passStarts, "partition", "the pass 'partition' is about to start");
        row("node of the backward", When::nodeAppears, "op:threshold_backward", "after the pass 'joint': %");
        row("dead node", When::nodeDies, "op:detach or op:t", "after the pass");
    }
    void stopsWhereItIsAsked() {
        QFETCH(int, when);
        FETCH(QString, what, expected);
        Notes notes({{static_cast<When>(when), what.toStdString(), true}});
        compile("sample:mlp", notes);
        QVERIFY(!notes.stops.isEmpty());
        QVERIFY2(notes.stops.first().startsWith(expected), qPrintable(notes.stops.first()));
        QVERIFY(!notes.stops.contains(u"no such node"_s));
    }

    void whatIsSwitchedOffDoesNotStop() {
        Notes notes({{When::passStarts, "partition", false}, {When::nodeAppears, "call", false}});
        compile("sample:mlp", notes);
        QVERIFY(notes.stops.isEmpty());
    }

    void wrongOnesAreRefused() {
        QVERIFY(errorOf([] { requireValid({When::passStarts, "nonsense"}); }).contains(u"'partition'"_s));
        QVERIFY(errorOf([] { requireValid({When::nodeDies, "shap:3"}); }).contains(u"shape"_s));
        QCOMPARE(errorOf([] { requireValid({When::passStarts, "joint"}); }), QString());
        QVERIFY(passNames().size() > 5);
    }
};

AOTSCOPE_TEST(TestBreakpoints)

}  // namespace aotscope::test::breakpoints_test

#include "test_breakpoints.moc"
