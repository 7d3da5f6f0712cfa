// The tables of operators, decompositions and compilers, and runs that use them.

#include "test_cli.h"

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
    for (const auto& entry : all["operators"_L1].toArray())
        methods[entry["op"_L1].toString()] = entry["traces_by"_L1].toString();
    for (const auto& count : all["counts"_L1].toObject()) counted += count.toInt();
    QCOMPARE(counted, all["operators"_L1].toArray().size());
    QCOMPARE(methods[u"aten.convolution.default"_s], u"shape rule"_s);
    QCOMPARE(methods[u"aten.mm.default"_s], u"meta kernel"_s);
    QCOMPARE(methods[u"aten.clone.default"_s], u"composite"_s);
    QCOMPARE(methods[u"aten.linear.default"_s], u"decomposed"_s);
    QCOMPARE(methods[u"aten._local_scalar_dense.default"_s], u"example data"_s);
    QCOMPARE(methods[u"aten._fused_dropout.default"_s], u"no kernel"_s);
    QVERIFY2(!methods.contains(u"aten.add.out"_s), "functionalization removes these");
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
    QCOMPARE(all["table"_L1].toString(), u"inductor"_s);
    QVERIFY(all["decompositions"_L1].toArray().size() > 100);
}

void TestCli::decomposedGraphs() {
    const ProgramRun run = runProgram(resolved(u"run sample:mlp --decompose core-aten --check --report @core.json"_s));
    QVERIFY2(run.code == 0, run.text().constData());
    const QJsonObject r = readJson(at(u"core.json"_s));
    QCOMPARE(r["options"_L1]["decompose"_L1].toString(), u"core-aten"_s);
    QMap<QString, int> replaced;
    for (const auto& entry : r["decompositions"_L1].toArray())
        replaced[entry["op"_L1].toString() + u' ' + entry["rule"_L1].toString()] = entry["count"_L1].toInt();
    QCOMPARE(replaced[u"aten.t.default t"_s], 14);
    QCOMPARE(replaced[u"aten.threshold_backward.default threshold_backward"_s], 2);
}

void TestCli::compilers() {
    ProgramRun run = runProgram(words("compilers --plugin " PLUGIN_COUNTING));
    QVERIFY2(run.code == 0, run.text().constData());
    for (const char* name : {"\ninterpreter ", "\ntorchscript ", "\ncounting ", " freeze "})
        QVERIFY2(run.out.contains(name), run.out.constData());
    run = runProgram(words("compilers --csv"));
    QVERIFY2(run.out.startsWith("name,settings_name,settings_default,help,"), run.out.constData());
    run = runProgram(resolved(QStringLiteral("run sample:sincos --plugin " PLUGIN_COUNTING
                                             " --compiler torchscript --backward-compiler counting "
                                             "--compiler-option counting.file=") +
                              at(u"runs.txt"_s) + u" --check --report @compilers.json"_s));
    QVERIFY2(run.code == 0, run.text().constData());
    QVERIFY2(run.out.endsWith("\ncompilers: forward torchscript, backward counting\n"), run.out.constData());
    QCOMPARE(contentOf(at(u"runs.txt"_s)), QByteArray("backward 1\n"));
    const QJsonObject r = readJson(at(u"compilers.json"_s));
    QCOMPARE(r["options"_L1]["compiler"_L1].toString(), u"torchscript"_s);
    QCOMPARE(r["compilers"_L1][1]["used"_L1].toString(), u"counting"_s);
}

void TestCli::kernelsOfSeveralNodes() {
    const ProgramRun run = runProgram(
        resolved(QStringLiteral("run sample:sincos --plugin " PLUGIN_COUNTING
                                " --compiler counting --compiler-option counting.together=2 --backward-compiler "
                                "interpreter --report @kernels.json")));
    QVERIFY2(run.code == 0, run.text().constData());
    QVERIFY2(run.out.endsWith("\ncompilers: forward counting (1 kernel for 2 nodes), backward interpreter\n"),
             run.out.constData());
    const QJsonValue compilers = readJson(at(u"kernels.json"_s))["compilers"_L1];
    const QJsonArray groups = compilers[0]["groups"_L1].toArray();
    QCOMPARE(groups.size(), 1);
    QCOMPARE(groups[0].toArray(), (QJsonArray{u"sin"_s, u"cos"_s}));
    QVERIFY(compilers[1]["groups"_L1].toArray().isEmpty());
}

void TestCli::compilerThatFails() {
    const ProgramRun run = runProgram(resolved(QStringLiteral("run sample:sincos --plugin " PLUGIN_BROKEN
                                                              " --compiler broken --compiler-option broken.how=count "
                                                              "--check --report @broken_compiler.json")));
    QVERIFY2(run.code == 0, run.text().constData());
    QVERIFY2(run.out.contains("\ncompilers: forward interpreter, backward interpreter\nwarning: the interpreter runs "
                              "the forward graph, for broken returned 1 value, expected 2\n"),
             run.out.constData());
    const QJsonValue use = readJson(at(u"broken_compiler.json"_s))["compilers"_L1][0];
    QCOMPARE(use["chosen"_L1].toString(), u"broken"_s);
    QCOMPARE(use["used"_L1].toString(), u"interpreter"_s);
    QVERIFY(use["note"_L1].toString().contains("returned 1 value"_L1));
}

void TestCli::graphsForTorchScript() {
    ProgramRun run = runProgram(resolved(u"export sample:sincos --graph forward -o @sincos.pt"_s));
    QVERIFY2(run.code == 0, run.text().constData());
    scratch_.write(u"sincos.json"_s, R"([{"shape":[4,5],"requires_grad":true}])");
    run = runProgram(resolved(u"run @sincos.pt --inputs @sincos.json --check"_s));
    QVERIFY2(run.code == 0, run.text().constData());
    run = runProgram(resolved(u"export sample:sincos --graph forward -o @sincos.jit"_s));
    QVERIFY2(run.code == 0, run.text().constData());
    QVERIFY(contentOf(at(u"sincos.jit"_s)).contains("aten::cos(%sin)"));
}
