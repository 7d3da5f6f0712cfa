// The subcommand sweep.

#include "test_cli.h"

#include "record/sweep_list.h"
#include "support/error.h"

using namespace aotscope;
using namespace aotscope::test;

void TestCli::runsOfASweep() {
    const auto texts = [](std::string_view document) {
        QStringList list;
        for (const SweepRun& run : sweepRuns(document))
            list << QString::number(run.place) + u' ' + QString::fromStdString(run.text);
        return list;
    };
    QCOMPARE(texts("# models\n\n  sample:mlp --seed 3 \r\nsample:sincos"),
             (QStringList{u"3 sample:mlp --seed 3"_s, u"4 sample:sincos"_s}));
    QCOMPARE(texts(R"( ["sample:mlp", {"model": "a.pt2"}, {"model": "b.pt2", "options": "--seed 1"}])"),
             (QStringList{u"1 sample:mlp"_s, u"2 a.pt2"_s, u"3 b.pt2 --seed 1"_s}));
}

void TestCli::sweepsInOneTable() {
    const QString list =
        scratch_.write(u"sweep.txt"_s, "sample:mlp\nsample:mlp --memory-budget 0\n# a comment\nmissing.pt2\n");
    const QString json = at(u"sweep.json"_s), csv = at(u"sweep.csv"_s);
    const ProgramRun run =
        runProgram({u"sweep"_s, list, u"--check"_s, u"--time"_s, u"2"_s, u"--json"_s, json, u"--csv"_s, csv});
    QVERIFY2(run.code == 1, run.text().constData());  // one of them failed
    QVERIFY2(run.out.contains("missing.pt2: cannot read 'missing.pt2': "), run.out.constData());
    const QJsonArray points = readJson(json)["points"_L1].toArray();
    QCOMPARE(points.size(), 3);
    QVERIFY(points[0]["equal"_L1].toBool() && points[1]["equal"_L1].toBool());
    QVERIFY(points[0]["saved_bytes"_L1].toInteger() > points[1]["saved_bytes"_L1].toInteger());
    QVERIFY(points[1]["backward_ops"_L1].toInteger() > points[0]["backward_ops"_L1].toInteger());
    QVERIFY(points[1]["ratio"_L1].toDouble() > 0);
    QVERIFY(points[2]["error"_L1].toString().contains("no such file"_L1));
    const QByteArrayList lines = contentOf(csv).split('\n');
    QCOMPARE(lines.size(), 5);
    QVERIFY(lines[0].startsWith("run,forward_ops,") && lines[2].startsWith("sample:mlp --memory-budget 0,"));
    for (const QByteArray& line : lines.mid(0, 3)) QCOMPARE(line.count(','), lines[0].count(','));
}

/// The author of the list cannot write anything else to the terminal.
void TestCli::sweepsOfStrangers() {
    const QString csv = at(u"strangers.csv"_s);
    const ProgramRun run =
        runProgram({u"sweep"_s, scratch_.write(u"strangers.txt"_s, "\x1b]0;a\x07.pt2\n\xe2\x80\xaesample:mlp\n"),
                    u"--csv"_s, csv});
    QCOMPARE(run.code, 1);
    for (const QByteArray& text : {run.out, run.err, contentOf(csv)})
        QVERIFY2(!text.contains('\x1b') && !text.contains('\x07') && !text.contains("\xe2\x80\xae"), text.constData());
    QVERIFY2(run.out.contains("\n\\x1b]0;a\\x07.pt2: cannot read"), run.out.constData());
}

void TestCli::badSweeps_data() {
    const auto row = columns<QByteArray, QByteArray>("list", "sentence");
    row("empty", "", "has no runs; expected one a line");
    row("comments", "# sample:mlp\n\n", "has no runs");
    row("an empty list", "[]", "has no runs");
    row("no model", "--seed 3", "run 1 \"--seed 3\": MODEL is required");
    row("an unknown option", "sample:mlp\nsample:mlp --sed 3", "run 2 \"sample:mlp --sed 3\": ");
    row("a bad value", "sample:mlp --seed x", "--seed");
    row("half a list", "[\"sample:mlp\"", "begins like a JSON list, which it is not: parse error at");
    row("a number", "[\"sample:mlp\", 3]", "entry 2 is neither a text nor {");
    row("another member", "[{\"model\": \"sample:mlp\", \"sed\": 3}]", "entry 1 is neither");
    row("options as a list", "[{\"model\": \"sample:mlp\", \"options\": [1]}]", "entry 1 is neither");
}
void TestCli::badSweeps() {
    FETCH(QByteArray, list, sentence);
    const ProgramRun run = runProgram({u"sweep"_s, scratch_.write(u"bad.txt"_s, list)});
    QVERIFY2(run.code == 2 && run.oneSentence(), run.text().constData());
    QVERIFY2(run.err.contains(sentence), run.err.constData());
}
