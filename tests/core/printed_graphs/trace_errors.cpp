// Logs of TORCH_TRACE that are incomplete, mixed with others, damaged, or large.

#include "printed_files.h"
#include "test_printed_graphs.h"

#include "io/trace/trace_follower.h"
#include "io/trace/trace_log_text.h"
#include "ir/printer.h"
#include "load/trace_log/trace_indexer.h"
#include "load/trace_log/trace_reader.h"
#include "load/trace_log/trace_story.h"
#include "support/text.h"

#include <fstream>

using namespace aotscope;
using namespace aotscope::test;

namespace {

QString traceFile(const char* name) {
    return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/") + QLatin1String(name);
}

QByteArray story() { return contentOf(traceFile("story.log")); }

QByteArray head(const char* json) { return QByteArray("V1126 10:00:00.000000 4711 torch/x.py:1] ") + json + "\n"; }

/// All information of a log, and its problems, a line each.
QString problemsOf(const QString& path) {
    const TraceLog log = indexTrace(path.toStdString(), {});
    std::vector<CompileStory> stories;
    for (const TracedCompile& compile : log.compiles) stories.push_back(readStory(log, compile, {}));
    overviewText(log, stories);
    return q(problemsText(log, stories));
}

}  // namespace

void TestPrintedGraphs::aGrowingTraceIsFollowed() {
    const QByteArray whole = story();
    const QString path = scratch_.write(u"growing.log"_s, whole.left(1));
    TraceIndexer indexer(path.toStdString());
    TraceFollower follower(path.toStdString());
    QStringList told;
    for (qsizetype written = 1; written < whole.size();) {
        const auto more = std::min<qsizetype>(whole.size() - written, 9973);
        QFile file(path);
        QVERIFY(file.open(QIODevice::Append));
        file.write(whole.mid(written, more));
        file.close();
        written += more;
        indexer.advance({});
        QVERIFY(indexer.log(TraceIndexer::End::growing).problems.empty());
        for (const std::string& line : follower.poll({})) told << q(line);
    }
    const TraceLog grown = indexer.log(), once = indexTrace(path.toStdString(), {});
    QCOMPARE(grown.recordCount, once.recordCount);
    QCOMPARE(grown.lines, once.lines);
    QCOMPARE(grown.compiles.size(), once.compiles.size());
    for (std::size_t i = 0; i < once.compiles.size(); ++i) {
        QCOMPARE(grown.compiles[i].records.size(), once.compiles[i].records.size());
        for (std::size_t r = 0; r < once.compiles[i].records.size(); ++r) {
            QCOMPARE(grown.compiles[i].records[r].offset, once.compiles[i].records[r].offset);
            QCOMPARE(grown.compiles[i].records[r].payload, once.compiles[i].records[r].payload);
        }
    }
    QCOMPARE(told.filter(u"graph break at model.py:20"_s).size(), 1);
    QCOMPARE(told.filter(u"expected 3, actual 4"_s).size(), 1);
    QVERIFY(!indexer.advance({}));
    // Another run overwrites the file.
    scratch_.write(u"growing.log"_s, whole.left(whole.size() / 3));
    QVERIFY(!follower.poll({}).empty());
}

/// Wherever a log ends, everything before is read, and one line says where the end is.
void TestPrintedGraphs::cutTracesAreReadUpToThere() {
    const QByteArray whole = story();
    for (qsizetype cut = 100; cut < whole.size(); cut += 7919) {
        const QString path = scratch_.write(u"cut.log"_s, whole.left(cut));
        const TraceLog log = indexTrace(path.toStdString(), {});
        QVERIFY2(log.problems.size() <= 1, qPrintable(QString::number(cut)));
        const bool between = whole[cut - 1] == '\n' && log.problems.empty();
        QVERIFY2(between || log.problems.size() == 1, qPrintable(QString::number(cut)));
        for (const TracedCompile& compile : log.compiles) readStory(log, compile, {});
    }
    // Cut off within a graph: the previous graphs open.
    const auto joint = whole.indexOf("\"aot_backward_graph\"");
    const QString path = scratch_.write(u"cut.log"_s, whole.left(joint + 300));
    const auto session = openFile(path);
    QVERIFY(session->record()->graph(GraphKind::source) || !session->record()->error.empty());
    QVERIFY(problemsOf(path).contains(u"the log ends within"_s));
}

