// The tables of operators, decompositions and compilers, and runs that use them.

#include "test_cli.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

using namespace aotscope::test;

void TestCli::operators() {
    const ProgramRun run = runProgram(words("ops aten.relu"));
    QCOMPARE(run.code, 0);
    const auto row = [&](const char* pattern) {
        return QRegularExpression(QLatin1String(pattern), QRegularExpression::MultilineOption)
            .match(QString::fromUtf8(run.out));
    };
    QVERIFY(row("^operator +traces by +family +tags$").hasMatch());
    QVERIFY(row("^aten\\.relu\\.default +shape rule +pointwise +recomputable$").hasMatch());
    QVERIFY(row("^aten\\.relu6\\.default +decomposed +pointwise +recomputable$").hasMatch());
    QVERIFY(row("^\\d+ operators: \\d+ shape rule").hasMatch());
    QVERIFY(!run.out.contains("aten.add."));
}

void TestCli::operatorsAsJson() {
    const ProgramRun run = runProgram(words("ops --json"));
    QCOMPARE(run.code, 0);
    const QJsonObject all = QJsonDocument::fromJson(run.out).object();
    QMap<QString, QString> methods;
    int counted = 0;
    for (const auto& entry : all[QLatin1String("operators")].toArray())
        methods[entry[QLatin1String("op")].toString()] = entry[QLatin1String("traces_by")].toString();
    for (const auto& count : all[QLatin1String("counts")].toObject()) counted += count.toInt();
    QCOMPARE(counted, all[QLatin1String("operators")].toArray().size());
    QCOMPARE(methods[QStringLiteral("aten.convolution.default")], QStringLiteral("shape rule"));
    QCOMPARE(methods[QStringLiteral("aten.mm.default")], QStringLiteral("meta kernel"));
    QCOMPARE(methods[QStringLiteral("aten.clone.default")], QStringLiteral("composite"));
    QCOMPARE(methods[QStringLiteral("aten.linear.default")], QStringLiteral("decomposed"));
    QCOMPARE(methods[QStringLiteral("aten._local_scalar_dense.default")], QStringLiteral("example data"));
    QCOMPARE(methods[QStringLiteral("aten._fused_dropout.default")], QStringLiteral("no kernel"));
    QVERIFY2(!methods.contains(QStringLiteral("aten.add.out")), "functionalization removes these");
}

void TestCli::uncoveredOperators() {
    const ProgramRun run = runProgram(words("ops --uncovered"));
    QCOMPARE(run.code, 0);
    QVERIFY(run.out.contains(" real kernel on zeros"));
    for (const char* other : {"shape rule", "meta kernel", "composite", "decomposed"})
        QVERIFY2(!run.out.contains(other), other);
}

void TestCli::operatorsThatDoNotExist() {
    const ProgramRun run = runProgram(words("ops no_such_operator"));
    QCOMPARE(run.code, 1);
    QVERIFY(run.oneSentence());
    QVERIFY(run.err.contains("no operator has a name that contains 'no_such_operator'"));
}

void TestCli::decompositions() {
    const ProgramRun run = runProgram(words("ops --decompose prims gelu"));
    QCOMPARE(run.code, 0);
    QVERIFY(run.out.contains("aten.gelu_backward.default  gelu_backward  core-aten"));
    QVERIFY(run.out.contains("1 operator decomposed by prims"));
    const QJsonObject all = QJsonDocument::fromJson(runProgram(words("ops --decompose inductor --json")).out).object();
    QCOMPARE(all[QLatin1String("table")].toString(), QStringLiteral("inductor"));
    QVERIFY(all[QLatin1String("decompositions")].toArray().size() > 100);
}

void TestCli::decomposedGraphs() {
    const ProgramRun run =
        runProgram(resolved(QStringLiteral("run sample:mlp --decompose core-aten --check --report @core.json")));
    QVERIFY2(run.code == 0, run.text().constData());
    const QJsonObject r = readJson(at(QStringLiteral("core.json")));
    QCOMPARE(r[QLatin1String("options")][QLatin1String("decompose")].toString(), QStringLiteral("core-aten"));
    QMap<QString, int> replaced;
    for (const auto& entry : r[QLatin1String("decompositions")].toArray())
        replaced[entry[QLatin1String("op")].toString() + u' ' + entry[QLatin1String("rule")].toString()] =
            entry[QLatin1String("count")].toInt();
    QCOMPARE(replaced[QStringLiteral("aten.t.default t")], 14);
    QCOMPARE(replaced[QStringLiteral("aten.threshold_backward.default threshold_backward")], 2);
}

