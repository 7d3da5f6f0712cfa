// Reports in JSON: their fields, and the options that show in them.

#include "test_cli.h"

#include "support/saved_model.h"

#include <QJsonArray>

using namespace aotscope::test;

namespace {

QStringList keysOf(const QJsonValue& value) { return value.toObject().keys(); }

}  // namespace

void TestCli::failedRunsStillReport() {
    const QString report = at(QStringLiteral("failed.json"));
    const ProgramRun run =
        runProgram(resolved(QStringLiteral("run @written.pt --inputs @one.json --report @failed.json")));
    QCOMPARE(run.code, 1);
    const QJsonObject json = readJson(report);
    QCOMPARE(QByteArray("aotscope: ") + json[QLatin1String("error")].toString().toUtf8() + '\n', run.err);
    QCOMPARE(keysOf(json[QLatin1String("graphs")]), QStringList{QStringLiteral("source")});
    QVERIFY(QFile::remove(report));
}

/// Where the backward fails on both sides, nothing says that the two are equal.
void TestCli::checksThatCouldNotCompare() {
    const ProgramRun run = runProgram(
        QStringList{QStringLiteral("run"), QStringLiteral("-e"),
                    QStringLiteral("def f(x):\n    x.mul_(x)\n    return x * 2"), QStringLiteral("--inputs"),
                    QStringLiteral(R"({"values":[{"leaf":{"shape":[3,3],"requires_grad":true}},)"
                                   R"({"op":"mul_scalar","of":0,"args":[1]}],"inputs":[{"tensor":1}]})"),
                    QStringLiteral("--check"), QStringLiteral("--report"), at(QStringLiteral("failing.json"))});
    QVERIFY2(run.code == 1 && run.out.contains("check: not compared: eager's backward fails"), run.text().constData());
    const QJsonValue check = readJson(at(QStringLiteral("failing.json")))[QLatin1String("check")];
    QCOMPARE(check[QLatin1String("verdict")].toString(), QStringLiteral("not compared"));
    QCOMPARE(check[QLatin1String("ok")].toBool(), false);
    QVERIFY(!check[QLatin1String("backward_error")].toString().isEmpty());
}

/// Also one that is no tensor: None, and an integer.
void TestCli::everyInputHasAType() {
    const ProgramRun run = runProgram(QStringList{
        QStringLiteral("run"), QStringLiteral("-e"),
        QStringLiteral("def f(x, mask: Optional[Tensor], n: int):\n    return x.sin() * n"), QStringLiteral("--inputs"),
        QStringLiteral(R"({"values":[{"leaf":{"shape":[2,3],"requires_grad":true}}],)"
                       R"("inputs":[{"tensor":0},{"none":true},{"int":3}]})"),
        QStringLiteral("--graphs"), QStringLiteral("--report"), at(QStringLiteral("typed.json"))});
    QVERIFY2(run.code == 0 && run.out.contains("%primals_2 : None = placeholder(input)"), run.text().constData());
    QStringList assumed;
    for (const auto& each : readJson(at(QStringLiteral("typed.json")))[QLatin1String("assumptions")].toArray())
        assumed << each.toObject()[QLatin1String("text")].toString();
    QVERIFY2(assumed.contains(QStringLiteral("mask is None")) && assumed.contains(QStringLiteral("n is int(3)")),
             qPrintable(assumed.join(u'\n')));
}

