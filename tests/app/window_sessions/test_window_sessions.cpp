// What a saved session restores.

#include "test_window_sessions.h"

#include "controllers/sessions/session_view.h"
#include "debug/conditions.h"
#include "support/test_program.h"

#include <QAction>
#include <random>

using namespace aotscope;
using namespace aotscope::test;

QString TestWindowSessions::at(const char* name) const { return scratch_.at(QString::fromUtf8(name)); }

void TestWindowSessions::init() { isolation_.forget(); }

void TestWindowSessions::everythingComesBack() {
    const QString file = at("all.aotscope");
    NodeId chosen = kNoNode;
    QPointF centre;
    {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.window.time();
        QVERIFY(d.settle());
        d.window.check();
        QVERIFY(d.settle());
        QVERIFY(keepVariant(d, "small", 0));
        d.chooseTab(GraphKind::backward);
        QVERIFY(d.settle());
        chosen = d.record()->graph(GraphKind::backward)->at(d.record()->graph(GraphKind::backward)->size() / 2)->id();
        d.clickNode(chosen);
        d.canvas()->resetZoom();
        d.canvas()->zoomBy(1.5);
        d.trigger("show-runs");
        QVERIFY(saveSession(d, file));
        centre = d.canvas()->mapToScene(d.canvas()->viewport()->rect().center());
    }
    Driver d;
    QVERIFY2(d.open(file), qPrintable(d.lastProblem()));
    QVERIFY(d.window.session()->saved());
    QCOMPARE(d.modelName(), u"mlp"_s);
    QVERIFY(d.window.timing() && !d.window.timing()->steps.empty());
    QVERIFY(d.table("timingTable")->view()->model()->rowCount() > 0);
    QCOMPARE(d.window.whatIf()->variants()->list().size(), 2U);
    QCOMPARE(d.window.whatIf()->variants()->list()[1].name, u"small"_s);
    QVERIFY(d.window.whatIf()->variants()->list()[0].measured);
    QCOMPARE(d.pane()->kind(), GraphKind::backward);
    QCOMPARE(d.canvas()->selectedNode(), chosen);
    QVERIFY(d.window.pages().front() && d.window.pages().front()->name == u"runs"_s);
    QVERIFY(qAbs(d.canvas()->transform().m11() - 1.5) < 0.01);
    const QPointF now = d.canvas()->mapToScene(d.canvas()->viewport()->rect().center());
    QVERIFY2((now - centre).manhattanLength() < 10, qPrintable(u"%1 %2"_s.arg(now.x()).arg(centre.x())));
    QVERIFY(d.recent().contains(file));
    QVERIFY(!d.window.isWindowModified());
}

void TestWindowSessions::marksComeBack() {
    const QString file = at("marks.aotscope");
    const QString values = scratch_.write(u"values.json"_s, R"({"relu": 1, "relu_1": 5})");
    std::vector<Breakpoint> breakpoints = {{Breakpoint::When::passStarts, "partition", false},
                                           {Breakpoint::When::nodeDies, "op:softmax", true}};
    const std::vector<DebugBreakpoint> conditions = {{"absmax>1e4", 3, true}, {"op:mm and has_nan", 1, false}};
    GraphView::Position there;
    std::size_t marks = 0;
    {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(saveSession(d, file));
        d.chooseTab(GraphKind::backward);
        QVERIFY(d.settle());
        d.canvas()->resetZoom();
        there = d.canvas()->position();
        d.trigger("actionRemember3");
        QVERIFY(d.window.isWindowModified());
        d.chooseTab(GraphKind::joint);
        d.window.navigation()->breakpoints()->panel()->setBreakpoints(breakpoints);
        d.window.navigation()->breakpoints()->panel()->setConditions(conditions);
        d.window.navigation()->colours()->openOverlay(values);
        Q_EMIT d.window.whatIf()->variants()->pareto()->sweepRequested();
        QVERIFY(d.settle());
        marks = d.window.whatIf()->variants()->pareto()->chart()->marks().size();
        QVERIFY(marks > 2);
        QVERIFY(saveSession(d, file));
        QVERIFY(!d.window.isWindowModified());
    }
    QVERIFY(QFile::remove(values));
    isolation_.forget();
    Driver d;
    QVERIFY(d.open(file));
    QCOMPARE(d.window.navigation()->breakpoints()->panel()->breakpoints(), breakpoints);
    QCOMPARE(d.window.navigation()->breakpoints()->panel()->conditions(), conditions);
    QCOMPARE(d.window.whatIf()->variants()->pareto()->chart()->marks().size(), marks);
    QCOMPARE(d.window.navigation()->colours()->by(), std::optional(ColourBy::overlay));
    QVERIFY(d.canvas()->graph()->tints.size() >= 3);
    QVERIFY(d.find<QAction>("colourBy-overlay")->isChecked());
    d.trigger("actionGoTo3");
    QVERIFY(d.settle());
    QCOMPARE(d.pane()->kind(), GraphKind::backward);
    QCOMPARE(d.canvas()->position().zoom, there.zoom);
    QVERIFY((d.canvas()->position().centre - there.centre).manhattanLength() < 4);
    QVERIFY(!d.window.isWindowModified());
    // Bookmarks belong to the session: another model does not have them.
    QVERIFY(d.openSample("aliasing"));
    QVERIFY(d.window.navigation()->breakpoints()->panel()->breakpoints() == breakpoints);
    d.trigger("actionGoTo3");
    QVERIFY(d.settle());
    QCOMPARE(d.pane()->kind(), GraphKind::joint);  // as it was
    QVERIFY(d.window.sessionFile()->file().isEmpty());
}

