// The subcommands partition and pareto.

#include "test_cli.h"

#include "cost/calibration.h"

using namespace aotscope;
using namespace aotscope::test;

// --- partition and diff ---

void TestCli::partitionIsExplained() {
    const ProgramRun run = runProgram(words("partition sample:gpt2-tiny --budget 0.3"));
    QVERIFY2(run.code == 0, run.text().constData());
    for (const char* text : {"saved", "recomputed", "distance", "flow", "why", "cannot recompute: primal input",
                             "min-cut partition of", "memory budget 0.3"})
        QVERIFY2(run.out.contains(text), text);
}

void TestCli::partitionAsJson() {
    const ProgramRun run =
        runProgram(resolved(u"partition sample:mlp --budget 0 --report @inputs_only.json --save relu"_s));
    QVERIFY2(run.code == 0, run.text().constData());
    const QJsonObject report = readJson(at(u"inputs_only.json"_s));
    const QJsonValue partition = report["partition"_L1];
    QCOMPARE(partition["memory_budget"_L1]["cut"_L1], "inputs only"_L1);
    QCOMPARE(report["options"_L1]["partitioning"_L1]["save"_L1][0], "relu"_L1);
    QStringList saved;
    for (const auto& value : partition["decisions"_L1].toArray())
        if (value["fate"_L1].toString() == "saved"_L1 && !value["name"_L1].toString().startsWith("primals"_L1))
            saved << value["name"_L1].toString();
    QVERIFY2(saved.contains(u"relu"_s), qPrintable(saved.join(u' ')));
    const ProgramRun toScreen = runProgram(words("partition sample:mlp --report"));
    QVERIFY(QJsonDocument::fromJson(toScreen.out).object().contains("partition"_L1));
}

void TestCli::badPartitions_data() {
    const auto row = refusalRows();
    row("partition sample:mlp --save relo", 1, "no node 'relo'; did you mean 'relu'");
    row("partition sample:mlp --recompute x", 1, "it is an input");
    row("partition sample:mlp --budget 2", 2, "--memory-budget");
    row("partition sample:mlp --solver magic", 2, "--solver");
    row("partition sample:mlp --no-ban magic", 2, "--no-ban");
    row("partition sample:mlp --inference", 1, "nothing to partition");
    row("run sample:gpt2-tiny --budget 0.1 --estimator measured", 1, "aotscope partition");
    row("diff @good.json @good.json", 1, "is not a report");
    row("diff sample:mlp sample:mlp --graph magic", 2, "--graph magic");
    row("diff sample:mlp @missing.json", 1, "missing.json");
    row("diff sample:mlp", 2,
        "expected a second model or report after 'sample:mlp', --against OPTIONS, or --passes FROM..TO");
    row("diff sample:mlp sample:mlp --passes functional..joint", 2, "OTHER excludes --passes");
    row("diff sample:mlp --passes functional..joint --graph joint", 2, "--passes excludes --graph");
    row("diff sample:mlp --passes functional", 2, "--passes functional: expected FROM..TO");
    row("diff sample:mlp --passes functional..", 2, "expected FROM..TO");
    row("diff sample:mlp --passes functional..magic", 2, "--passes: this run has no pass or graph 'magic'");
    row("diff sample:mlp --passes joint..partition", 2,
        "pass 'partition' has left 2 graphs; name one of 'forward', 'backward'");
    row("diff @asserts.pt --inputs @one.json --passes source..joint", 1, "too few rows");
    row("diff sample:mlp sample:mlp -o @difference.doc", 2, "cannot write the difference as '");
}
void TestCli::badPartitions() { isRefused(scratch_); }

namespace {

QStringList savedIn(const QJsonObject& report) {
    QStringList names;
    for (const auto& value : report["partition"_L1]["saved"_L1].toArray()) names << value["name"_L1].toString();
    names.sort();
    return names;
}

}  // namespace

