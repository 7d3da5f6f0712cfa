// Reports in JSON: their fields, and the options that show in them.

#include "test_cli.h"

#include "support/saved_model.h"

using namespace aotscope::test;

namespace {

QStringList keysOf(const QJsonValue& value) { return value.toObject().keys(); }

}  // namespace

void TestCli::failedRunsStillReport() {
    const QString report = at(u"failed.json"_s);
    const ProgramRun run = runProgram(resolved(u"run @written.pt --inputs @one.json --report @failed.json"_s));
    QCOMPARE(run.code, 1);
    const QJsonObject json = readJson(report);
    QCOMPARE(QByteArray("aotscope: ") + json["error"_L1].toString().toUtf8() + '\n', run.err);
    QCOMPARE(keysOf(json["graphs"_L1]), QStringList{u"source"_s});
    QVERIFY(QFile::remove(report));
}

/// If the backward fails on both sides, nothing says that they are equal.
void TestCli::checksThatCouldNotCompare() {
    const ProgramRun run =
        runProgram(QStringList{u"run"_s, u"-e"_s, u"def f(x):\n    x.mul_(x)\n    return x * 2"_s, u"--inputs"_s,
                               uR"({"values":[{"leaf":{"shape":[3,3],"requires_grad":true}},)"
                               R"({"op":"mul_scalar","of":0,"args":[1]}],"inputs":[{"tensor":1}]})"_s,
                               u"--check"_s, u"--report"_s, at(u"failing.json"_s)});
    QVERIFY2(run.code == 1 && run.out.contains("check: not compared: eager's backward fails"), run.text().constData());
    const QJsonValue check = readJson(at(u"failing.json"_s))["check"_L1];
    QCOMPARE(check["verdict"_L1].toString(), u"not compared"_s);
    QCOMPARE(check["ok"_L1].toBool(), false);
    QVERIFY(!check["backward_error"_L1].toString().isEmpty());
}

/// Including one that is not a tensor: None, and an integer.
void TestCli::everyInputHasAType() {
    const ProgramRun run = runProgram(QStringList{
        u"run"_s, u"-e"_s, u"def f(x, mask: Optional[Tensor], n: int):\n    return x.sin() * n"_s, u"--inputs"_s,
        uR"({"values":[{"leaf":{"shape":[2,3],"requires_grad":true}}],)"
        R"("inputs":[{"tensor":0},{"none":true},{"int":3}]})"_s,
        u"--graphs"_s, u"--report"_s, at(u"typed.json"_s)});
    QVERIFY2(run.code == 0 && run.out.contains("%primals_2 : None = placeholder(input)"), run.text().constData());
    QStringList assumed;
    for (const auto& each : readJson(at(u"typed.json"_s))["assumptions"_L1].toArray())
        assumed << each.toObject()["text"_L1].toString();
    QVERIFY2(assumed.contains(u"mask is None"_s) && assumed.contains(u"n is int(3)"_s),
             qPrintable(assumed.join(u'\n')));
}

void TestCli::reportKeepsItsContract() {
    const ProgramRun run =
        runProgram(resolved(u"run sample:mlp --check --bisect --cross-check-fake --time 2 --report @report.json"_s));
    QVERIFY2(run.code == 0 && run.err.isEmpty(), run.text().constData());
    QVERIFY(run.out.contains("check: equal to eager"));
    const QJsonObject r = readJson(at(u"report.json"_s));
    QCOMPARE(r["schema"_L1].toInt(), 1);
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
    QCOMPARE(has(r["model"_L1], "name path kind"), QString());
    QCOMPARE(has(first(r["inputs"_L1]), "name role shape dtype requires_grad"), QString());
    const QJsonValue metadata = r["metadata"_L1];
    QCOMPARE(has(metadata, "inputs outputs num_intermediate_bases mutated_inp_runtime_indices aliased_out_indices"),
             QString());
    QCOMPARE(
        has(first(metadata["inputs"_L1]), "name is_leaf requires_grad mutates_data mutates_metadata mutation_type"),
        QString());
    QCOMPARE(has(first(metadata["outputs"_L1]), "type base_idx requires_grad is_tensor"), QString());
    for (const char* graph : {"source", "forward-traced", "functional", "joint", "forward", "backward"})
        QCOMPARE(has(r["graphs"_L1][QLatin1String(graph)], "calls placeholders outputs ops text"), QString());
    const QJsonValue partition = r["partition"_L1];
    QCOMPARE(has(partition, "algorithm saved saved_unique_bytes recomputed"), QString());
    QCOMPARE(has(first(partition["saved"_L1]), "name op shape dtype bytes kind reason"), QString());
    QCOMPARE(has(first(r["passes"_L1]), "name ms nodes_before nodes_after changed"), QString());
    QCOMPARE(has(r["compile_ms"_L1], "load metadata joint partition compile total"), QString());
    QCOMPARE(has(r["check"_L1],
                 "ok outputs_max_error grads_max_error inputs_after_ok aliasing_ok details "
                 "differences seed took_ms"),
             QString());
    QCOMPARE(has(r["bisect"_L1], "found sentence pass node op outputs passes notes"), QString());
    QCOMPARE(has(r["cross_check"_L1], "ops_checked skipped mismatches"), QString());
    QVERIFY(r["cross_check"_L1]["ops_checked"_L1].toInt() >= 32);
    const QJsonValue timing = r["timing"_L1];
    QCOMPARE(has(timing, "iterations eager compiled steps peak_bytes"), QString());
    for (const char* side : {"eager", "compiled"})
        for (const char* phase : {"forward_ms", "backward_ms"})
            QCOMPARE(has(timing[QLatin1String(side)][QLatin1String(phase)], "min median max"), QString());
    QCOMPARE(has(first(timing["steps"_L1]), "graph index node op median_us bytes"), QString());
    QCOMPARE(has(timing["peak_bytes"_L1], "eager compiled"), QString());

    QCOMPARE(r["graphs"_L1]["joint"_L1]["ops"_L1]["aten.addmm.default"_L1].toInt(), 3);
    QCOMPARE(first(r["inputs"_L1])["role"_L1].toString(), u"parameter"_s);
    QVERIFY(r["check"_L1]["ok"_L1].toBool());
    QCOMPARE(timing["iterations"_L1].toInt(), 2);
}