/// Partitions share most of their contents.
void TestWindowSessions::sweptBudgetsTakeLittleRoom() {
    const QString file = at("gpt2.aotscope");
    Driver d;
    QVERIFY(d.openSample("gpt2"));
    QVERIFY(saveSession(d, file));
    const qint64 without = QFileInfo(file).size();
    Q_EMIT d.window.whatIf()->variants()->pareto()->sweepRequested();
    QVERIFY(d.settle());
    QVERIFY(saveSession(d, file));
    const qint64 with = QFileInfo(file).size();
    const std::size_t points = contentOfFile(file).sweep.size();
    qInfo("gpt2: %lld bytes, with %zu partitions %lld", without, points, with);
    QVERIFY(points > 3);
    QVERIFY(with < 2'000'000);
}

void TestWindowSessions::closedModulesAndColoursComeBack() {
    const QString file = at("modules.aotscope");
    std::size_t boxes = 0;
    {
        Driver d;
        QVERIFY(d.openSample("gpt2-tiny"));
        d.trigger("actionCloseAll");
        d.trigger("colourBy-bytes");
        QVERIFY(d.settle());
        boxes = d.canvas()->graph()->nodes.size();
        QVERIFY(saveSession(d, file));
    }
    isolation_.forget();
    Driver d;
    QVERIFY(d.open(file));
    QCOMPARE(d.canvas()->graph()->nodes.size(), boxes);
    QCOMPARE(d.window.navigation()->colours()->by(), std::optional(ColourBy::bytes));
    QVERIFY(!d.find<QAction>("actionUndo")->isEnabled());  // the default
    d.trigger("actionOpenAll");
    QVERIFY(d.settle());
    QVERIFY(d.canvas()->graph()->nodes.size() > boxes);
}

/// Overrides of a file are kept when the session is saved before what-if was prepared.
void TestWindowSessions::savedRightAfterOpening() {
    const QString file = at("hasty.aotscope");
    Driver d;
    QVERIFY(d.openSample("mlp"));
    QVERIFY(keepVariant(d, "small", 0));
    Q_EMIT d.window.whatIf()->variants()->pareto()->sweepRequested();
    QVERIFY(d.settle());
    QVERIFY(saveSession(d, file));
    const std::size_t points = contentOfFile(file).sweep.size();
    QVERIFY(points > 1);
    QVERIFY(d.openSample("aliasing"));
    bool early = false;
    const auto saveAtOnce = [&] {
        early = d.window.whatIf()->variants()->list().empty();
        d.window.sessionFile()->saveTo(at("copy.aotscope"));
    };
    connect(d.pane(), &GraphPane::graphChanged, &d.window, saveAtOnce,
            static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    d.window.openModel(file);
    QVERIFY(d.settle());
    QVERIFY(early);
    const SessionContent copy = contentOfFile(at("copy.aotscope"));
    QCOMPARE(copy.options.model, std::string("sample:mlp"));
    QCOMPARE(copy.variants.size(), 1U);
    QCOMPARE(copy.sweep.size(), points);
}

void TestWindowSessions::breakpointsThatCannotBeReadAreNamed() {
    const QString file = at("breakpoints.aotscope");
    Driver d;
    QVERIFY(d.openSample("sincos"));
    QVERIFY(saveSession(d, file));
    SessionContent content = contentOfFile(file);
    const std::string deep(5000, '(');
    content.view = R"({"breakpoints":[{"when":"never","what":"joint"},{"when":"pass","what":"nowhere"},7,
                       {"when":"pass","what":"joint","enabled":false}],
                       "valueBreakpoints":[{"condition":"absmax>>1","hits":1},{"condition":"has_nan","hits":-4},
                       {"condition":"has_nan","hits":1e300},{"condition":")" +
                   deep + R"("},{"condition":"has_inf","hits":2},null,[[]]]})";
    writeSessionFile(file.toStdString(), content, {});
    QVERIFY(d.openSample("mlp"));
    QVERIFY(d.open(file));
    const BreakpointPanel* panel = d.window.navigation()->breakpoints()->panel();
    QCOMPARE(panel->breakpoints(), (std::vector<Breakpoint>{{Breakpoint::When::passStarts, "joint", false}}));
    QCOMPARE(panel->conditions(), (std::vector<DebugBreakpoint>{{"has_inf", 2, true}}));
    QStringList said;
    for (int i = 0; i < d.problems()->count(); ++i) said << d.problems()->item(i)->text();
    QCOMPARE(said.filter(u"A breakpoint of the session is left out"_s).size(), 9);
    QVERIFY(said.join(u'\n').contains(u"hit count of at least 1"_s));
    for (const QString& sentence : said) QVERIFY2(sentence.size() < 400, qPrintable(sentence));

    QString endless = u"{\"valueBreakpoints\":["_s;
    for (int i = 0; i < 1000; ++i) endless += u"{\"condition\":\"op:mm_%1\",\"hits\":1},"_s.arg(i);
    content.view = endless.toStdString() + "0]}";
    writeSessionFile(file.toStdString(), content, {});
    QVERIFY(d.openSample("mlp"));
    QVERIFY(d.open(file));
    QCOMPARE(panel->conditions().size(), 200U);
    QVERIFY(d.lastProblem().contains(u"more than 200 breakpoints"_s));
}

