// Logs of TORCH_TRACE, and all ranks of a program, on another machine.

#include "test_remote.h"

#include "io/ranks/ranks_text.h"
#include "io/trace/trace_log_text.h"
#include "ir/printer.h"
#include "load/trace_log/trace_indexer.h"
#include "load/trace_log/trace_story.h"
#include "session/engine.h"
#include "session/ranks/compared_ranks.h"
#include "session/ranks/rank_runs.h"
#include "session/remote/log_message.h"
#include "support/error.h"
#include "support/patience.h"
#include "support/program.h"
#include "support/text.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

const QString kTraceLogs = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/");

QString overviewOf(const Session& session) {
    const auto log = session.trace();
    if (!log) return u"no log"_s;
    std::vector<CompileStory> stories;
    for (const TracedCompile& compile : log->compiles) stories.push_back(readStory(*log, compile, {}));
    return q(overviewText(*log, stories) + problemsText(*log, stories));
}

std::shared_ptr<const Session> openHere(const QString& model, const char* compileId = "") {
    return Session::open({.model = model.toStdString(), .compileId = compileId}, {});
}

/// The model's files of every rank.
Options distributed(Options options, const QString& model) {
    const QString files = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/distributed/") + model;
    options.weights = (files + u".{rank}.pt"_s).toStdString();
    options.inputs = std::filesystem::path((files + u".{rank}.inputs.pt"_s).toStdString());
    return options;
}

}  // namespace

void TestRemote::readsLogsLikeHere() {
    for (const char* name : {"story.log", "inductor.log"}) {
        const QString path = kTraceLogs + QLatin1String(name);
        const auto far = Session::open(optionsFor(path), {}), local = openHere(path);
        QCOMPARE(overviewOf(*far), overviewOf(*local));
        QCOMPARE(far->compileIds(), local->compileIds());
        QCOMPARE(far->trace()->path.filename(), local->trace()->path.filename());
    }
    // Another compilation of it does not cause another read.
    Options options = optionsFor(kTraceLogs + u"story.log"_s);
    const auto first = Session::open(options, {});
    options.compileId = first->compileIds().back();
    QVERIFY(options.compileId != first->options().compileId);
    const auto second = Session::open(options, {}, first);
    QCOMPARE(second->trace(), first->trace());
    QCOMPARE(second->options().compileId, options.compileId);
    // Models have none.
    QVERIFY(!Session::open(optionsFor(u"sample:mlp"_s), {})->trace());
}

void TestRemote::readsFoldersOfRanks() {
    const QString folder = scratch_.at(u"ranks"_s);
    QVERIFY(QDir().mkpath(folder));
    for (const int rank : {0, 1})
        QFile::copy(kTraceLogs + u"rank_%1.log"_s.arg(rank),
                    folder + u"/dedicated_log_torch_trace_rank_%1_x.log"_s.arg(rank));
    Options options = optionsFor(folder);
    const auto far = Session::open(options, {});
    QCOMPARE(far->compileIds(), openHere(folder)->compileIds());
    QCOMPARE(overviewOf(*far), overviewOf(*openHere(folder)));
    QCOMPARE(q(far->trace()->path.parent_path().string()), folder);
    QCOMPARE(far->trace()->files->logsAt(folder.toStdString(), {}).size(), std::size_t{2});
    options.compileId = "1:0/0";
    const auto other = Session::open(options, {}, far);
    QCOMPARE(other->rankPrefix(), std::string("1:"));
    QCOMPARE(overviewOf(*other), overviewOf(*openHere(folder, "1:0/0")));
}

/// Answers with what was found in a log are complete, and damaged ones are refused, or harmless.
void TestRemote::sendsWhatIsInLogs() {
    const TraceLog log = indexTrace((kTraceLogs + u"story.log"_s).toStdString(), {});
    const std::string sent = packedLog(log);
    TraceLog received = unpackedLog(sent);
    received.files = log.files;
    QCOMPARE(packedLog(received), sent);
    QCOMPARE(received.recordCount, log.recordCount);
    QCOMPARE(received.bytes, log.bytes);
    QCOMPARE(received.compiles.size(), log.compiles.size());
    std::vector<CompileStory> storiesThere, storiesHere;
    for (std::size_t i = 0; i < log.compiles.size(); ++i) {
        const TracedCompile &there = received.compiles[i], &here = log.compiles[i];
        QVERIFY(there.id == here.id && there.code == here.code && there.symbols == here.symbols);
        QCOMPARE(there.records.size(), here.records.size());
        for (std::size_t r = 0; r < here.records.size(); ++r) {
            const LogRecord &a = there.records[r], &b = here.records[r];
            QVERIFY(a.offset == b.offset && a.payload == b.payload && a.line == b.line && a.head == b.head);
            QVERIFY(a.name == b.name && a.attempt == b.attempt);
        }
        storiesThere.push_back(readStory(received, there, {}));
        storiesHere.push_back(readStory(log, here, {}));
    }
    QCOMPARE(q(overviewText(received, storiesThere)), q(overviewText(log, storiesHere)));
    TraceLog nameless = log;
    nameless.names.resize(1);
    QVERIFY(errorOf([&] { unpackedLog(packedLog(nameless)); }).contains(u"a record without a name"_s));
    for (std::size_t at = 0; at < sent.size(); at += sent.size() / 997 + 1) {
        std::string damaged = sent;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
        for (const std::string& bytes : {damaged, sent.substr(0, at)}) try {
                (void)unpackedLog(bytes);
            } catch (const Error&) {}
    }
}

