// Dumps of PyTorch's flight recorder: hangs that tests/data/flight_recorder/make.py has planted, and others as NCCL
// would record them.

#include "io/tables/hang_table.h"
#include "load/flight_recorder/flight_reader.h"
#include "load/flight_recorder/hang.h"
#include "support/error.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <algorithm>

namespace aotscope::test::hangs_test {
namespace {

using Ranks = std::vector<int>;

HangReport reportOf(const char* planted) {
    return findHangs(
        readFlightDumps({std::filesystem::path(AOTSCOPE_SOURCE_DIR "/tests/data/flight_recorder") / planted}));
}

QString textOf(const Ranks& ranks) {
    QStringList texts;
    for (const int rank : ranks) texts << QString::number(rank);
    return texts.join(u' ');
}

/// An entry as NCCL's: "all_reduce" number 3 in this state, with this many elements.
struct Call {
    const char* operation;
    int number;
    const char* state = "completed";
    int elements = 4;
    const char* group = "0";
    bool pointToPoint = false;
};

QString entryText(const Call& call, int record) {
    return QStringLiteral(R"({"record_id": %1, "profiling_name": "nccl:%2", "process_group": ["%3", "group %3"],
        "collective_seq_id": %4, "p2p_seq_id": %4, "is_p2p": %5, "state": "%6", "input_sizes": [[%7]],
        "output_sizes": [[%7]], "input_dtypes": ["Float"], "time_created_ns": %1, "retired": true,
        "frames": [{"filename": "/x/torch/distributed/d.py", "line": 1, "name": "wrapper"},
                   {"filename": "/home/me/train.py", "line": %8, "name": "step"}]})")
        .arg(record)
        .arg(QLatin1String(call.operation), QLatin1String(call.group))
        .arg(call.number)
        .arg(call.pointToPoint ? u"true"_s : u"false"_s, QLatin1String(call.state))
        .arg(call.elements)
        .arg(10 * call.number);
}

/// The dump of a rank whose group "0" has these members.
FlightDump dumpOf(int rank, const std::vector<Call>& calls, const char* members = "[0, 1]", int firstRecord = 0) {
    QStringList entries;
    for (const Call& call : calls) entries << entryText(call, firstRecord + static_cast<int>(entries.size()));
    const QString text =
        QStringLiteral(R"({"version": "2.10", "pg_config": {"0": {"name": "0", "desc": "d", "ranks": "%1"}},
                           "entries": [%2]})")
            .arg(QLatin1String(members), entries.join(u','));
    return readFlightDump(text.toStdString(), rank);
}

}  // namespace