void TestWindowSessions::breakpointsAtPrintedPassesAreKept() {
    const QString file = at("printed_passes.aotscope");
    Driver d;
    QVERIFY(d.open(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/passes/plain")));
    const auto& passes = d.record()->passes;
    const auto printed = std::ranges::find_if(passes, [](const PassRecord& pass) { return !pass.title.empty(); });
    QVERIFY(printed != passes.end());
    BreakpointPanel* panel = d.window.navigation()->breakpoints()->panel();
    const std::vector<Breakpoint> wanted = {{Breakpoint::When::passStarts, printed->title, true}};
    panel->setBreakpoints(wanted);
    QVERIFY(saveSession(d, file));
    panel->setBreakpoints({});
    QVERIFY(d.open(file));
    QVERIFY2(d.problems()->count() == 0, qPrintable(d.lastProblem()));
    QCOMPARE(panel->breakpoints(), wanted);
}

/// Damaged at random places: what remains is usable, and messages are short.
void TestWindowSessions::damagedViewsAreRead() {
    SessionView view;
    view.bookmarks = Bookmarks{{3, {}}};
    view.breakpoints = std::vector<Breakpoint>{{Breakpoint::When::passStarts, "joint", true},
                                               {Breakpoint::When::nodeDies, "op:mm", false}};
    view.valueBreakpoints = std::vector<DebugBreakpoint>{{"absmax>1e4 or not (has_nan)", 3, true},
                                                         {"op:mm and name:/mm_[0-9]+/", 1, false}};
    const std::string whole = sessionViewJson(view);
    QVERIFY(sessionViewFrom(whole).valueBreakpoints == view.valueBreakpoints);
    QVERIFY(sessionViewFrom(whole).refused.isEmpty());
    std::mt19937_64 random(7);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    const std::string_view bytes = "\"{}[]:,()/\\<>=-+019eaN \xff";
    for (int round = 500 * std::max(1, qEnvironmentVariableIntValue("AOTSCOPE_FUZZ")); round > 0; --round) {
        std::string damaged = whole;
        for (std::size_t changes = 1 + below(4); changes > 0; --changes)
            damaged[below(damaged.size())] = bytes[below(bytes.size())];
        const SessionView read = sessionViewFrom(damaged);
        Conditions().set(read.valueBreakpoints.value_or(std::vector<DebugBreakpoint>()));
        for (const Breakpoint& breakpoint : read.breakpoints.value_or(std::vector<Breakpoint>()))
            requireValid(breakpoint);
        for (const QString& sentence : read.refused) QVERIFY2(sentence.size() < 400, qPrintable(sentence));
    }
}

void TestWindowSessions::anEarlierSessionOpens() {
    Driver d;
    const QString file = at("earlier.aotscope");
    QVERIFY(QFile::copy(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/sessions/schema1.aotscope"), file));
    BreakpointPanel* breakpoints = d.window.navigation()->breakpoints()->panel();
    breakpoints->setBreakpoints({{Breakpoint::When::passStarts, "partition", false}});
    breakpoints->setConditions({{"has_nan", 1, true}});
    QVERIFY(d.open(file));
    QCOMPARE(d.modelName(), u"mlp"_s);
    QCOMPARE(d.problems()->count(), 0);
    QVERIFY(d.window.timing());
    QVERIFY(qAbs(d.canvas()->position().zoom - 0.835) < 0.001);
    // It does not mention breakpoints.
    QCOMPARE(breakpoints->breakpoints().size(), 1U);
    QCOMPARE(breakpoints->conditions().size(), 1U);
    d.trigger("colourBy-measured");
    QVERIFY(d.settle());
    QVERIFY(!d.canvas()->graph()->tints.empty());
    QVERIFY(saveSession(d, file));
    QVERIFY(d.openSample("aliasing"));
    QVERIFY(d.open(file));
    QCOMPARE(d.window.navigation()->colours()->by(), std::optional(ColourBy::measured));
}

AOTSCOPE_TEST(TestWindowSessions)
#include "test_window_sessions.moc"