void TestCli::reportKeepsItsContract() {
    const ProgramRun run = runProgram(
        resolved(QStringLiteral("run sample:mlp --check --bisect --cross-check-fake --time 2 --report @report.json")));
    QVERIFY2(run.code == 0 && run.err.isEmpty(), run.text().constData());
    QVERIFY(run.out.contains("check: equal to eager"));
    const QJsonObject r = readJson(at(QStringLiteral("report.json")));
    QCOMPARE(r[QLatin1String("schema")].toInt(), 1);
    const auto has = [](const QJsonValue& object, const char* names) {
        for (const QString& name : words(names))
            if (!object.toObject().contains(name)) return name;
        return QString();
    };
    const auto first = [](const QJsonValue& list) { return list.toArray().first(); };
    QCOMPARE(has(r,
                 "schema model torch device options inputs metadata graphs partition passes guards compile_ms "
                 "check timing decompositions"),
             QString());
    QCOMPARE(has(r[QLatin1String("model")], "name path kind"), QString());
    QCOMPARE(has(first(r[QLatin1String("inputs")]), "name role shape dtype requires_grad"), QString());
    const QJsonValue metadata = r[QLatin1String("metadata")];
    QCOMPARE(has(metadata, "inputs outputs num_intermediate_bases mutated_inp_runtime_indices aliased_out_indices"),
             QString());
    QCOMPARE(has(first(metadata[QLatin1String("inputs")]),
                 "name is_leaf requires_grad mutates_data mutates_metadata mutation_type"),
             QString());
    QCOMPARE(has(first(metadata[QLatin1String("outputs")]), "type base_idx requires_grad is_tensor"), QString());
    for (const char* graph : {"source", "forward-traced", "functional", "joint", "forward", "backward"})
        QCOMPARE(has(r[QLatin1String("graphs")][QLatin1String(graph)], "calls placeholders outputs ops text"),
                 QString());
    const QJsonValue partition = r[QLatin1String("partition")];
    QCOMPARE(has(partition, "algorithm saved saved_unique_bytes recomputed"), QString());
    QCOMPARE(has(first(partition[QLatin1String("saved")]), "name op shape dtype bytes kind reason"), QString());
    QCOMPARE(has(first(r[QLatin1String("passes")]), "name ms nodes_before nodes_after changed"), QString());
    QCOMPARE(has(r[QLatin1String("compile_ms")], "load metadata joint partition compile total"), QString());
    QCOMPARE(has(r[QLatin1String("check")],
                 "ok outputs_max_error grads_max_error inputs_after_ok aliasing_ok details "
                 "differences seed took_ms"),
             QString());
    QCOMPARE(has(r[QLatin1String("bisect")], "found sentence pass node op outputs passes notes"), QString());
    QCOMPARE(has(r[QLatin1String("cross_check")], "ops_checked skipped mismatches"), QString());
    QVERIFY(r[QLatin1String("cross_check")][QLatin1String("ops_checked")].toInt() >= 32);
    const QJsonValue timing = r[QLatin1String("timing")];
    QCOMPARE(has(timing, "iterations eager compiled steps peak_bytes"), QString());
    for (const char* side : {"eager", "compiled"})
        for (const char* phase : {"forward_ms", "backward_ms"})
            QCOMPARE(has(timing[QLatin1String(side)][QLatin1String(phase)], "min median max"), QString());
    QCOMPARE(has(first(timing[QLatin1String("steps")]), "graph index node op median_us bytes"), QString());
    QCOMPARE(has(timing[QLatin1String("peak_bytes")], "eager compiled"), QString());

    QCOMPARE(
        r[QLatin1String("graphs")][QLatin1String("joint")][QLatin1String("ops")][QLatin1String("aten.addmm.default")]
            .toInt(),
        3);
    QCOMPARE(first(r[QLatin1String("inputs")])[QLatin1String("role")].toString(), QStringLiteral("parameter"));
    QVERIFY(r[QLatin1String("check")][QLatin1String("ok")].toBool());
    QCOMPARE(timing[QLatin1String("iterations")].toInt(), 2);
}

void TestCli::timesOfTwoVariants() {
    QStringList arguments =
        resolved(QStringLiteral("run sample:bert-tiny --time 6 --warm-up 2 --report @t.json --trace @trace.json --csv "
                                "@times.csv --against"));
    arguments << QStringLiteral("--memory-budget 0.2 --decompose core-aten");
    const ProgramRun run = runProgram(arguments);
    QVERIFY2(run.code == 0 && run.err.isEmpty(), run.text().constData());
    for (const char* text : {"--memory-budget 0.2 --decompose core-aten", "95 % interval", "slowest modules"})
        QVERIFY2(run.out.contains(text), run.text().constData());
    const QJsonObject r = readJson(at(QStringLiteral("t.json")));
    const QJsonValue against = r[QLatin1String("against")], timing = r[QLatin1String("timing")];
    QCOMPARE(timing[QLatin1String("warm_ups")].toInt(), 2);
    QVERIFY(timing[QLatin1String("graphs")].toArray().size() == 2);
    for (const char* part : {"forward", "backward", "step"}) {
        const QJsonValue ratio = against[QLatin1String(part)][QLatin1String("ratio")];
        const double low = ratio[QLatin1String("low")].toDouble(), high = ratio[QLatin1String("high")].toDouble();
        QVERIFY(low > 0 && low <= ratio[QLatin1String("median")].toDouble() && high < 1000);
    }
    const QJsonArray steps = timing[QLatin1String("steps")].toArray();
    const QJsonArray events = readJson(at(QStringLiteral("trace.json")))[QLatin1String("traceEvents")].toArray();
    QCOMPARE(std::count_if(events.begin(), events.end(),
                           [](const QJsonValue& e) { return e[QLatin1String("cat")] == QLatin1String("operation"); }),
             steps.size());
    QCOMPARE(contentOf(at(QStringLiteral("times.csv"))).count('\n'), steps.size() + 1);
    // The variant compiles to other graphs; otherwise the option did nothing.
    QVERIFY(against[QLatin1String("peak_bytes")][QLatin1String("second")].toInt() !=
            against[QLatin1String("peak_bytes")][QLatin1String("first")].toInt());
}