/// Saves the same values as the partition that a plan came from; for a list, those of the list.
void TestCli::plansSaveWhatTheyName() {
    for (const char* model : {"sample:gpt2-tiny --budget 0.3", "sample:mlp --partition default",
                              "sample:resnet18 --recompute relu --save relu_1"}) {
        const QString first = at(u"first.json"_s), again = at(u"again.json"_s);
        ProgramRun run = runProgram(words("partition") + words(model) + QStringList{u"--report"_s, first});
        QVERIFY2(run.code == 0, run.text().constData());
        run = runProgram(
            {u"run"_s, words(model).first(), u"--plan"_s, first, u"--check"_s, u"--verify"_s, u"--report"_s, again});
        QVERIFY2(run.code == 0, run.text().constData());
        QVERIFY2(run.out.contains("plan partition"), run.out.constData());
        QCOMPARE(savedIn(readJson(again)), savedIn(readJson(first)));
    }
    scratch_.write(u"plan.json"_s, R"({"saved": ["%x", "sin"]})");
    const ProgramRun run = runProgram(
        resolved(u"run sample:sincos --plan @plan.json --check --report @plan_report.json --save @plan.aotscope"_s));
    QVERIFY2(run.code == 0, run.text().constData());
    const QJsonObject report = readJson(at(u"plan_report.json"_s));
    QCOMPARE(savedIn(report), (QStringList{u"primals_1"_s, u"sin"_s}));
    QCOMPARE(report["partition"_L1]["saved"_L1][1]["reason"_L1].toString(), u"the plan saves it"_s);
    const ProgramRun saved = runProgram(resolved(u"run @plan.aotscope --check"_s));
    QVERIFY2(saved.code == 0, saved.text().constData());
    QVERIFY2(saved.out.contains("plan partition"), saved.out.constData());
}

void TestCli::badPlans_data() {
    scratch_.write(u"relo.json"_s, R"({"saved": ["relo"]})");
    scratch_.write(u"nothing.json"_s, R"({"saved": []})");
    scratch_.write(u"gradient.json"_s, R"({"saved": ["mm"]})");
    scratch_.write(u"part.json"_s, R"({"saved": ["x", "relu"]})");
    scratch_.write(u"sincos.json"_s, R"({"saved": ["x"]})");
    scratch_.write(u"numbers.json"_s, R"({"saved": [1]})");
    scratch_.write(u"newer.json"_s, R"({"schema": 99, "graphs": {}, "partition": {"saved": []}})");
    scratch_.write(u"other.json"_s, R"({"kept": ["relu"]})");
    const auto row = refusalRows();
    row("partition sample:mlp --plan @relo.json", 1, "no node 'relo'; did you mean 'relu'");
    row("partition sample:mlp --plan @gradient.json", 1, "%mm cannot be saved: it belongs to the backward");
    row("partition sample:mlp --plan @nothing.json", 1, "the plan does not save %primals_");
    row("partition sample:mlp --plan @part.json", 1, "which the backward needs for %");
    row("partition sample:mlp --plan @numbers.json", 1,
        "numbers.json': what it saves is not a list of names; expected a");
    row("partition sample:mlp --plan @other.json", 1, "other.json': it does not say what is saved; expected a report");
    row("partition sample:mlp --plan @newer.json", 1,
        "newer.json': it was written by a newer version of aotscope (schema 99, this one reads 1); update aotscope");
    row("diff sample:mlp @newer.json", 1, "newer.json': it was written by a newer version of aotscope (schema 99,");
    row("partition sample:mlp --plan @text.txt", 1, "text.txt': this is not JSON; expected a report of 'aotscope");
    row("partition sample:mlp --plan @missing.json", 1, "missing.json': no such file; check the path\n");
    row("partition sample:sincos --plan @sincos.json --budget 0.3", 2, "--memory-budget: only for the min-cut");
    row("partition sample:mlp --plan @nothing.json --partition default", 2, "--plan: only for the partitioner 'plan'");
    row("partition sample:mlp --partition-fn @missing.so", 2, "missing.so': no such file; check the path");
    row("partition sample:mlp --partition-fn " PLUGIN_COUNTING, 2, "it has no partition function; expected a library");
    row("run sample:mlp --plugin " PLUGIN_INPUTS_ONLY, 2, "it has no compiler; expected a library with");
}
void TestCli::badPlans() { isRefused(scratch_); }

/// The session has the plan, and opens without the plug-in.
void TestCli::partitionFunctionsOfPlugins() {
    const ProgramRun run =
        runProgram(resolved(QStringLiteral("run sample:mlp --check --verify --partition-fn " PLUGIN_INPUTS_ONLY
                                           " --report @function.json --save @function.aotscope")));
    QVERIFY2(run.code == 0, run.text().constData());
    const QJsonObject report = readJson(at(u"function.json"_s));
    const QJsonValue partition = report["partition"_L1];
    QCOMPARE(partition["algorithm"_L1].toString(), u"plan"_s);
    QVERIFY(!savedIn(report).isEmpty() && !partition["recomputed"_L1].toArray().isEmpty());
    for (const QString& name : savedIn(report)) QVERIFY2(name.startsWith("primals"_L1), qPrintable(name));
    const ProgramRun again = runProgram(resolved(u"run @function.aotscope --check --report @function_again.json"_s));
    QVERIFY2(again.code == 0, again.text().constData());
    QCOMPARE(savedIn(readJson(at(u"function_again.json"_s))), savedIn(report));
}

