// How ranks in processes meet, their messages, and how their clocks and runs are compared.

#include "distributed/followed_world.h"
#include "distributed/launch.h"
#include "distributed/rank_process.h"
#include "distributed/rendezvous.h"
#include "io/rank_timeline.h"
#include "io/tables/rank_tables.h"
#include "io/tables/table_text.h"
#include "session/session.h"
#include "support/json/json_text.h"
#include "support/json/message_members.h"
#include "support/program.h"
#include "support/rank_children.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/ops/ones.h>

#include <array>
#include <atomic>
#include <cmath>
#include <future>
#include <limits>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace aotscope::test::rank_meeting_test {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::minutes kLimit{5};

/// A run of ranks that no other test uses.
std::string newJob() {
    static std::atomic<int> last = 0;
    return "test " + std::to_string(::getpid()) + " " + std::to_string(++last);
}

Launch launchOf(std::size_t rank, std::size_t size, const std::string& job) {
    return {.launcher = "torchrun",
            .rank = rank,
            .size = size,
            .oneMachine = true,
            .job = job,
            .variables = {"RANK", "WORLD_SIZE"}};
}

/// The output and the end of a rank that is a thread of this test.
struct MetRank {
    QString error;      ///< empty: it has met the others
    bool told = false;  ///< this rank informed the user
};

MetRank meetAs(const Launch& launch, const WaitNotices& notices, const std::function<void(RankProcess&)>& job = {}) {
    MetRank met;
    RankProcess process(launch, {}, kLimit);
    try {
        process.meet(notices);
        if (job) job(process);
        process.finish();
    } catch (const Error& e) {
        met.error = q(e.what());
        process.report(e.what(), [&](const std::string&) { met.told = true; });
    }
    return met;
}

/// A connection to rank 0 by a process that knows the token, and claims to be rank 1.
class FalseRank {
public:
    explicit FalseRank(const FirstRank& first) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(first.address.port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) qFatal("no rank 0");
        send(kMagic), send(1U);
        say(first.token);
    }
    FalseRank(const FalseRank&) = delete;
    FalseRank& operator=(const FalseRank&) = delete;
    ~FalseRank() { ::close(socket_); }

    void sendMessage(const std::string& head) {
        send(kMagic), send(static_cast<std::uint32_t>(head.size())), send(std::uint64_t{0});
        say(head);
    }
    /// Until rank 0 has closed the connection.
    void waitForEnd() const {
        std::array<char, 256> ignored{};
        while (::recv(socket_, ignored.data(), ignored.size(), 0) > 0) {}
    }

private:
    static constexpr std::uint32_t kMagic = 0x616f7473;

    template <typename Number>
    void send(Number number) {
        say({reinterpret_cast<const char*>(&number), sizeof number});
    }
    void say(std::string_view bytes) const {
        if (::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size()))
            qFatal("rank 0 does not listen");
    }

    int socket_;
};

nlohmann::json parsed(const QByteArray& text) {
    return nlohmann::json::parse(QByteArray(text).replace('\'', '"').toStdString());
}

/// Faults in the trace of timed ranks; empty: none.
QString wrongTimeline(const QJsonArray& events, int ranks) {
    QStringList processes;
    int labels = 0;
    QMap<qint64, double> first;  // by process
    for (const QJsonValue event : events) {
        const QString name = event["name"_L1].toString();
        const qint64 process = event["pid"_L1].toInteger();
        if (name == "process_name"_L1) processes << event["args"_L1]["name"_L1].toString();
        labels += name == "process_labels"_L1 ? 1 : 0;
        if (event["ph"_L1] != "X"_L1) continue;
        const double start = event["ts"_L1].toDouble();
        first[process] = first.contains(process) ? std::min(first[process], start) : start;
    }
    if (processes.size() != qsizetype{2} * ranks || first.size() != qsizetype{2} * ranks) return processes.join(u',');
    if (labels != ranks - 1) return u"%1 clocks"_s.arg(labels);
    double earliest = first[1];
    for (int rank = 0; rank < ranks; ++rank) {
        QString measured = u"rank %1 (measured)"_s.arg(rank);
        if (processes[rank] != measured) return measured;
        earliest = std::min(earliest, first[rank + 1]);
    }
    return earliest == 0 ? QString() : u"the first step is at %1"_s.arg(earliest);
}

}  // namespace