void TestCli::sizesThatVary() {
    const auto report = [&](const char* arguments) {
        const ProgramRun run = runProgram(
            resolved(QLatin1String("run @model.pt --check --report @sizes.json ") + QLatin1String(arguments)));
        if (run.code != 0) QTest::qFail(run.text().constData(), __FILE__, __LINE__);
        return readJson(at(QStringLiteral("sizes.json")));
    };
    const auto inputType = [](const QJsonObject& r) {
        return r[QLatin1String("graphs")][QLatin1String("joint")][QLatin1String("text")].toString();
    };
    // by the spec
    QJsonObject r = report("--inputs @named.json");
    QVERIFY2(inputType(r).contains("f32[s0, 3] = placeholder(input)"), qPrintable(inputType(r)));
    QJsonValue symbol = r[QLatin1String("symbols")].toArray().at(0);
    QCOMPARE(symbol[QLatin1String("name")].toString(), QStringLiteral("s0"));
    QCOMPARE(symbol[QLatin1String("hint")].toInt(), 8);
    QCOMPARE(symbol[QLatin1String("min")].toInt(), 2);
    QCOMPARE(symbol[QLatin1String("max")].toInt(), 64);
    QCOMPARE(symbol[QLatin1String("origin")].toString(), QStringLiteral("batch, x.size(0)"));
    QStringList guards;
    for (const auto& guard : r[QLatin1String("guards")].toArray()) {
        guards << guard[QLatin1String("text")].toString();
        QCOMPARE(guard[QLatin1String("kind")].toString(), QStringLiteral("size"));
        QVERIFY(!guard[QLatin1String("reason")].toString().isEmpty());
    }
    QCOMPARE(guards, (QStringList{QStringLiteral("s0 <= 64"), QStringLiteral("s0 >= 2")}));
    QJsonArray sizes = r[QLatin1String("check")][QLatin1String("sizes")].toArray();
    QCOMPARE(sizes.size(), 4);
    for (const auto& size : sizes) {
        QVERIFY(size[QLatin1String("ok")].toBool() && !size[QLatin1String("recompiled")].toBool());
        QVERIFY(size[QLatin1String("sizes")][QLatin1String("s0")].toInt() != 8);
    }
    QJsonValue cache = r[QLatin1String("check")][QLatin1String("cache")];
    QCOMPARE(cache[QLatin1String("hits")].toInt(), 5);
    QCOMPARE(cache[QLatin1String("misses")].toInt(), 0);
    // by options
    r = report("--inputs @good.json --dynamic x.0=2.. --at x.0=5 --at x.0=1 --at x.0=1");
    symbol = r[QLatin1String("symbols")].toArray().at(0);
    QVERIFY(symbol[QLatin1String("max")].isNull());
    QCOMPARE(symbol[QLatin1String("origin")].toString(), QStringLiteral("x.size(0)"));
    sizes = r[QLatin1String("check")][QLatin1String("sizes")].toArray();
    QCOMPARE(sizes.size(), 3);
    QCOMPARE(sizes[0][QLatin1String("recompiled")].toBool(), false);
    QCOMPARE(sizes[1][QLatin1String("recompiled")].toBool(), true);
    QCOMPARE(sizes[1][QLatin1String("reason")].toString(), QStringLiteral("s0 (x.size(0)) is 1, expected at least 2"));
    QCOMPARE(sizes[2][QLatin1String("recompiled")].toBool(), false);
    cache = r[QLatin1String("check")][QLatin1String("cache")];
    QCOMPARE(cache[QLatin1String("hits")].toInt(), 3);
    QCOMPARE(cache[QLatin1String("misses")].toInt(), 1);
    const QJsonValue options = r[QLatin1String("options")];
    QCOMPARE(options[QLatin1String("dynamic")].toArray().at(0)[QLatin1String("name")].toString(),
             QStringLiteral("x.0"));
    QCOMPARE(options[QLatin1String("recompile_limit")].toInt(), 8);
    // not at all
    r = report("--inputs @named.json --static-shapes --recompile-limit 3");
    QVERIFY2(inputType(r).contains("f32[8, 3] = placeholder(input)"), qPrintable(inputType(r)));
    QVERIFY(r[QLatin1String("symbols")].toArray().isEmpty());
    QVERIFY(r[QLatin1String("guards")].toArray().isEmpty());
    QVERIFY(r[QLatin1String("check")][QLatin1String("sizes")].toArray().isEmpty());
    QVERIFY(r[QLatin1String("options")][QLatin1String("static_shapes")].toBool());
    QCOMPARE(r[QLatin1String("options")][QLatin1String("recompile_limit")].toInt(), 3);
}

