// What is compiled: another method, all sizes at once, several compilations.

#include "test_cli.h"

#include "support/saved_model.h"

#include <QJsonArray>

using namespace aotscope::test;

void TestCli::otherMethodsThanForward() {
    saveModel(
        "def forward(self, x: Tensor) -> Tensor:\n    return x.sin()\n"
        "def encode(self, x: Tensor) -> Tensor:\n    return x.cos() * self.w",
        at(QStringLiteral("methods.pt")).toStdString());
    for (const auto& [method, op, other] : {std::tuple{"forward", "aten.sin.default", "aten.cos.default"},
                                            {"encode", "aten.cos.default", "aten.sin.default"}}) {
        const ProgramRun run = runProgram(
            resolved(QStringLiteral("run @methods.pt --inputs @good1.json --check --report @r.json --method ") +
                     QLatin1String(method)));
        QVERIFY2(run.code == 0, run.text().constData());
        const QJsonObject report = readJson(at(QStringLiteral("r.json")));
        const QJsonObject ops =
            report[QLatin1String("graphs")][QLatin1String("functional")][QLatin1String("ops")].toObject();
        QVERIFY(ops.contains(QLatin1String(op)) && !ops.contains(QLatin1String(other)));
        QCOMPARE(report[QLatin1String("options")][QLatin1String("method")].toString(), QLatin1String(method));
    }
}

void TestCli::recompilationsAreListed() {
    const ProgramRun run = runProgram(resolved(QStringLiteral(
        "run @model.pt --inputs @named.json --check --at batch=100 --at batch=1 --report @report.json")));
    QVERIFY2(run.code == 0, run.text().constData());
    for (const char* text : {"made because", "\n          0  x f32[s0, 3]", "\n          1  x f32[100, 3]",
                             "\n          2  x f32[1, 3]", "s0 (batch, x.size(0)) is 100, expected at most 64",
                             "compilation 1 against 0: ", "compilation 2 against 1: "})
        QVERIFY2(run.out.contains(text), run.out.constData());
    const QJsonArray list =
        readJson(at(QStringLiteral("report.json")))[QLatin1String("check")][QLatin1String("recompilations")].toArray();
    QCOMPARE(list.size(), 2);
    QCOMPARE(list[0][QLatin1String("compilation")].toInt(), 1);
    QCOMPARE(list[1][QLatin1String("compilation")].toInt(), 2);
    QVERIFY(list[1][QLatin1String("reason")].toString().contains(QStringLiteral("is 1, expected at least 2")));
    QVERIFY(
        list[0][QLatin1String("ops")][QLatin1String("forward")].toObject().contains(QStringLiteral("aten.mul.Tensor")));
    QVERIFY(list[0][QLatin1String("difference")].toObject().contains(QStringLiteral("changed")));
}

/// The backward is compiled when it runs for the first time.
void TestCli::compileTimesCountTheBackward() {
    const ProgramRun run = runProgram(resolved(QStringLiteral("run sample:mlp --check --report @report.json")));
    QVERIFY2(run.code == 0, run.text().constData());
    const QJsonObject report = readJson(at(QStringLiteral("report.json")));
    double pass = 0, backward = 0;
    for (const QJsonValue p : report[QLatin1String("passes")].toArray())
        if (p[QLatin1String("name")] == QLatin1String("compile")) pass = p[QLatin1String("ms")].toDouble();
    for (const QJsonValue use : report[QLatin1String("compilers")].toArray())
        if (use[QLatin1String("graph")] == QLatin1String("backward"))
            backward = use[QLatin1String("compile_ms")].toDouble();
    QVERIFY(pass > 0 && backward > 0);
    const double counted = report[QLatin1String("compile_ms")][QLatin1String("compile")].toDouble();
    QVERIFY2(qAbs(counted - pass - backward) < 1e-6, qPrintable(QString::number(counted)));
}

void TestCli::allSizesAreDynamic() {
    const ProgramRun run = runProgram(words("run sample:mlp --dynamic all --check"));
    QVERIFY2(run.code == 0, run.text().constData());
    for (const char* text : {"valid while s0 >= 2  (s0 is x.size(0); 0 and 1 are specialised)",
                             "valid while s1 == 64  (s1 is x.size(1); at s1 = 65 tracing fails", "0 misses"})
        QVERIFY2(run.out.contains(text), run.out.constData());
}