void TestRemote::comparesRanksThere() {
    const QString folder = scratch_.at(u"compared"_s);
    QVERIFY(QDir().mkpath(folder));
    std::vector<std::string> files;
    for (const int rank : {0, 1}) {
        const QString copy = folder + u"/dedicated_log_torch_trace_rank_%1_x.log"_s.arg(rank);
        QVERIFY(QFile::copy(kTraceLogs + u"rank_%1.log"_s.arg(rank), copy));
        files.push_back(optionsFor(copy).model);
    }
    const RankComparison here = compareRankFiles({folder.toStdString()}, {}, *engineHere(), {});
    QVERIFY(!here.differences.empty());
    const RankComparison there = compareRankFiles({optionsFor(folder).model}, {}, *engineHere(), {});
    QCOMPARE(q(rankComparisonText(there)), q(rankComparisonText(here)));
    QCOMPARE(q(rankComparisonText(compareRankFiles(files, {}, *engineHere(), {}))), q(rankComparisonText(here)));
    // Models there are not logs.
    const std::string model =
        optionsFor(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/distributed/mlp_fsdp.pt2")).model;
    QVERIFY(compareRankFiles({model, model}, {}, *engineHere(), {}).differences.empty());
    const QString none = errorOf([&] {
        compareRankFiles({optionsFor(folder + u'x').model, model}, {}, *engineHere(), {});
    });
    QVERIFY2(none.contains(folder + u'x'), qPrintable(none));
}

void TestRemote::listsCompilationsThere() {
    const auto compiles = [](const QString& place) { return runProgram({u"compiles"_s, place}); };
    const auto far = [](const QString& path) { return q(optionsFor(path).model); };
    const QString story = kTraceLogs + u"story.log"_s;
    const ProgramRun there = compiles(far(story)), here = compiles(story);
    QVERIFY2(there.code == 0 && there.out.size() > 100, there.text().constData());
    QCOMPARE(there.out, here.out);
    const ProgramRun none = compiles(far(QStringLiteral(AOTSCOPE_SOURCE_DIR "/README.md")));
    QVERIFY2(none.code == 1 && none.oneSentence() && none.err.contains("is not a TORCH_TRACE log"),
             none.text().constData());
    const ProgramRun followed = runProgram({u"compiles"_s, far(story), u"--follow"_s});
    QVERIFY2(followed.code == 2 && followed.oneSentence(), followed.text().constData());
}

void TestRemote::runsRanksThere() {
    const QString model = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/distributed/mlp_tensor.pt2");
    const Options here{.model = model.toStdString()};
    const auto run = [&](const Options& options, const char* values) {
        const RankJob job{scratch_.at(QLatin1String(values)).toStdString(), TimingOptions{2, 1}};
        return compileRanks(distributed(options, u"mlp_tensor"_s), 4, {})->run(job, {});
    };
    const auto far = run(optionsFor(model), "far{rank}.pt"), local = run(here, "here{rank}.pt");
    QCOMPARE(far.size(), std::size_t{4});
    for (std::size_t rank = 0; rank < 4; ++rank) {
        QVERIFY(far[rank].check.ok && local[rank].check.ok);
        QCOMPARE(far[rank].check.values.size(), local[rank].check.values.size());
        QCOMPARE(far[rank].timing->iterations, 2);
        QCOMPARE(far[rank].options.world.rank, rank);
        QCOMPARE(q(printGraph(*far[rank].session->record()->graph(GraphKind::forward))),
                 q(printGraph(*local[rank].session->record()->graph(GraphKind::forward))));
        QCOMPARE(contentOf(scratch_.at(u"far%1.pt"_s.arg(rank))), contentOf(scratch_.at(u"here%1.pt"_s.arg(rank))));
    }
    const QString error = errorOf([&] { far[1].session->check({}); });
    QVERIFY2(error.contains(u"only run together with the others"_s), qPrintable(error));
    // Rank 4 has no weights: the same message as here.
    const auto why = [&](Options options) {
        options = distributed(options, u"mlp_tensor"_s);
        return errorOf([&] { compileRanks(options, 5, {})->run({}, {}); });
    };
    QVERIFY(!why(here).isEmpty());
    QCOMPARE(why(optionsFor(model)), why(here));
}
