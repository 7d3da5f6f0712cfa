// Choices of what is compiled: another method, all sizes at once, several compilations.

#include "test_cli.h"

#include "support/saved_model.h"

using namespace aotscope::test;

void TestCli::otherMethodsThanForward() {
    saveModel(
        "def forward(self, x: Tensor) -> Tensor:\n    return x.sin()\n"
        "def encode(self, x: Tensor) -> Tensor:\n    return x.cos() * self.w",
        at(u"methods.pt"_s).toStdString());
    for (const auto& [method, op, other] : {std::tuple{"forward", "aten.sin.default", "aten.cos.default"},
                                            {"encode", "aten.cos.default", "aten.sin.default"}}) {
        const ProgramRun run = runProgram(resolved(
            u"run @methods.pt --inputs @good1.json --check --report @r.json --method "_s + QLatin1String(method)));
        QVERIFY2(run.code == 0, run.text().constData());
        const QJsonObject report = readJson(at(u"r.json"_s));
        const QJsonObject ops = report["graphs"_L1]["functional"_L1]["ops"_L1].toObject();
        QVERIFY(ops.contains(QLatin1String(op)) && !ops.contains(QLatin1String(other)));
        QCOMPARE(report["options"_L1]["method"_L1].toString(), QLatin1String(method));
    }
}

void TestCli::recompilationsAreListed() {
    const ProgramRun run = runProgram(
        resolved(u"run @model.pt --inputs @named.json --check --at batch=100 --at batch=1 --report @report.json"_s));
    QVERIFY2(run.code == 0, run.text().constData());
    for (const char* text : {"made because", "\n          0  x f32[s0, 3]", "\n          1  x f32[100, 3]",
                             "\n          2  x f32[1, 3]", "s0 (batch, x.size(0)) is 100, expected at most 64",
                             "compilation 1 against 0: ", "compilation 2 against 1: "})
        QVERIFY2(run.out.contains(text), run.out.constData());
    const QJsonArray list = readJson(at(u"report.json"_s))["check"_L1]["recompilations"_L1].toArray();
    QCOMPARE(list.size(), 2);
    QCOMPARE(list[0]["compilation"_L1].toInt(), 1);
    QCOMPARE(list[1]["compilation"_L1].toInt(), 2);
    QVERIFY(list[1]["reason"_L1].toString().contains(u"is 1, expected at least 2"_s));
    QVERIFY(list[0]["ops"_L1]["forward"_L1].toObject().contains(u"aten.mul.Tensor"_s));
    QVERIFY(list[0]["difference"_L1].toObject().contains(u"changed"_s));
}

/// The backward is compiled when it runs for the first time.
void TestCli::compileTimesCountTheBackward() {
    const ProgramRun run = runProgram(resolved(u"run sample:mlp --check --report @report.json"_s));
    QVERIFY2(run.code == 0, run.text().constData());
    const QJsonObject report = readJson(at(u"report.json"_s));
    double pass = 0, backward = 0;
    for (const QJsonValue p : report["passes"_L1].toArray())
        if (p["name"_L1] == "compile"_L1) pass = p["ms"_L1].toDouble();
    for (const QJsonValue use : report["compilers"_L1].toArray())
        if (use["graph"_L1] == "backward"_L1) backward = use["compile_ms"_L1].toDouble();
    QVERIFY(pass > 0 && backward > 0);
    const double counted = report["compile_ms"_L1]["compile"_L1].toDouble();
    QVERIFY2(qAbs(counted - pass - backward) < 1e-6, qPrintable(QString::number(counted)));
}

void TestCli::allSizesAreDynamic() {
    const ProgramRun run = runProgram(words("run sample:mlp --dynamic all --check"));
    QVERIFY2(run.code == 0, run.text().constData());
    for (const char* text : {"valid while s0 >= 2  (s0 is x.size(0); 0 and 1 are specialised)",
                             "valid while s1 == 64  (s1 is x.size(1); at s1 = 65 tracing fails", "0 misses"})
        QVERIFY2(run.out.contains(text), run.out.constData());
}