void TestCli::compilers() {
    ProgramRun run = runProgram(words("compilers --plugin " PLUGIN_COUNTING));
    QVERIFY2(run.code == 0, run.text().constData());
    for (const char* name : {"\ninterpreter ", "\ntorchscript ", "\ncounting ", " freeze "})
        QVERIFY2(run.out.contains(name), run.out.constData());
    run = runProgram(resolved(QStringLiteral("run sample:sincos --plugin " PLUGIN_COUNTING
                                             " --compiler torchscript --backward-compiler counting "
                                             "--compiler-option counting.file=") +
                              at(QStringLiteral("runs.txt")) + QStringLiteral(" --check --report @compilers.json")));
    QVERIFY2(run.code == 0, run.text().constData());
    QVERIFY2(run.out.endsWith("\ncompilers: forward torchscript, backward counting\n"), run.out.constData());
    QCOMPARE(contentOf(at(QStringLiteral("runs.txt"))), QByteArray("backward 1\n"));
    const QJsonObject r = readJson(at(QStringLiteral("compilers.json")));
    QCOMPARE(r[QLatin1String("options")][QLatin1String("compiler")].toString(), QStringLiteral("torchscript"));
    QCOMPARE(r[QLatin1String("compilers")][1][QLatin1String("used")].toString(), QStringLiteral("counting"));
}

void TestCli::kernelsOfSeveralNodes() {
    const ProgramRun run = runProgram(
        resolved(QStringLiteral("run sample:sincos --plugin " PLUGIN_COUNTING
                                " --compiler counting --compiler-option counting.together=2 --backward-compiler "
                                "interpreter --report @kernels.json")));
    QVERIFY2(run.code == 0, run.text().constData());
    QVERIFY2(run.out.endsWith("\ncompilers: forward counting (1 kernel for 2 nodes), backward interpreter\n"),
             run.out.constData());
    const QJsonValue compilers = readJson(at(QStringLiteral("kernels.json")))[QLatin1String("compilers")];
    const QJsonArray groups = compilers[0][QLatin1String("groups")].toArray();
    QCOMPARE(groups.size(), 1);
    QCOMPARE(groups[0].toArray(), (QJsonArray{QStringLiteral("sin"), QStringLiteral("cos")}));
    QVERIFY(compilers[1][QLatin1String("groups")].toArray().isEmpty());
}

void TestCli::compilerThatFails() {
    const ProgramRun run = runProgram(resolved(QStringLiteral("run sample:sincos --plugin " PLUGIN_BROKEN
                                                              " --compiler broken --compiler-option broken.how=count "
                                                              "--check --report @broken_compiler.json")));
    QVERIFY2(run.code == 0, run.text().constData());
    QVERIFY2(run.out.contains("\ncompilers: forward interpreter, backward interpreter\nwarning: the interpreter runs "
                              "the forward graph, for broken returned 1 value, expected 2\n"),
             run.out.constData());
    const QJsonValue use = readJson(at(QStringLiteral("broken_compiler.json")))[QLatin1String("compilers")][0];
    QCOMPARE(use[QLatin1String("chosen")].toString(), QStringLiteral("broken"));
    QCOMPARE(use[QLatin1String("used")].toString(), QStringLiteral("interpreter"));
    QVERIFY(use[QLatin1String("note")].toString().contains(QLatin1String("returned 1 value")));
}

void TestCli::graphsForTorchScript() {
    ProgramRun run = runProgram(resolved(QStringLiteral("export sample:sincos --graph forward -o @sincos.pt")));
    QVERIFY2(run.code == 0, run.text().constData());
    scratch_.write(QStringLiteral("sincos.json"), R"([{"shape":[4,5],"requires_grad":true}])");
    run = runProgram(resolved(QStringLiteral("run @sincos.pt --inputs @sincos.json --check")));
    QVERIFY2(run.code == 0, run.text().constData());
    run = runProgram(resolved(QStringLiteral("export sample:sincos --graph forward -o @sincos.jit")));
    QVERIFY2(run.code == 0, run.text().constData());
    QVERIFY(contentOf(at(QStringLiteral("sincos.jit"))).contains("aten::cos(%sin)"));
}
