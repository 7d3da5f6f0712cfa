// The subcommand minify on planted faults, and code on the command line.

#include "test_cli.h"

using namespace aotscope::test;

namespace {

/// The numbers of a row of the table, before and after.
std::pair<int, int> sizesIn(const QByteArray& text, const char* row) {
    const QRegularExpression line(QLatin1String(row) + u" +([\\d,]+) +([\\d,]+)"_s);
    const auto match = line.match(QString::fromUtf8(text));
    return {match.captured(1).remove(u',').toInt(), match.captured(2).toInt()};
}

QStringList broken(const char* how, const char* at, const char* behind = "") {
    QStringList options{u"--plugin"_s, QStringLiteral(PLUGIN_BROKEN), u"--compiler"_s, u"broken"_s};
    for (const auto& [key, value] : {std::pair{"how", how}, {"at", at}, {"behind", behind}})
        if (*value) options << u"--compiler-option=broken.%1=%2"_s.arg(QLatin1String(key), QLatin1String(value));
    return options;
}

}  // namespace

void TestCli::plantedFaults_data() {
    columns<QStringList, int, QString>("arguments", "operations", "left");
    const auto row = [](const char* name, const QString& model, const char* condition, const QStringList& more,
                        int operations, const char* left) {
        QTest::newRow(name) << (QStringList{u"minify"_s, model, u"--while"_s, QString::fromUtf8(condition)} + more)
                            << operations << QString::fromUtf8(left);
    };
    const QStringList small = words("--inputs f32[2,3,32,32]");
    row("wrong value", u"sample:gpt2-tiny"_s, "check fails", broken("value", "aten.gelu.default"), 1,
        "aten.gelu.default(");
    row("compiler refuses", u"sample:bert-tiny"_s, "compile fails", broken("compile", "aten.tanh.default"), 1,
        "aten.tanh.default(");
    row("two operations", u"sample:resnet18"_s, "check fails | nan",
        broken("value", "aten.relu.default", "aten.add.Tensor") + small, 2, "aten.relu.default(%add");
    row("NaN",
        u"script:def f(x, w):\n    y = torch.mm(x, w).relu()\n    z = (y - 1).sqrt()\n    return "
        "(z * 2).softmax(0) + y.sum()"_s,
        "nan", {u"--inputs"_s, u"f32[8, 16] grad, f32[16, 4] grad"_s}, 1, "aten.sqrt.default(");
    row("operation", u"sample:resnet18"_s, "op:max_pool2d_with_indices_backward", words("--graph backward") + small, 1,
        "aten.max_pool2d_with_indices_backward.default(");
}
void TestCli::plantedFaults() {
    QFETCH(QStringList, arguments);
    QFETCH(int, operations);
    QFETCH(QString, left);
    const ProgramRun run = runProgram(arguments + QStringList{u"-o"_s, at(u"repro.py"_s)});
    QVERIFY2(run.code == 0, run.text().constData());
    const auto [before, after] = sizesIn(run.out, "operations");
    QVERIFY2(before > 2 * operations && after == operations && run.out.contains(left.toUtf8()), run.out.constData());
    QCOMPARE(sizesIn(run.out, "outputs").second, 1);
    const QByteArray script = contentOf(at(u"repro.py"_s));
    QVERIFY2(script.contains(("torch.ops." + left.section(u'(', 0, 0)).toUtf8()), script.constData());
    QVERIFY(contentOf(at(u"repro.txt"_s)).startsWith("graph "));
    QVERIFY(contentOf(at(u"repro.pt"_s)).startsWith("PK"));
}

void TestCli::faultsThatNothingShows() {
    const ProgramRun nothing = runProgram(words("minify sample:sincos --while nan"));
    QCOMPARE(nothing.code, 1);
    QVERIFY2(nothing.oneSentence() && nothing.err.contains("no graph shows 'nan'"), nothing.text().constData());
    QCOMPARE(runProgram(words("minify sample:sincos --graph source --while nan")).code, 1);
    QCOMPARE(runProgram(words("minify sample:sincos --while bytes>")).code, 1);
    QCOMPARE(runProgram(words("minify sample:sincos --while nan -o x.txt")).code, 2);
}