class TestHangs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void planted_data() {
        const auto row = columns<QString, QString, QString, int, int>("kind", "ranks", "call", "number", "line");
        row("absent", "missing", "2", "all_reduce", 3, 25);
        row("other_operation", "mismatch", "1", "all_reduce", 4, 33);
        row("other_size", "mismatch", "3", "all_reduce", 3, 38);
        row("other_dtype", "mismatch", "0", "all_reduce", 3, 43);
        row("in_a_group", "missing", "1", "all_reduce", 2, 51);
        row("follows", "missing", "1", "all_reduce", 2, 60);
        row("deadlock", "missing", "0", "all_reduce", 2, 72);
        row("no_root", "missing", "3", "broadcast", 3, 78);
        row("early_exit", "missing", "0", "all_reduce", 5, 0);
        row("barrier", "missing", "1", "barrier", 2, 0);
    }
    void planted() {
        FETCH(QString, kind, ranks, call);
        FETCH(int, number, line);
        const HangReport report = reportOf(QTest::currentDataTag());
        QVERIFY(!report.hangs.empty());
        const Hang& hang = report.hangs.front();
        QCOMPARE(q(name(hang.kind)), kind);
        QCOMPARE(textOf(hang.kind == HangKind::mismatch ? hang.differing : hang.missing), ranks);
        QCOMPARE(q(hang.call().operation), call);
        QCOMPARE(hang.call().sequence, number);
        QCOMPARE(hang.call().line, line);
        QCOMPARE(q(hang.call().file), line ? u"/home/me/planted.py"_s : QString());
        QCOMPARE(report.isDeadlock(), QTest::currentDataTag() == "deadlock"_L1);
        QCOMPARE(hangTable(report).rows.size(), std::size_t{4});
    }
    void sentences() {
        QCOMPARE(
            q(hangText(reportOf("absent"))),
            u"rank 2 has not called all_reduce number 3 of group 'default_pg', which ranks 0, 1 and 3 wait for "
            "(planted.py:25 in absent); the last call of rank 2 is all_reduce number 2 (planted.py:19 in reduced), "
            "which is done\n"_s);
        QCOMPARE(q(hangText(reportOf("other_operation"))),
                 u"ranks call different things as number 4 of group 'default_pg': rank 1 calls broadcast of [4] Float "
                 "(planted.py:31 in other_operation), where ranks 0, 2 and 3 call all_reduce of [4] Float "
                 "(planted.py:33 in other_operation)\n"_s);
    }

    void finishedRunsDoNotHang() {
        const HangReport report = findHangs(
            {dumpOf(0, {{"all_reduce", 1}, {"broadcast", 2}}), dumpOf(1, {{"all_reduce", 1}, {"broadcast", 2}})});
        QVERIFY(report.hangs.empty());
        QCOMPARE(q(hangText(report)), u"2 ranks: no collective hangs, all that were called are done\n"_s);
    }
    /// A root may be done with its broadcast before the others have called it.
    void whatIsDoneDoesNotHang() { QVERIFY(findHangs({dumpOf(0, {{"broadcast", 1}}), dumpOf(1, {})}).hangs.empty()); }
    /// Wrong results that do not hang are told, too, and do not hide what hangs later.
    void mismatchesThatAreDone() {
        const HangReport report = findHangs({dumpOf(0, {{"all_reduce", 1}, {"all_reduce", 2, "started"}}),
                                             dumpOf(1, {{"all_reduce", 1, "completed", 9}})});
        QCOMPARE(report.hangs.size(), std::size_t{2});
        QCOMPARE(report.hangs[0].kind, HangKind::mismatch);
        QCOMPARE(textOf(report.hangs[0].differing), u"0 1"_s);
        QCOMPARE(report.hangs[1].kind, HangKind::missing);
        QVERIFY(hangText(report).find("it did not hang, but its results are wrong") != std::string::npos);
    }
    void allHaveCalledIt() {
        const HangReport report =
            findHangs({dumpOf(0, {{"all_reduce", 7, "started"}}), dumpOf(1, {{"all_reduce", 7, "scheduled"}})});
        QCOMPARE(report.hangs.at(0).kind, HangKind::stuck);
        QVERIFY(
            q(hangText(report)).startsWith(u"ranks 0 and 1 have all called all_reduce number 7 of group 'group 0'"_s));
    }
    /// What has left the ring buffer of a rank was called.
    void ringBuffers() {
        const HangReport report = findHangs({dumpOf(0, {{"all_reduce", 5}, {"all_reduce", 9, "started"}}, "[0, 1]", 4),
                                             dumpOf(1, {{"all_reduce", 8}}, "[0, 1]", 7)});
        QCOMPARE(report.hangs.size(), std::size_t{1});
        QCOMPARE(report.hangs[0].call().sequence, 9);
        QCOMPARE(textOf(report.hangs[0].missing), u"1"_s);
        const HangReport elsewhere = findHangs({dumpOf(0, {{"all_reduce", 1, "started"}}),
                                                dumpOf(1, {{"all_reduce", 40, "completed", 4, "tp"}}, "[0, 1]", 90)});
        QVERIFY(elsewhere.hangs.at(0).missing.empty());
    }
    void groupsOfOneName() {
        const HangReport report =
            findHangs({dumpOf(0, {{"all_reduce", 1}}), dumpOf(1, {{"all_reduce", 1}}),
                       dumpOf(2, {{"all_reduce", 1, "started"}}, "[2, 3]"), dumpOf(3, {}, "[2, 3]")});
        QCOMPARE(report.hangs.size(), std::size_t{1});
        QCOMPARE(textOf(report.hangs[0].missing), u"3"_s);
    }
    void ranksWithoutDump() {
        const HangReport report = findHangs({dumpOf(0, {{"all_reduce", 1, "started"}}, "[0, 1, 2]")});
        QCOMPARE(textOf(report.hangs.at(0).withoutDump), u"1 2"_s);
        QVERIFY(q(hangText(report)).contains(u"there is no dump of ranks 1 and 2"_s));
    }
    /// Only the last entry of operations that are issued together is kept up to date.
    void coalescedOperations() {
        const std::vector<Call> calls = {{"reduce_scatter", 1, "scheduled"}, {"coalesced", 1, "completed"}};
        QVERIFY(findHangs({dumpOf(0, calls), dumpOf(1, calls)}).hangs.empty());
    }
    void sendsAndReceives_data() {
        const auto row = columns<QString, QString>("kind", "ranks");
        row("nobody receives", "missing", "1");
        row("receives less", "mismatch", "0 1");
        row("both wait", "stuck", "");
    }
    void sendsAndReceives() {
        FETCH(QString, kind, ranks);
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        const Call send{"send 0->1", 6, "started", 4, "0", true};
        std::vector<Call> received = {{"recv 1<-0", 1, "completed", 4, "0", true}};
        if (tag != u"nobody receives"_s)
            received.push_back({"recv 1<-0", 2, "started", tag == u"receives less"_s ? 2 : 4, "0", true});
        const HangReport report = findHangs({dumpOf(0, {send}), dumpOf(1, received)});
        QCOMPARE(report.hangs.size(), std::size_t{1});
        const Hang& hang = report.hangs[0];
        QCOMPARE(q(name(hang.kind)), kind);
        QCOMPARE(textOf(hang.kind == HangKind::mismatch ? hang.differing : hang.missing), ranks);
    }
    /// Ranks may give different numbers of elements to some operations.
    void unequalSizes() {
        const auto report = [](const char* operation) {
            return findHangs({dumpOf(0, {{operation, 1, "started", 4}}), dumpOf(1, {{operation, 1, "started", 9}})});
        };
        QCOMPARE(report("all_to_all_single").hangs.at(0).kind, HangKind::stuck);
        QCOMPARE(report("all_reduce").hangs.at(0).kind, HangKind::mismatch);
    }

    void foreignFiles_data() {
        const auto row = columns<QString, QByteArray, QString>("file", "content", "sentence");
        row("no rank", "dump", "{}", u"has a name that does not end with its rank"_s);
        row("other JSON", "rank_0", "{\"a\": 1}", u"is not a dump of the flight recorder: expected a pickle or JSON"_s);
        row("no JSON", "rank_0", "hello", u"is not a dump of the flight recorder: "_s);
        row("another pickle", "rank_0", "\x80\x02}.", u"is not a dump of the flight recorder: expected a pickle"_s);
        row("an object", "rank_0",
            "\x80\x02}(X\x07" + QByteArray(3, '\0') + "versionX\x01" + QByteArray(3, '\0') + "1X\x07" +
                QByteArray(3, '\0') + "entries](cos\nsystem\neu.",
            u"is not a dump of the flight recorder: it makes a Python object"_s);
        row("an entry that is none", "rank_0", R"({"version": "2.10", "entries": [7]})", u"in entry 0"_s);
    }
    void foreignFiles() {
        QFETCH(QString, file);
        QFETCH(QByteArray, content);
        QFETCH(QString, sentence);
        const Scratch scratch;
        const QString path = scratch.write(file, content);
        const QString error = errorOf([&] { readFlightDumps({std::filesystem::path(path.toStdString())}); });
        QVERIFY2(error.startsWith(u"'%1' %2"_s.arg(path, sentence)), qPrintable(error));
    }
    void foldersWithoutDumps() {
        const Scratch scratch;
        scratch.write(u"readme_0"_s, "nothing");
        const QString error = errorOf([&] { readFlightDumps({std::filesystem::path(scratch.path().toStdString())}); });
        QVERIFY2(error.contains(u"holds no dump of the flight recorder; expected files such as nccl_trace_rank_0"_s),
                 qPrintable(error));
    }
};

AOTSCOPE_TEST(TestHangs)

}  // namespace aotscope::test::hangs_test

#include "test_hangs.moc"