void TestCli::timesOfTwoVariants() {
    QStringList arguments = resolved(
        u"run sample:bert-tiny --time 6 --warm-up 2 --report @t.json --trace @trace.json --csv "
        "@times.csv --against"_s);
    arguments << u"--memory-budget 0.2 --decompose core-aten"_s;
    const ProgramRun run = runProgram(arguments);
    QVERIFY2(run.code == 0 && run.err.isEmpty(), run.text().constData());
    for (const char* text : {"--memory-budget 0.2 --decompose core-aten", "95 % interval", "slowest modules"})
        QVERIFY2(run.out.contains(text), run.text().constData());
    const QJsonObject r = readJson(at(u"t.json"_s));
    const QJsonValue against = r["against"_L1], timing = r["timing"_L1];
    QCOMPARE(timing["warm_ups"_L1].toInt(), 2);
    QVERIFY(timing["graphs"_L1].toArray().size() == 2);
    for (const char* part : {"forward", "backward", "step"}) {
        const QJsonValue ratio = against[QLatin1String(part)]["ratio"_L1];
        const double low = ratio["low"_L1].toDouble(), high = ratio["high"_L1].toDouble();
        QVERIFY(low > 0 && low <= ratio["median"_L1].toDouble() && high < 1000);
    }
    const QJsonArray steps = timing["steps"_L1].toArray();
    const QJsonArray events = readJson(at(u"trace.json"_s))["traceEvents"_L1].toArray();
    QCOMPARE(
        std::count_if(events.begin(), events.end(), [](const QJsonValue& e) { return e["cat"_L1] == "operation"_L1; }),
        steps.size());
    QCOMPARE(contentOf(at(u"times.csv"_s)).count('\n'), steps.size() + 1);
    // The variant compiles to other graphs; otherwise the option did nothing.
    QVERIFY(against["peak_bytes"_L1]["second"_L1].toInt() != against["peak_bytes"_L1]["first"_L1].toInt());
}

