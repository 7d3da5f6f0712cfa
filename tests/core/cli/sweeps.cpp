// The subcommand sweep.

#include "test_cli.h"

#include "record/sweep_list.h"
#include "support/error.h"

#include <QJsonArray>

using namespace aotscope;
using namespace aotscope::test;

void TestCli::runsOfASweep() {
    const auto texts = [](std::string_view document) {
        QStringList list;
        for (const SweepRun& run : sweepRuns(document))
            list << QString::number(run.place) + QLatin1Char(' ') + QString::fromStdString(run.text);
        return list;
    };
    QCOMPARE(texts("# models\n\n  sample:mlp --seed 3 \r\nsample:sincos"),
             (QStringList{QStringLiteral("3 sample:mlp --seed 3"), QStringLiteral("4 sample:sincos")}));
    QCOMPARE(
        texts(R"( ["sample:mlp", {"model": "a.pt2"}, {"model": "b.pt2", "options": "--seed 1"}])"),
        (QStringList{QStringLiteral("1 sample:mlp"), QStringLiteral("2 a.pt2"), QStringLiteral("3 b.pt2 --seed 1")}));
}

void TestCli::sweepsInOneTable() {
    const QString list = scratch_.write(QStringLiteral("sweep.txt"),
                                        "sample:mlp\nsample:mlp --memory-budget 0\n# a comment\nmissing.pt2\n");
    const QString json = at(QStringLiteral("sweep.json")), csv = at(QStringLiteral("sweep.csv"));
    const ProgramRun run =
        runProgram({QStringLiteral("sweep"), list, QStringLiteral("--check"), QStringLiteral("--time"),
                    QStringLiteral("2"), QStringLiteral("--json"), json, QStringLiteral("--csv"), csv});
    QVERIFY2(run.code == 1, run.text().constData());  // one of them failed
    QVERIFY2(run.out.contains("missing.pt2: cannot read 'missing.pt2': "), run.out.constData());
    const QJsonArray points = readJson(json)[QLatin1String("points")].toArray();
    QCOMPARE(points.size(), 3);
    QVERIFY(points[0][QLatin1String("equal")].toBool() && points[1][QLatin1String("equal")].toBool());
    QVERIFY(points[0][QLatin1String("saved_bytes")].toInteger() > points[1][QLatin1String("saved_bytes")].toInteger());
    QVERIFY(points[1][QLatin1String("backward_ops")].toInteger() >
            points[0][QLatin1String("backward_ops")].toInteger());
    QVERIFY(points[1][QLatin1String("ratio")].toDouble() > 0);
    QVERIFY(points[2][QLatin1String("error")].toString().contains(QLatin1String("no such file")));
    const QByteArrayList lines = contentOf(csv).split('\n');
    QCOMPARE(lines.size(), 5);
    QVERIFY(lines[0].startsWith("run,forward_ops,") && lines[2].startsWith("sample:mlp --memory-budget 0,"));
    for (const QByteArray& line : lines.mid(0, 3)) QCOMPARE(line.count(','), lines[0].count(','));
}

/// Whoever wrote the list writes nothing else on the terminal.
void TestCli::sweepsOfStrangers() {
    const QString csv = at(QStringLiteral("strangers.csv"));
    const ProgramRun run =
        runProgram({QStringLiteral("sweep"),
                    scratch_.write(QStringLiteral("strangers.txt"), "\x1b]0;a\x07.pt2\n\xe2\x80\xaesample:mlp\n"),
                    QStringLiteral("--csv"), csv});
    QCOMPARE(run.code, 1);
    for (const QByteArray& text : {run.out, run.err, contentOf(csv)})
        QVERIFY2(!text.contains('\x1b') && !text.contains('\x07') && !text.contains("\xe2\x80\xae"), text.constData());
    QVERIFY2(run.out.contains("\n\\x1b]0;a\\x07.pt2: cannot read"), run.out.constData());
}

void TestCli::badSweeps_data() {
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QByteArray>("sentence");
    const auto row = [](const char* name, const char* list, const char* sentence) {
        QTest::newRow(name) << QByteArray(list) << QByteArray(sentence);
    };
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
    QFETCH(QByteArray, list);
    QFETCH(QByteArray, sentence);
    const ProgramRun run = runProgram({QStringLiteral("sweep"), scratch_.write(QStringLiteral("bad.txt"), list)});
    QVERIFY2(run.code == 2 && run.oneSentence(), run.text().constData());
    QVERIFY2(run.err.contains(sentence), run.err.constData());
}