void TestPrintedGraphs::damagedTraces_data() {
    columns<QByteArray, QString>("content", "problem");
    const QByteArray whole = story();
    QByteArray flipped = whole;
    const auto guards = whole.indexOf("TENSOR_MATCH");
    flipped[guards + 20] = '\x01';
    QTest::newRow("a byte of a payload") << flipped << u"dynamo_cpp_guards_str: damaged"_s;
    QByteArray headless = whole;
    const auto reasons = whole.indexOf("\"recompile_reasons\"");
    headless[whole.indexOf('\n', reasons) - 1] = '?';
    QTest::newRow("a first line") << headless << u"an incomplete record"_s;
    const auto start = whole.lastIndexOf('\n', reasons) + 1;
    QByteArray noise = whole;
    noise.insert(start, "step 3: loss 0.25\n");
    QTest::newRow("output of the program") << noise << u"not a record of TORCH_TRACE: 'step 3: loss 0.25'"_s;
    QByteArray between = whole;
    between.insert(whole.indexOf('\n', guards) + 1, head(R"({"str": ["/other.py", 90]})"));
    QTest::newRow("another process within a payload") << between << u"announces none"_s;
    QTest::newRow("zeros") << whole.left(60000) + QByteArray(20 << 20, '\0') << u"zeros from here on"_s;
    QTest::newRow("a payload without a record") << head(R"({"str": ["/a.py", 0]})") + "\tlost\n"
                                                << u"line 2: a payload of a record that announces none"_s;
    QTest::newRow("numbers that are too large")
        << head(R"({"str": ["/a.py", 18446744073709551615]})") +
               head(R"({"dynamo_start": {"stack": [{"filename": 18446744073709551615, "line": 1e300}]}, )"
                    R"("frame_id": 999999999, "frame_compile_id": 99999999999999999999, "attempt": 4294967295})")
        << QString();
    QTest::newRow("types that are others")
        << head(R"({"compilation_metrics": [1, 2], "frame_id": 0, "frame_compile_id": 0})") +
               head(R"({"create_symbol": "s0", "frame_id": 0, "frame_compile_id": 0})") +
               head(R"({"artifact": 7, "frame_id": 0, "frame_compile_id": 0})") +
               head(R"({"chromium_event": {}, "frame_id": 0, "frame_compile_id": 0, "has_payload": "x"})") +
               "\t[[[[]]]]\n"
        << QString();
    QByteArray sizes;
    for (const char* size : {R"([1, "s0"])", R"("s0")", R"([-9223372036854775808, 1e300])", R"({"s0": [1]})", "[[]]"})
        sizes += head(R"({"describe_tensor": {"id": 0, "describer_id": 0, "size": )" + QByteArray(size) +
                      R"(}, "frame_id": 0, "frame_compile_id": 0})") +
                 head(R"({"describe_source": {"id": 0, "describer_id": 0, "source": ["L['x']"]}, )"
                      R"("frame_id": 0, "frame_compile_id": 0})") +
                 head(R"({"dynamo_output_graph": {"sizes": {"l_x_": ["s0", "s99999999999999999999"], "y": 7}}, )"
                      R"("frame_id": 0, "frame_compile_id": 0, "has_payload": "x"})");
    QTest::newRow("sizes that are none") << sizes << QString();
    const QByteArray deep(5000, '[');
    QTest::newRow("nested values") << head(R"({"chromium_event": {}, "frame_id": 0, "frame_compile_id": 0, )"
                                           R"("has_payload": "x"})") +
                                          "\t" + deep + "\n"
                                   << u"nests its values"_s;
    QByteArray events;
    for (int i = 0; i < 2000; ++i)
        events += head(R"({"chromium_event": {}, "frame_id": 0, "frame_compile_id": 0, "has_payload": "x"})") +
                  R"(	{"ph": "B", "name": "again", "ts": 1e308, "pid": 1e300})" + "\n";
    QTest::newRow("times that never end") << events << QString();
    QByteArray tree =
        head(R"({"dynamo_cpp_guards_str": {}, "frame_id": 0, "frame_compile_id": 0, "has_payload": "x"})");
    for (int i = 0; i < 3000; ++i)
        tree += "\t" + QByteArray(qsizetype{2} * i, '|') + "+- GuardManager: source=L['x']\n";
    QTest::newRow("a deep tree of guards") << tree << QString();
    QTest::newRow("functions that resume themselves")
        << head(R"({"dynamo_start": {"stack": [{"filename": "a", "line": 1, "name": "torch_dynamo_resume_in__at_"}]}, )"
                R"("frame_id": 0, "frame_compile_id": 0})") +
               head(
                   R"({"dynamo_start": {"stack": [{"filename": "a", "line": 1, "name": )"
                   R"("torch_dynamo_resume_in_torch_dynamo_resume_in_f_at_1_at_2"}]}, "frame_id": 1, "frame_compile_id": 0})")
        << QString();
}
void TestPrintedGraphs::damagedTraces() {
    QFETCH(QByteArray, content);
    QFETCH(QString, problem);
    const QString path = scratch_.write(u"damaged.log"_s, content);
    const QString problems = problemsOf(path);
    QVERIFY2(problems.contains(problem), qPrintable(problems));
    QVERIFY2(problems.count(u'\n') <= 3 || problem.isEmpty(), qPrintable(problems));
}