void TestCli::codeOnTheCommandLine() {
    const auto run = [](const QStringList& arguments) { return runProgram(QStringList{u"run"_s} + arguments); };
    const QString code = u"def f(x, y): return (x * y).sin()"_s;
    const ProgramRun good = run({u"-e"_s, code, u"--inputs"_s, u"f32[4, 5] grad, f32[5]"_s, u"--check"_s});
    QVERIFY2(good.code == 0, good.text().constData());
    for (const char* text : {"f  (script", "graph joint\n", "graph forward\n", "graph backward\n",
                             " = aten.mul.Tensor(%primals_1, %primals_2)\n", "equal to eager"})
        QVERIFY2(good.out.contains(text), (text + good.out).constData());
    QCOMPARE(run({u"-e"_s, u"lambda x: x.sin().cos()"_s}).code, 0);
    const ProgramRun wrong = run({u"-e"_s, u"def f(x):\n    y = x + 1\n    return z"_s});
    QCOMPARE(wrong.code, 1);
    QVERIFY2(wrong.oneSentence() && wrong.err.contains("(line 3)"), wrong.err.constData());
    QCOMPARE(run({u"-e"_s, code, u"sample:mlp"_s}).code, 2);
    QCOMPARE(run({}).code, 2);
    const ProgramRun nothing = run({u"-e"_s, u"def f(x):\n    y = x * 2"_s});
    QVERIFY2(nothing.text().contains("'f' returns nothing"), nothing.text().constData());
    const ProgramRun inputs = run({u"-e"_s, code, u"--inputs"_s, u"f32[4"_s});
    QVERIFY2(inputs.code != 0 && inputs.oneSentence() && inputs.err.contains("--inputs, column 6"),
             inputs.err.constData());
}

/// Except train: a function has no parameters.
void TestCli::codeIsAModelOfEveryCommand_data() {
    QTest::addColumn<QString>("arguments");
    for (const char* arguments : {"run --time 1 --against=--seed=1", "export --graph forward -o @forward.txt", "passes",
                                  "partition", "pareto --points 2", "diff --passes functional..joint",
                                  "ranks --ranks 2", "costs --measure", "debug", "minify --while op:sin"})
        QTest::addRow("%s", arguments) << QString::fromUtf8(arguments);
}
void TestCli::codeIsAModelOfEveryCommand() {
    QFETCH(QString, arguments);
    const ProgramRun run = runProgram(resolved(arguments) + QStringList{u"-e"_s, u"def f(x): return x.sin()"_s});
    QVERIFY2(run.code == 0, run.text().constData());
}

/// A fault of a compiler counts as a difference everywhere, and a compiler that does not run only with --strict.
void TestCli::chosenCompilersRun() {
    const QStringList wrong = broken("value", "aten.relu.default");
    const ProgramRun checked = runProgram(words("run sample:mlp --check --bisect") + wrong);
    QCOMPARE(checked.code, 3);
    QVERIFY2(checked.out.contains("bisect: values differ from eager's after pass 'compile', at %relu = "), checked.out);
    const ProgramRun stepped = runProgram(words("debug sample:mlp --against-eager") + wrong);
    QVERIFY2(stepped.code == 3 && stepped.out.startsWith("difference: %relu = "), stepped.text().constData());
    const QStringList refusing = broken("sizes", "");
    const ProgramRun fallen = runProgram(words("run sample:mlp --check") + refusing);
    QCOMPARE(fallen.code, 0);
    QVERIFY2(fallen.out.contains("); 2 graphs ran by the interpreter instead of broken\n") &&
                 fallen.out.contains("\nwarning: the interpreter runs the forward graph, for broken returned "),
             fallen.out);
    const ProgramRun strict = runProgram(words("run sample:mlp --check --strict") + refusing);
    QVERIFY2(strict.code == 1 && strict.err.startsWith("aotscope: --strict: the interpreter runs the forward graph"),
             strict.text().constData());
    const ProgramRun debugged = runProgram(words("debug sample:mlp") + refusing);
    QVERIFY2(debugged.out.contains("\nnote: the interpreter runs the forward graph, for broken"), debugged.out);
    QCOMPARE(runProgram(words("debug sample:mlp --strict") + refusing).code, 1);
    QCOMPARE(runProgram(words("train sample:mlp --steps 1 --strict") + refusing).code, 1);
}
