// Runs that do not differ, or only in what is ignored.

#include "compared_runs.h"
#include "test_differences.h"

#include "io/session/session_file.h"
#include "record/options/option_values.h"
#include "support/scratch.h"

using namespace aotscope;
using namespace aotscope::test;

void TestDifferences::unchangedPairs_data() {
    QTest::addColumn<QString>("model");
    for (const char* name : {"sincos", "mlp", "aliasing", "mutations", "gpt2-tiny"})
        QTest::addRow("%s", name) << u"sample:"_s + QLatin1String(name);
    for (const char* file : {"attention.log", "batch_norm.log", "checkpoint.log", "control_flow.log", "dynamic.log",
                             "mlp.log", "mlp.trace", "t_tied_weights.log", "plain.txt", "symbols.txt", "module.txt",
                             "passes/plain", "passes/step", "passes/inductor"})
        QTest::addRow("%s", file) << QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/") + QLatin1String(file);
}
/// Compiled twice, as a report, as a session: in every combination.
void TestDifferences::unchangedPairs() {
    QFETCH(const QString, model);
    const Scratch scratch;
    const std::string file = scratch.at(u"saved.aotscope"_s).toStdString();
    const Options options{.model = model.toStdString()};
    const auto session = Session::open(options, {});
    writeSessionFile(file, session->content());
    const Opened once{session->options(), session->record()}, again = opened(options.model), saved = opened(file);
    const std::vector<ComparedRun> runs = {once.run(), again.run(), saved.run(), once.reported(), saved.reported()};
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (std::size_t k = 0; k < runs.size(); ++k) {
            const RunDifference difference = compare(runs[i], runs[k]);
            QVERIFY2(difference.empty(), qPrintable(u"%1 %2: "_s.arg(i).arg(k) + described(difference)));
        }
}

/// A value stays the same under another name.
void TestDifferences::renamedValues() {
    const Opened& before = sample("gpt2-tiny");
    std::string text = printGraph(*before.record->graph(GraphKind::joint), Detail::full);
    const QString renamed = q(text).replace(QRegularExpression(u"%(\\w+)"_s), u"%n_\\1"_s);
    const Opened after = before.with(GraphKind::joint, parseSound(renamed.toStdString()));
    const RunDifference difference = compare(before.run(), after.run());
    const GraphDifference& joint = *difference.of(GraphKind::joint);
    QCOMPARE(joint.renamed, joint.before->size() - 1);  // except the output, which has no name
    QCOMPARE(joint.changed + joint.added + joint.removed + joint.moved, std::size_t{0});
    QVERIFY(compare(before.run(), after.run(), {Aspect::names}).of(GraphKind::joint)->empty());
}

/// One additional operation is one difference, not one in everything after it.
void TestDifferences::whatIsBehindAChangeIsFoundAgain() {
    const auto graphOf = [](bool longer) {
        std::string text = "graph g\n%x : f32[4] = placeholder ; id=0\n", last = "x";
        for (int i = 0; i < 40; ++i) {
            if (longer && i == 3) {
                text += "%more : f32[4] = aten.sin.default(%x) ; id=99\n";
                last = "more";
            }
            const std::string name = "n" + std::to_string(i);
            text += "%" + name + " : f32[4] = aten.sin.default(%" + last + ") ; id=" + std::to_string(i + 1) + "\n";
            last = name;
        }
        return std::shared_ptr<const Graph>(parseSound(text + "return [%" + last + " : output]\n"));
    };
    const GraphDifference difference = compareGraphsOfRuns(graphOf(false), graphOf(true), GraphKind::inference, {});
    QVERIFY2(difference.added + difference.removed + difference.changed <= 5, qPrintable(q(summaryOf(difference))));
}

/// A baseline written by an older version has no exact graphs, or only counts.
void TestDifferences::olderReports() {
    const json report = sample("mlp").report();
    json printed = report, counts = report;
    for (auto& [kind, graph] : printed["graphs"].items()) graph.erase("full_text");
    for (auto& [kind, graph] : counts["graphs"].items()) graph = {{"ops", graph["ops"]}};
    const RunDifference toPrinted = compare(comparedReport(report, "a"), comparedReport(printed, "b"));
    QVERIFY2(toPrinted.empty() && described(toPrinted).contains(u"not compared: memory"_s),
             qPrintable(described(toPrinted)));
    const RunDifference toCounts = compare(comparedReport(counts, "a"), comparedReport(report, "b"));
    QVERIFY2(toCounts.empty() && described(toCounts).contains(u"not compared: nodes"_s),
             qPrintable(described(toCounts)));
    counts["graphs"]["joint"]["ops"]["aten.planted.default"] = 1;
    QVERIFY(!compare(comparedReport(counts, "a"), comparedReport(report, "b")).empty());
}

/// Another batch size is a difference of sizes, of rules that depend on them, and of nothing else.
void TestDifferences::otherSizes() {
    const auto withBatch = [](const char* spec) {
        Options options{.model = "sample:mlp"};
        setOption(optionNamed("--inputs"), options, {spec});
        const auto session = Session::open(options, {});
        return comparedRun(session->options(), session->record());
    };
    const ComparedRun small = withBatch("f32[4, 64]"), large = withBatch("f32[40, 64]");
    const RunDifference difference = compare(small, large);
    QVERIFY(!difference.empty() && difference.of(GraphKind::joint)->changed > 5);
    QCOMPARE(difference.of(GraphKind::joint)->added + difference.of(GraphKind::joint)->removed, std::size_t{0});
    const RunDifference others = compare(small, large, {Aspect::shapes, Aspect::reasons});
    QVERIFY2(others.empty(), qPrintable(described(others)));
}