void TestCli::operationsAreTimedForTheBudget() {
    const ProgramRun run = runProgram(words("partition sample:gpt2-tiny --budget 0.1 --estimator measured --report"));
    QVERIFY2(run.code == 0, run.text().constData());
}

void TestCli::plansOfAnySize() {
    const auto run = [](const char* command, const QStringList& more = {}) {
        return runProgram(QStringList{QLatin1String(command),
                                      u"script:def f(x):\n    return (x.sin() * x.t().contiguous()).sum()"_s,
                                      u"--inputs"_s, u"f32[1000000, 1000000] grad"_s} +
                          more);
    };
    for (const char* command : {"partition", "passes", "pareto"}) {
        const ProgramRun planned = run(command);
        QVERIFY2(planned.code == 0, planned.text().constData());
    }
    const ProgramRun saved = run("partition");
    QVERIFY2(saved.out.contains("4.00 TB"), saved.out.constData());
    const ProgramRun checked = run("run", {u"--check"_s});
    QCOMPARE(checked.code, 1);
    QVERIFY2(checked.err.contains("a run takes about 4.00 TB for its inputs and "), checked.text().constData());
}

// --- pareto ---

void TestCli::budgetsAreCostedAndMeasured() {
    const ProgramRun run = runProgram(words("pareto sample:mlp --points 3 --measure --json"));
    QVERIFY2(run.code == 0, run.text());
    const QJsonArray points = QJsonDocument::fromJson(run.out).object()["points"_L1].toArray();
    QCOMPARE(points.size(), 3);
    double lastSaved = -1;
    for (int i = 0; i < 3; ++i) {
        const QJsonObject point = points[i].toObject();
        QCOMPARE(point["budget"_L1].toDouble(), i / 2.0);
        const double saved = point["saved_bytes"_L1].toDouble();
        QVERIFY(saved >= lastSaved);
        lastSaved = saved;
        const QJsonObject measured = point["measured"_L1].toObject();
        QCOMPARE(measured["saved_bytes"_L1].toDouble(), saved);
        QCOMPARE(measured["peak_bytes"_L1].toDouble(), point["predicted_peak_bytes"_L1].toDouble());
        QVERIFY(measured["forward_ms"_L1].toDouble() > 0);
    }
    const ProgramRun table = runProgram(words("pareto sample:mlp --points 2"));
    QVERIFY(table.out.startsWith("budget"));
    QVERIFY(table.out.contains("\n0.000 ") || table.out.contains("\n 0.000 "));
    QVERIFY(!table.out.contains("measured"));
}

/// The calibration of an earlier process is used, unless the file is damaged or the machine is to be measured again.
void TestCli::calibrationsAreKeptAndRepeated() {
    const Scratch cache;
    const QByteArray usual = qgetenv("XDG_CACHE_HOME");
    qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
    bool stays = false;  // the earlier calibration, since the machine is busy
    const auto overheadSeconds = [&](const char* flags) {
        const ProgramRun run = runProgram(words("pareto sample:sincos --points 1 --json") + words(flags));
        stays = run.err.contains("the earlier calibration stays in use");
        return QJsonDocument::fromJson(run.out).object()["machine"_L1]["overhead_us"_L1].toDouble() / 1e6;
    };
    const CalibratedMachine machine = thisMachine("cpu");
    const std::filesystem::path file = calibrationFile(machine);
    MachineModel slow;
    slow.overhead = 50;
    writeCalibration(file, machine, slow);
    const double kept = overheadSeconds(""), repeated = overheadSeconds("--calibrate");
    const bool refused = stays;
    writeCalibration(file, machine, slow);
    cache.write(QString::fromStdString(file.lexically_relative(cache.path().toStdString()).string()), "damaged");
    const double damaged = overheadSeconds("");
    qputenv("XDG_CACHE_HOME", usual);
    QCOMPARE(kept, 50.0);
    QVERIFY(refused ? repeated == 50 : repeated > 0 && repeated < 50);
    QVERIFY(damaged > 0 && damaged < 50);
}

void TestCli::paretoRefusals() {
    const ProgramRun noBudgets = runProgram(words("pareto sample:mlp --partition default"));
    QCOMPARE(noBudgets.code, 2);
    QVERIFY2(noBudgets.oneSentence() && noBudgets.err.contains("only min-cut has memory budgets"), noBudgets.text());
    const ProgramRun inference = runProgram(words("pareto sample:mlp --inference"));
    QCOMPARE(inference.code, 1);
    QVERIFY2(inference.oneSentence() && inference.err.contains("nothing to partition"), inference.text());
}