class TestRankMeeting : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whoIsMissing() {
        Launch launch = launchOf(0, 20, newJob());
        QCOMPARE(q(waitingText(launch, {3})),
                 u"waiting for rank 3 of 20: RANK and WORLD_SIZE say that torchrun has started it; to run "
                 "without other ranks, give --world-size, or unset RANK and WORLD_SIZE"_s);
        launch.variables.clear();
        QCOMPARE(q(waitingText(launch, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})),
                 u"waiting for ranks 1, 2, 3, 4, 5, 6, 7, 8 and 2 more of 20"_s);
        QVERIFY(q(missingText(launch, {1, 2}, std::chrono::seconds(10)))
                    .startsWith(u"ranks 1, 2 of 20 did not start within 10 s, as torchrun's"_s));
    }

    /// It says so once; rank 0 arrives afterwards.
    void aRankThatWaitsForTheFirst() {
        const std::string run = newJob();
        std::promise<void> waits;
        std::atomic<int> said = 0;
        QString text;
        std::future<MetRank> first = std::async(std::launch::async, [&] {
            waits.get_future().wait();
            return meetAs(launchOf(0, 2, run), {});
        });
        const MetRank second = meetAs(launchOf(1, 2, run), {.say =
                                                                [&](const std::string& notice) {
                                                                    text = q(notice);
                                                                    if (said++ == 0) waits.set_value();
                                                                },
                                                            .first = milliseconds(0)});
        QCOMPARE(first.get().error, QString());
        QCOMPARE(second.error, QString());
        QCOMPARE(said.load(), 1);
        QVERIFY2(text.startsWith(u"waiting for rank 0 of 2: RANK and WORLD_SIZE say"_s), qPrintable(text));
    }

    /// The store of a launcher stays, and messages of ranks must not stay in it.
    void twoRunsOfOneLauncher() {
        Launch launcher = launchOf(0, 2, newJob());
        launcher.address = "127.0.0.1";
        launcher.port = static_cast<std::uint16_t>(freePort());
        const auto store = openRendezvous(launcher, kLimit);
        store->announce({{"127.0.0.1", 1}, "token"});
        const std::string run = newJob();
        for (int i = 0; i < 2; ++i) {
            Launch launch = launcher;
            launch.servesStore = true;
            launch.job = run;
            std::future<MetRank> first = std::async(std::launch::async, [launch] { return meetAs(launch, {}); });
            launch.rank = 1;
            QCOMPARE(meetAs(launch, {}).error, QString());
            QCOMPARE(first.get().error, QString());
        }
    }

    /// Rank 1 disconnects, or sends nonsense, after rank 2 has arrived: both others end at once, with one sentence.
    void aRankThatEndsBeforeAllHaveMet_data() {
        const auto row = columns<QByteArray, QString>("message", "sentence");
        row("breaks off", QByteArray(), "rank 1 has ended before the others: it was killed, or lost its connection");
        row("no message", "{", "rank 1 sends a message that is damaged");
        row("fails", QByteArray(R"({"kind": "failed", "why": "rank 1: it has failed"})"), "rank 1: it has failed");
        row("another version", QByteArray(R"({"kind": "here", "host": "x", "port": 1, "format": 1})"),
            "rank 1 is another version of aotscope; all ranks must run the same one");
    }
    void aRankThatEndsBeforeAllHaveMet() {
        QFETCH(QByteArray, message);
        QFETCH(QString, sentence);
        const std::string run = newJob();
        std::promise<void> others;
        std::atomic<bool> alone = false;
        const auto isAlone = [&](const std::string& notice) {
            if (notice.starts_with("waiting for rank 1 of 3") && !alone.exchange(true)) others.set_value();
        };
        const auto start = [&](std::size_t rank) {
            return std::async(std::launch::async, [&, rank] {
                return meetAs(launchOf(rank, 3, run),
                              {.say = isAlone, .first = milliseconds(0), .again = milliseconds(1)});
            });
        };
        std::future<MetRank> first = start(0), last = start(2);
        {
            FalseRank rank(openRendezvous(launchOf(1, 3, run), kLimit)->first({}));
            others.get_future().wait();
            if (!message.isEmpty()) {
                rank.sendMessage(message.toStdString());
                rank.waitForEnd();
            }
        }
        const MetRank found = first.get(), other = last.get();
        QCOMPARE(found.error, sentence);
        QCOMPARE(other.error, sentence);
        QVERIFY(found.told && !other.told);
    }

    void clocksAreCompared() {
        const std::string run = newJob();
        std::array<RankClock, 3> clocks;
        std::vector<std::future<MetRank>> ranks;
        for (std::size_t rank = 0; rank < clocks.size(); ++rank)
            ranks.push_back(std::async(std::launch::async, [&, rank] {
                return meetAs(launchOf(rank, clocks.size(), run), {},
                              [&, rank](RankProcess& process) { clocks.at(rank) = process.world().compareClocks(); });
            }));
        for (auto& rank : ranks) QCOMPARE(rank.get().error, QString());
        QVERIFY(clocks[0].ahead.count() == 0 && clocks[0].within.count() == 0);
        for (const std::size_t rank : {1, 2}) {  // they have the same clock
            QVERIFY(clocks.at(rank).within.count() > 0);
            QVERIFY(std::abs(clocks.at(rank).ahead.count()) <= clocks.at(rank).within.count());
        }
    }

    void stepsOnTheClockOfAllRanks() {
        CompileRecord record;
        const std::shared_ptr<const Graph> graph = parseSound(
            "graph g\n%x : f32[4] = placeholder(input)\n%y : f32[4] = aten.sin.default(%x)\n"
            "%g : f32[4] = _c10d_functional.all_reduce.default(%y, \"sum\", \"0\")\n"
            "%w : f32[4] = _c10d_functional.wait_tensor.default(%g)\nreturn [%w]");
        record.graphs[GraphKind::forward] = graph;
        std::vector<StepMoment> moments;
        for (const Node* node : graph->nodes()) {
            const auto begin = static_cast<std::int64_t>(5'000'000 + moments.size() * 2'000'000);
            if (node->name() == "y" || node->name() == "g" || node->name() == "w")
                moments.push_back(
                    {GraphKind::forward, node->id(), begin, begin + 2'000'000, node->name() == "w" ? 1'500'000 : 0});
        }
        QCOMPARE(moments.size(), std::size_t{3});
        const RankTimeline found = timelineOfRun(moments, record, 4'000'000);
        QCOMPARE(found.spans.size(), std::size_t{4});
        QCOMPARE(found.computing, 2.0);
        QCOMPARE(found.exchanging, 2.5);
        QCOMPARE(found.waiting, 1.5);
        QCOMPARE(found.spans[0].start, 1.0);
        using Lane = RankTimeline::Lane;
        QVERIFY(found.spans[2].lane == Lane::waits && found.spans[2].node == "w" && found.spans[2].start == 5.0);
        QVERIFY(found.spans[3].lane == Lane::exchanges && found.spans[3].start == 6.5);
        RankTimeline other = found;
        other.clockWithin = 0.025;
        QVERIFY(q(rankTimelinesText({found, other})).contains(u"agree within 25.0 µs"_s));
        QVERIFY(q(rankTimelinesText({found, found})).contains(u"as if each rank had a machine"_s));
        const RankTimeline again = rankTimelineFrom(tableJson(rankTimelineTable({other})).front());
        QVERIFY(again.waiting == other.waiting && again.clockWithin == other.clockWithin);
        QCOMPARE(errorOf([] {
                     rankTimelineFrom({{"computing_ms", "much"}});
                 }),
                 u"sends 'computing_ms': expected a number, found \"much\""_s);
    }

    /// What a rank says of its check, also if its numbers are not finite.
    void checksOfOtherRanks() {
        RankRow rank;
        rank.verdict = CheckVerdict::notCompared;
        rank.gradsMaxError = std::numeric_limits<double>::quiet_NaN();
        rank.peakBytes = 5000;
        rank.details = {"output 0 differs", "output 1 differs"};
        const auto again = rankRowFrom(nlohmann::json::parse(jsonLine(tableJson(rankCheckTable({rank})).front())));
        QVERIFY(again.verdict == rank.verdict && std::isnan(again.gradsMaxError) && !again.ratio);
        QVERIFY(again.peakBytes == rank.peakBytes && again.details == rank.details);
        const QString text = q(tableText(rankCheckTable({again})));
        QVERIFY2(text.contains(u"not compared"_s) && text.contains(u"rank 0: output 1 differs\n1 of 1 rank"_s),
                 qPrintable(text));
        QCOMPARE(errorOf([] {
                     rankRowFrom({{"verdict", "fine"}});
                 }),
                 u"sends 'verdict': expected equal, differs or not compared, found 'fine'"_s);
    }

    void theTimelineOfProcesses() {
        const Scratch scratch;
        const QString report = scratch.at(u"report.json"_s), timeline = scratch.at(u"timeline.json"_s);
        const QString code =
            u"def f(x):\n  return ops._c10d_functional.wait_tensor(ops._c10d_functional.all_reduce(x.sin(), \"sum\", "
            "\"0\"))"_s;
        RankChildren children(Launcher::torchrun, 2,
                              {u"run"_s, u"-e"_s, code, u"--inputs"_s, u"f32[4]"_s, u"--time"_s, u"1"_s, u"--report"_s,
                               report, u"--timeline"_s, timeline});
        children.wait();
        QVERIFY2(children.codes() == (QList<int>{0, 0}), children.text().constData());
        QVERIFY2(
            children.out().contains("measured in one run, on the clock of rank 0, with which those of the others "),
            children.text().constData());
        QCOMPARE(wrongTimeline(readJson(timeline)["traceEvents"_L1].toArray(), 2), QString());
        const QJsonArray sums = readJson(report)["timelines"_L1].toArray();
        QCOMPARE(sums.size(), 2);
        for (const QJsonValue rank : sums) {
            QVERIFY(rank["computing_ms"_L1].toDouble() > 0);
            QVERIFY(rank["exchanging_ms"_L1].toDouble() > 0);
        }
        QVERIFY(sums[0]["clock_within_ms"_L1].toDouble() == 0 && sums[1]["clock_within_ms"_L1].toDouble() > 0);
    }

    /// It would stay empty: all ranks say so before they run.
    void aTimelineWithoutCollectives() {
        const QStringList run{u"run"_s, u"sample:mlp"_s, u"--timeline"_s, u"timeline.json"_s};
        RankChildren children(Launcher::torchrun, 2, run);
        children.wait();
        QVERIFY2(children.codes() == (QList<int>{2, 2}), children.text().constData());
        const ProgramRun threads = runProgram(run + QStringList{u"--ranks"_s, u"2"_s});
        QVERIFY2(threads.code == 2, threads.text().constData());
        for (const QByteArray& text : {children.text(), threads.text()})
            QVERIFY2(text.contains("timeline.json: the graphs have no collectives") && !text.contains("equal"),
                     text.constData());
    }

    /// Between all ranks.
    void messagesThatAreNone_data() {
        columns<QByteArray, QString>("text", "sentence");
        const auto row = [](const char* name, const char* text, const char* sentence) {
            QTest::newRow(name) << QByteArray(text).replace('\'', '"') << sentence;
        };
        row("nothing", "", "sends a message that is damaged");
        row("a list", "[]", "sends a message: expected an object, found []");
        row("without a kind", "{}", "sends a message without 'kind'");
        row("a number as kind", "{'kind': 7}", "sends 'kind': expected a string, found 7");
        row("an unknown kind", "{'kind': 'x'}", "sends a message of an unknown kind, 'x'");
        row("a status", "{'kind': 'status', 'waits': null, 'stamp': 1}",
            "sends 'waits': expected a string, found null");
        row("a stamp", "{'kind': 'status', 'waits': '', 'stamp': -1}",
            "sends 'stamp': expected a number from 0 on, found -1");
        row("no reason", "{'kind': 'failed'}", "sends a message without 'why'");
        row("a port", "{'kind': 'here', 'host': 'x', 'port': 70000, 'format': 2}",
            "sends 'port' as 70000; expected 1 to 65535");
        row("few addresses", "{'kind': 'addresses', 'ranks': []}", "says where 0 ranks are; there are 4");
        row("no place", "{'kind': 'collective', 'group': 'g', 'number': 0, 'size': 2, 'index': 2}",
            "speaks for place 2 of a group of 2 ranks; there are 4 ranks");
        row("a large group", "{'kind': 'collective', 'group': 'g', 'number': 0, 'size': 5, 'index': 1}",
            "speaks for place 1 of a group of 5 ranks; there are 4 ranks");
        row("no contribution", "{'kind': 'collective', 'group': 'g', 'number': 0, 'size': 2, 'index': 1}",
            "sends a message without 'contribution'");
        row("no tensor",
            "{'kind': 'message', 'key': 'k', 'contribution': {'call': '', 'place': '', 'splits': [], 'tensors': []}}",
            "sends a message without a tensor");
        row("a split", "{'kind': 'message', 'key': 'k', 'contribution': {'call': '', 'place': '', 'splits': [0.5]}}",
            "sends 'splits'[0]: expected an integer, found 0.5");
        row("a tensor that is none",
            "{'kind': 'message', 'key': 'k', 'contribution': {'call': '', 'place': '', 'splits': [], 'tensors': [1]}}",
            "sends a message without 'dtype'");
        QTest::newRow("deep") << QByteArray(100'000, '[')
                              << "sends a message that nests its values more than 100 levels deep";
    }
    void messagesThatAreNone() {
        QFETCH(QByteArray, text);
        QFETCH(QString, sentence);
        const QString found = errorOf([&] { meshMessageFrom(text.toStdString(), {}, 4); });
        QVERIFY2(found.startsWith(sentence), qPrintable(found));
    }

    /// From a rank that rank 0 leads through the debugger.
    void requestsThatAreNone_data() {
        const auto row = columns<QByteArray, QString>("text", "sentence");
        row("without a kind", "{}", "sends a message without 'kind'");
        row("an unknown kind", "{'kind': 'x', 'place': ''}", "asks for what rank 0 does not do, 'x'");
        row("no truth", "{'kind': 'any', 'place': '', 'mine': 1}", "sends 'mine': expected true or false, found 1");
        row("no token", "{'kind': 'wait', 'place': ''}", "sends a message without 'token'");
        row("a group that is none", "{'kind': 'exchange', 'place': '', 'token': 1, 'group': []}",
            "sends 'group': expected an object, found []");
        row("a group elsewhere",
            "{'kind': 'exchange', 'place': '', 'token': 1, 'group': {'name': 'g', 'first': 2, 'stride': 2, 'count': 2, "
            "'index': 0}}",
            "speaks of a group 'g' that the world of 4 ranks does not have");
        row("a group without this rank",
            "{'kind': 'exchange', 'place': '', 'token': 1, 'group': {'name': 'g', 'first': 0, 'stride': 1, 'count': 2, "
            "'index': 2}}",
            "speaks of a group 'g' that the world of 4 ranks does not have");
        row("more tensors",
            "{'kind': 'exchange', 'place': '', 'token': 1, 'group': {'name': 'g', 'first': 0, 'stride': 1, 'count': 4, "
            "'index': 0}, 'mine': {'call': 'c', 'splits': [], 'place': '', 'tensors': 3}}",
            "sends a message of 3 tensors with 2");
        row("no such peer",
            "{'kind': 'send', 'place': '', 'group': {'name': 'g', 'first': 0, 'stride': 1, 'count': 4, 'index': 0}, "
            "'mine': {'call': 'c', 'splits': [], 'place': '', 'tensors': 1}, 'peer': 4, 'tag': 0}",
            "speaks of place 4 of a group of 4 ranks");
        row("two tensors for one",
            "{'kind': 'receive', 'place': '', 'token': 1, 'group': {'name': 'g', 'first': 0, 'stride': 1, 'count': 4, "
            "'index': 0}, 'peer': 1, 'tag': 0}",
            "does not say of which type the tensor is that it receives");
    }
    void requestsThatAreNone() {
        QFETCH(QByteArray, text);
        QFETCH(QString, sentence);
        const std::vector<at::Tensor> tensors(2, at::ones({1}));
        const QString found = errorOf([&] { ledRequestFrom(parsed(text), tensors, 4); });
        QCOMPARE(found, sentence);
        QCOMPARE(errorOf([&] { readFromRank(3, [&] { return ledRequestFrom(parsed(text), tensors, 4); }); }),
                 u"rank 3 "_s + sentence);
    }
};

AOTSCOPE_TEST(TestRankMeeting)

}  // namespace aotscope::test::rank_meeting_test

#include "test_rank_meeting.moc"