/// Every line of a graph begins with a tab, even if empty; a damaged one may lack it.
void TestPrintedGraphs::emptyLinesOfGraphs() {
    const QByteArray whole = contentOf(traceFile("budget.log"));
    const auto first = whole.indexOf("\n\t        # File: ");
    QVERIFY(first > 0);
    const auto sound = openFile(traceFile("budget.log"));
    const auto damaged = openFile(scratch_.write(u"empty-line.log"_s, QByteArray(whole).insert(first, '\n')));
    const auto graph = [](const Session& session) {
        return q(printGraph(*session.record()->graph(GraphKind::source)));
    };
    QCOMPARE(graph(*damaged), graph(*sound));
}

void TestPrintedGraphs::largeTracesAreIndexed() {
    const QByteArray once = story();
    const QString path = scratch_.at(u"large.log"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    constexpr qint64 megabytes = 60;
    int times = 0;
    for (; file.size() < megabytes * 1'000'000; ++times) file.write(once);
    file.close();
    const TraceLog one = indexTrace(std::string(AOTSCOPE_SOURCE_DIR) + "/tests/data/trace_logs/story.log", {});
    const TraceLog many = indexTrace(path.toStdString(), {});
    QCOMPARE(many.recordCount, one.recordCount * static_cast<std::uint64_t>(times));
    QCOMPARE(many.lines, one.lines * static_cast<std::uint64_t>(times));
    // Repeated numbers belong to other compilations.
    QCOMPARE(many.compiles.size(), one.compiles.size() * static_cast<std::size_t>(times));
    // The last record is at its stated place.
    const LogRecord& last = many.compiles.back().records.back();
    QVERIFY(TraceReader(many).isWhole(last));
    // Places only: about 40 bytes for each record.
    QVERIFY(sizeof(LogRecord) <= 48);
    Progress progress;
    progress.cancel();
    QVERIFY_THROWS_EXCEPTION(Cancelled, indexTrace(path.toStdString(), progress));
}

void TestPrintedGraphs::logsWithoutGraphsTellOfCompilations() {
    // Up to the first graph.
    const QByteArray whole = story();
    const qsizetype graph = whole.indexOf("{\"dynamo_output_graph\"");
    const QString log = scratch_.write(u"early.log"_s, whole.left(whole.lastIndexOf('\n', graph) + 1));
    Options options{.model = log.toStdString()};
    const auto session = Session::open(options, {});
    QVERIFY(session != nullptr);
    QVERIFY(session->record()->passes.empty());
    QVERIFY(session->record()->warnings.front().find("log without graphs") != std::string::npos);
    QCOMPARE(session->compileIds(), (std::vector<std::string>{"0/0"}));
    QCOMPARE(session->options().compileId, std::string("0/0"));
    QCOMPARE(session->trace()->compiles.size(), std::size_t{1});
    QVERIFY(errorOf([&] { session->check({}); }).contains(u"without graphs"_s));
    options.compileId = "7/0";
    QVERIFY(errorOf([&] { Session::open(options, {}); }).contains(u"none of this id"_s));
}

void TestPrintedGraphs::foldersOfRanksOpen() {
    const Scratch folder;
    const auto name = [](int rank) { return u"dedicated_log_torch_trace_rank_%1_x.log"_s.arg(rank); };
    for (const int rank : {0, 1, 10})
        folder.write(name(rank), contentOf(traceFile(rank == 0 ? "rank_0.log" : "rank_1.log")));
    folder.write(u"notes.txt"_s, "def forward(self):\n    return (x,)\n");
    Options options{.model = folder.path().toStdString()};
    const auto first = Session::open(options, {});
    QVERIFY(first != nullptr);
    QCOMPARE(QString::fromStdString(first->trace()->path.filename().string()), name(0));
    QVERIFY(first->rankPrefix().empty());
    const std::string id = first->options().compileId;
    const auto ids = first->compileIds();
    QCOMPARE(ids.back(), "10:" + id);
    QCOMPARE(ids[ids.size() - 2], "1:" + id);
    options.compileId = "1:" + id;
    const auto second = Session::open(options, {}, first);
    QCOMPARE(QString::fromStdString(second->trace()->path.filename().string()), name(1));
    QCOMPARE(second->options().compileId, "1:" + id);
    QCOMPARE(second->rankPrefix(), std::string("1:"));
    QCOMPARE(second->compileIds().front().substr(0, 2), std::string("1:"));
    options.compileId = "0:" + id;
    QCOMPARE(Session::open(options, {}, second)->options().compileId, id);
    options.compileId = "2:" + id;
    QVERIFY(errorOf([&] { Session::open(options, {}); }).contains(u"none of them '2'"_s));
}