void TestCli::savedSizesAreNumbers() {
    saveModel("def forward(self, x: Tensor) -> Tensor:\n    return (x * self.w).view(-1).sum() + 2 * x.size(0)",
              at(QStringLiteral("sum.pt")).toStdString());
    const ProgramRun run = runProgram(resolved(
        QStringLiteral("run @sum.pt --inputs @good1.json --dynamic x.0 --partition default --report @sizes.json")));
    QVERIFY2(run.code == 0, run.text().constData());
    int sizes = 0;
    for (const auto& value :
         readJson(at(QStringLiteral("sizes.json")))[QLatin1String("partition")][QLatin1String("saved")].toArray()) {
        if (value[QLatin1String("kind")].toString() != QLatin1String("symint")) {
            QVERIFY(value[QLatin1String("type")].toString().startsWith(QLatin1String("f32[")));
            continue;
        }
        ++sizes;
        QVERIFY(value[QLatin1String("type")].toString().startsWith(QLatin1String("Sym(")));
        QCOMPARE(value[QLatin1String("bytes")].toInt(), 8);
        QCOMPARE(value[QLatin1String("dtype")].toString(), QStringLiteral("int64"));
    }
    QVERIFY2(sizes > 0 && run.out.contains("Sym("), run.out.constData());
}

void TestCli::optionsReachThePipeline_data() {
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QStringList>("graphs");
    QTest::addColumn<QString>("algorithm");
    const auto row = [](const char* arguments, const char* graphs, const char* algorithm) {
        QTest::newRow(arguments) << arguments << words(graphs) << algorithm;
    };
    const char* training = "backward forward forward-traced functional joint source";
    row("sample:mlp --partition default", training, "default");
    row("sample:mlp --partition min-cut", training, "min-cut");
    row("sample:mlp --static-params", training, "min-cut");
    row("sample:mlp --inference", "forward-traced functional inference source", "");
    row("sample:mlp --mode eval --seed 7 --verify", training, "min-cut");
    row("@model.pt --inputs @good.json", training, "min-cut");
}
void TestCli::optionsReachThePipeline() {
    QFETCH(QString, arguments);
    QFETCH(QStringList, graphs);
    QFETCH(QString, algorithm);
    const ProgramRun run =
        runProgram(resolved(QStringLiteral("run ") + arguments + QStringLiteral(" --check --report @options.json")));
    QVERIFY2(run.code == 0, run.text().constData());
    const QJsonObject r = readJson(at(QStringLiteral("options.json")));
    QCOMPARE(keysOf(r[QLatin1String("graphs")]), graphs);
    QCOMPARE(r[QLatin1String("partition")][QLatin1String("algorithm")].toString(), algorithm);
    const QJsonValue options = r[QLatin1String("options")];
    QCOMPARE(options[QLatin1String("static_params")].toBool(), arguments.contains(QLatin1String("static")));
    QCOMPARE(options[QLatin1String("mode")].toString(),
             arguments.contains(QLatin1String("eval")) ? QStringLiteral("eval") : QStringLiteral("as-saved"));
    QCOMPARE(options[QLatin1String("seed")].toInt(), arguments.contains(QLatin1String("seed")) ? 7 : 0);
}

void TestCli::staticParametersAreSavedForFree() {
    const ProgramRun run = runProgram(words("run sample:mlp --static-params"));
    QVERIFY2(run.out.contains("in memory anyway: saving it is free"), run.text().constData());
}

void TestCli::sameOptionsSameGraphs() {
    const auto graphs = [&](const char* name) {
        const ProgramRun run =
            runProgram(resolved(QStringLiteral("run sample:gpt2-tiny --seed 3 --report @") + QLatin1String(name)));
        return run.code == 0 ? readJson(at(QLatin1String(name)))[QLatin1String("graphs")].toObject() : QJsonObject();
    };
    const QJsonObject first = graphs("first.json");
    QCOMPARE(first.size(), 6);
    QCOMPARE(graphs("second.json"), first);
}