void TestCli::sizesThatVary() {
    const auto report = [&](const char* arguments) {
        const ProgramRun run =
            runProgram(resolved("run @model.pt --check --report @sizes.json "_L1 + QLatin1String(arguments)));
        if (run.code != 0) QTest::qFail(run.text().constData(), __FILE__, __LINE__);
        return readJson(at(u"sizes.json"_s));
    };
    const auto inputType = [](const QJsonObject& r) { return r["graphs"_L1]["joint"_L1]["text"_L1].toString(); };
    // by the spec
    QJsonObject r = report("--inputs @named.json");
    QVERIFY2(inputType(r).contains("f32[s0, 3] = placeholder(input)"), qPrintable(inputType(r)));
    QJsonValue symbol = r["symbols"_L1].toArray().at(0);
    QCOMPARE(symbol["name"_L1].toString(), u"s0"_s);
    QCOMPARE(symbol["hint"_L1].toInt(), 8);
    QCOMPARE(symbol["min"_L1].toInt(), 2);
    QCOMPARE(symbol["max"_L1].toInt(), 64);
    QCOMPARE(symbol["origin"_L1].toString(), u"batch, x.size(0)"_s);
    QStringList guards;
    for (const auto& guard : r["guards"_L1].toArray()) {
        guards << guard["text"_L1].toString();
        QCOMPARE(guard["kind"_L1].toString(), u"size"_s);
        QVERIFY(!guard["reason"_L1].toString().isEmpty());
    }
    QCOMPARE(guards, (QStringList{u"s0 <= 64"_s, u"s0 >= 2"_s}));
    QJsonArray sizes = r["check"_L1]["sizes"_L1].toArray();
    QCOMPARE(sizes.size(), 4);
    for (const auto& size : sizes) {
        QVERIFY(size["ok"_L1].toBool() && !size["recompiled"_L1].toBool());
        QVERIFY(size["sizes"_L1]["s0"_L1].toInt() != 8);
    }
    QJsonValue cache = r["check"_L1]["cache"_L1];
    QCOMPARE(cache["hits"_L1].toInt(), 5);
    QCOMPARE(cache["misses"_L1].toInt(), 0);
    // by options
    r = report("--inputs @good.json --dynamic x.0=2.. --at x.0=5 --at x.0=1 --at x.0=1");
    symbol = r["symbols"_L1].toArray().at(0);
    QVERIFY(symbol["max"_L1].isNull());
    QCOMPARE(symbol["origin"_L1].toString(), u"x.size(0)"_s);
    sizes = r["check"_L1]["sizes"_L1].toArray();
    QCOMPARE(sizes.size(), 3);
    QCOMPARE(sizes[0]["recompiled"_L1].toBool(), false);
    QCOMPARE(sizes[1]["recompiled"_L1].toBool(), true);
    QCOMPARE(sizes[1]["reason"_L1].toString(), u"s0 (x.size(0)) is 1, expected at least 2"_s);
    QCOMPARE(sizes[2]["recompiled"_L1].toBool(), false);
    cache = r["check"_L1]["cache"_L1];
    QCOMPARE(cache["hits"_L1].toInt(), 3);
    QCOMPARE(cache["misses"_L1].toInt(), 1);
    const QJsonValue options = r["options"_L1];
    QCOMPARE(options["dynamic"_L1].toArray().at(0)["name"_L1].toString(), u"x.0"_s);
    QCOMPARE(options["recompile_limit"_L1].toInt(), 8);
    // not at all
    r = report("--inputs @named.json --static-shapes --recompile-limit 3");
    QVERIFY2(inputType(r).contains("f32[8, 3] = placeholder(input)"), qPrintable(inputType(r)));
    QVERIFY(r["symbols"_L1].toArray().isEmpty());
    QVERIFY(r["guards"_L1].toArray().isEmpty());
    QVERIFY(r["check"_L1]["sizes"_L1].toArray().isEmpty());
    QVERIFY(r["options"_L1]["static_shapes"_L1].toBool());
    QCOMPARE(r["options"_L1]["recompile_limit"_L1].toInt(), 3);
}

void TestCli::savedSizesAreNumbers() {
    saveModel("def forward(self, x: Tensor) -> Tensor:\n    return (x * self.w).view(-1).sum() + 2 * x.size(0)",
              at(u"sum.pt"_s).toStdString());
    const ProgramRun run = runProgram(
        resolved(u"run @sum.pt --inputs @good1.json --dynamic x.0 --partition default --report @sizes.json"_s));
    QVERIFY2(run.code == 0, run.text().constData());
    int sizes = 0;
    for (const auto& value : readJson(at(u"sizes.json"_s))["partition"_L1]["saved"_L1].toArray()) {
        if (value["kind"_L1].toString() != "symint"_L1) {
            QVERIFY(value["type"_L1].toString().startsWith("f32["_L1));
            continue;
        }
        ++sizes;
        QVERIFY(value["type"_L1].toString().startsWith("Sym("_L1));
        QCOMPARE(value["bytes"_L1].toInt(), 8);
        QCOMPARE(value["dtype"_L1].toString(), u"int64"_s);
    }
    QVERIFY2(sizes > 0 && run.out.contains("Sym("), run.out.constData());
}

void TestCli::optionsReachThePipeline_data() {
    columns<QString, QStringList, QString>("arguments", "graphs", "algorithm");
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
    FETCH(QString, arguments, algorithm);
    QFETCH(QStringList, graphs);
    const ProgramRun run = runProgram(resolved(u"run "_s + arguments + u" --check --report @options.json"_s));
    QVERIFY2(run.code == 0, run.text().constData());
    const QJsonObject r = readJson(at(u"options.json"_s));
    QCOMPARE(keysOf(r["graphs"_L1]), graphs);
    QCOMPARE(r["partition"_L1]["algorithm"_L1].toString(), algorithm);
    const QJsonValue options = r["options"_L1];
    QCOMPARE(options["static_params"_L1].toBool(), arguments.contains("static"_L1));
    QCOMPARE(options["mode"_L1].toString(), arguments.contains("eval"_L1) ? u"eval"_s : u"as-saved"_s);
    QCOMPARE(options["seed"_L1].toInt(), arguments.contains("seed"_L1) ? 7 : 0);
}

void TestCli::staticParametersAreSavedForFree() {
    const ProgramRun run = runProgram(words("run sample:mlp --static-params"));
    QVERIFY2(run.out.contains("in memory anyway: saving it is free"), run.text().constData());
}

void TestCli::sameOptionsSameGraphs() {
    const auto graphs = [&](const char* name) {
        const ProgramRun run =
            runProgram(resolved(u"run sample:gpt2-tiny --seed 3 --report @"_s + QLatin1String(name)));
        return run.code == 0 ? readJson(at(QLatin1String(name)))["graphs"_L1].toObject() : QJsonObject();
    };
    const QJsonObject first = graphs("first.json");
    QCOMPARE(first.size(), 6);
    QCOMPARE(graphs("second.json"), first);
}
