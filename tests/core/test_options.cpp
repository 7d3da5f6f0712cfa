// An option is described once, in core/record/options/option_table.cpp, and appears everywhere: on the command line, in
// --against, in session files and in the report. Intended exceptions are named here.

#include "cost/known_machines.h"
#include "io/python/text.h"
#include "io/report.h"
#include "io/session/session_file.h"
#include "ops/decompositions/decomposition_table.h"
#include "program/inputs/input_spec.h"
#include "record/options/option_values.h"
#include "session/engine.h"
#include "support/golden.h"
#include "support/program.h"
#include "support/refusals.h"
#include "support/test_program.h"
#include "support/text.h"

#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace aotscope::test::options_test {
namespace {

using Names = std::set<std::string_view>;

/// Members that other options set, or that the window and the pipeline use.
const Names kWithoutFlag = {"inputFolder",
                            "splitAgain",
                            "partition.cut.banNotInAllowList",
                            "partition.cut.banMaterializedBackward",
                            "partition.cut.banReductions",
                            "partition.cut.banUsedFarApart",
                            "partition.cut.banLongFusibleChains",
                            "partition.cut.mustSave",
                            "partition.cut.mustRecompute",
                            "partition.cut.dontBan"};
/// Native code and limits are never part of a session. The others are stored under other keys.
const Names kNotInSessions = {"--remote-command", "--torch",      "--library",      "--allow",
                              "--plugin",         "--time-limit", "--partition-fn", "--memory-limit",
                              "--inputs",         "--no-ban",     "--aggressive",   "--decompose"};
const Names kNotReported = {"--remote-command", "--torch",      "--model-name",   "--weights",
                            "--define",         "--library",    "--allow",        "--cuda-graphs",
                            "--compile-id",     "--aggressive", "--plugin",       "--verify",
                            "--time-limit",     "--at",         "--memory-limit", "--cross-check-fake"};

/// These have their own place in the window: the open model, questions, dialogs, lists of files.
const Names kNotAmongTheWindowsOptions = {
    "MODEL",    "--remote-command", "--library",      "--allow",      "--inputs",     "--compile-id",  "--no-ban",
    "--plugin", "--plan",           "--partition-fn", "--aggressive", "--time-limit", "--memory-limit"};

/// A value that is not the default.
std::string sampleOf(const OptionEntry& entry) {
    static const std::map<std::string_view, std::string> samples = {
        {"MODEL", "ssh://box/sample:sincos"},
        {"--remote-command", "srun"},
        {"--allow", "network"},
        {"--inputs", "x.pt"},
        {"--device", "cuda:1"},
        {"--decompose", "core-aten"},
        {"--memory-budget", "0.5"},
        {"--plan", AOTSCOPE_SOURCE_DIR "/tests/data/plan.json"},
        {"--policy", "must_save=op:mm"},
        {"--no-ban", "reductions"},
        {"--compiler-option", "fused.reductions=false"},
        {"--dynamic", "x.0=2..9"},
        {"--at", "x.0=3"},
        {"--world-size", "8"},
        {"--group", "tp=2"},
        {"--links", "a100"},
        {"--bucket", "25MB"},
        {"--peak-limit", "2GB"},
        {"--peak", "0.7"},
        {"--time-limit", "5"},
        {"--memory-limit", "2GB"}};
    if (const auto found = samples.find(entry.name()); found != samples.end()) return found->second;
    for (const std::string& choice : optionChoices(entry))
        if (choice != optionDefault(entry)) return choice;
    return entry.isFlag() ? "true" : "7";
}

Options allSet() {
    Options options;
    for (const OptionEntry& entry : optionTable())
        if (!entry.flag.empty()) setOption(entry, options, {sampleOf(entry)});
    return options;
}

QString textOf(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

QString jsonOf(const OptionEntry& entry, const Options& options) { return textOf(optionJson(entry, options).dump()); }

bool takes(const OptionEntry& entry, const char* command) {
    return entry.commands.empty() || textOf(entry.commands).split(u' ').contains(QLatin1String(command));
}

}  // namespace

class TestOptions : public QObject {
    Q_OBJECT

    Scratch scratch_;

private Q_SLOTS:
    void everyOptionHasHelpAndAFlag() {
        Names names;
        for (const OptionEntry& entry : optionTable()) {
            const std::string_view name = entry.flag.empty() ? entry.session : entry.name();
            QVERIFY2(names.insert(name).second, qPrintable(textOf(name)));
            QVERIFY2(entry.flag.empty() == kWithoutFlag.contains(name), qPrintable(textOf(name)));
            QVERIFY2(entry.flag.empty() || !entry.help.empty(), qPrintable(textOf(name)));
            QVERIFY2(entry.field || entry.set, qPrintable(textOf(name)));
        }
    }

    void everyOptionIsOnTheCommandLine() {
        for (const char* command :
             {"run", "export", "passes", "partition", "pareto", "train", "diff", "ranks", "debug"}) {
            const ProgramRun run = runProgram({QLatin1String(command), u"--help"_s});
            QCOMPARE(run.code, 0);
            const QString help = QString::fromUtf8(run.out).simplified();
            for (const OptionEntry& entry : optionTable()) {
                if (entry.flag.empty()) continue;
                const bool there = help.contains(u' ' + textOf(entry.flag) + u' ');
                QVERIFY2(there == takes(entry, command),
                         qPrintable(QLatin1String(command) + u' ' + textOf(entry.flag)));
            }
        }
    }

    /// Of all options and an unknown one, only the unknown one is refused.
    void everyOptionIsTakenByAgainst() {
        QString text;
        for (const OptionEntry& entry : optionTable()) {
            if (!entry.name().starts_with("--") || !takes(entry, "--against")) continue;
            text += textOf(entry.name()) + u' ';
            if (!entry.isFlag()) text += textOf(sampleOf(entry)) + u' ';
        }
        const ProgramRun run = runProgram(
            {u"run"_s, u"sample:sincos"_s, u"--time"_s, u"1"_s, u"--against"_s, text + u"--no-such-option"_s});
        QCOMPARE(run.code, 2);
        QVERIFY2(run.err.contains("not expected: --no-such-option; expected options of"), run.text().constData());
    }

    void everyOptionIsInSessionFiles() {
        for (const OptionEntry& entry : optionTable())
            QVERIFY2(entry.session.empty() == kNotInSessions.contains(entry.name()), qPrintable(textOf(entry.name())));
        SessionContent content = Session::open({.model = "sample:sincos"}, {})->content();
        content.options = allSet();
        const std::string file = scratch_.at(u"all.aotscope"_s).toStdString();
        writeSessionFile(file, content);
        const Options read = readSessionFile(file).content.options;
        for (const OptionEntry& entry : optionTable())
            if (!entry.session.empty() && entry.field)
                QVERIFY2(jsonOf(entry, read) == jsonOf(entry, content.options), entry.session.data());
    }

    /// Queries may have spaces, also among several policies in one line of the window.
    void policiesInOneLine() {
        const OptionEntry& entry = optionNamed("--policy");
        Options options;
        setOptionText(entry, options, "must_save=module:x op=mm prefer_recompute=op:relu or view");
        QCOMPARE(options.partition.policies,
                 std::vector<std::string>({"must_save=module:x op=mm", "prefer_recompute=op:relu or view"}));
        Options again;
        setOptionText(entry, again, optionText(entry, options));
        QCOMPARE(again.partition.policies, options.partition.policies);
        QVERIFY_EXCEPTION_THROWN(setOptionText(entry, options, "save=op:mm"), UsageError);
    }

    void everyOptionIsReported() {
        const nlohmann::json before = makeReport({}, {}, machineOf("cpu"))["options"];
        const nlohmann::json after = makeReport(allSet(), {}, machineOf("cpu"))["options"];
        for (const OptionEntry& entry : optionTable()) {
            if (entry.flag.empty()) continue;
            QVERIFY2(entry.report.empty() == kNotReported.contains(entry.name()), qPrintable(textOf(entry.name())));
            for (const QString& key : textOf(entry.report).split(u' ', Qt::SkipEmptyParts)) {
                const nlohmann::json::json_pointer place((u'/' + QString(key).replace(u'.', u'/')).toStdString());
                QVERIFY2(after.contains(place), qPrintable(key));
                QVERIFY2(!before.contains(place) || before[place] != after[place], qPrintable(key));
            }
        }
    }

    void everyOptionIsInTheWindow() {
        std::set<std::string_view> labels;
        for (const OptionEntry& entry : optionTable()) {
            if (!entry.flag.empty())
                QVERIFY2(entry.label.empty() == kNotAmongTheWindowsOptions.contains(entry.name()),
                         qPrintable(textOf(entry.name())));
            if (entry.label.empty()) continue;
            QVERIFY2(labels.insert(entry.label).second, entry.label.data());
            QVERIFY2(!entry.help.empty() && !entry.group.empty(), entry.label.data());
        }
    }

    /// As the window shows and takes it.
    void everyOptionIsALineOfText() {
        const Options changed = allSet();
        for (const OptionEntry& entry : optionTable()) {
            if (entry.label.empty()) continue;
            Options options;
            QVERIFY2(isDefault(entry, options), entry.label.data());
            const std::string text = optionText(entry, changed);
            setOptionText(entry, options, text);
            QCOMPARE(textOf(optionText(entry, options)), textOf(text));
            QCOMPARE(isDefault(entry, options), isDefault(entry, changed));
            setDefault(entry, options);
            QVERIFY2(isDefault(entry, options), entry.label.data());
        }
        Options several;
        setOptionText(optionNamed("--dynamic"), several, "batch=2..64 x.0=3..");
        QCOMPARE(textOf(optionText(optionNamed("--dynamic"), several)), u"batch=2..64 x.0=3.."_s);
        QVERIFY_EXCEPTION_THROWN(setOptionText(optionNamed("--dynamic"), several, "=2"), UsageError);
        setOptionText(optionNamed("--dynamic"), several, "all batch=2..64");
        QCOMPARE(textOf(optionText(optionNamed("--dynamic"), several)), u"all batch=2..64"_s);
        setOptionText(optionNamed("--dynamic"), several, " ");
        QVERIFY(several.dynamic.empty());
    }

    void optionsWithoutEffectSayWhy_data() {
        columns<QString, QString, QString>("given", "option", "why");
        const auto row = [](const char* given, const char* option, const char* why) {
            QTest::addRow("%s %s", given, option)
                << QString::fromUtf8(given) << QString::fromUtf8(option) << QString::fromUtf8(why);
        };
        row("--inference", "--partition", "no backward");
        row("--inference", "--backward-compiler", "no backward");
        row("--inference", "--inference-compiler", "");
        row("--partition=default", "--static-params", "min-cut");
        row("--partition=default", "--save", "");
        row("--seed=1", "--inference-compiler", "only for inference");
        row("--seed=1", "--solver", "budget below 1");
        row("--memory-budget=0.5", "--solver", "");
        row("--seed=1", "--cuda-graphs", "CUDA device");
        row("--device=cuda", "--cuda-graphs", "");
        row("MODEL=sample:mlp", "--weights", ".pt2");
        row("MODEL=a.pt2", "--weights", "");
        row("MODEL=a.pt2", "--torch", "");
        row("MODEL=ssh://box/a.pt2", "--torch", "on this machine");
    }
    void optionsWithoutEffectSayWhy() {
        FETCH(QString, given, option, why);
        Options options;
        const auto name = given.section(u'=', 0, 0).toStdString();
        setOption(optionNamed(name), options, {given.section(u'=', 1).toStdString()});
        const std::string said = optionNamed(option.toStdString()).needs(options);
        QCOMPARE(said.empty(), why.isEmpty());
        QVERIFY2(said.find(why.toStdString()) != std::string::npos, said.c_str());
    }

    void refusals_data() {
        const auto row = refusalRows();
        row("run sample:mlp --seed x", 2, "--seed x: expected a whole number");
        row("run sample:mlp --seed -1", 2, "--seed -1: expected a whole number");
        row("run sample:mlp --recompile-limit 1000001", 2, "expected a whole number from 0 to 1000000");
        row("run sample:mlp --budget 1.5", 2, "--memory-budget 1.5: expected a number from 0 to 1");
        row("run sample:mlp --mode fast", 2, "--mode fast: expected one of 'as-saved', 'train', 'eval'");
        row("run sample:mlp --allow all", 2, "--allow all: expected one of 'reads-files', ");
        row("run sample:mlp --order fastest", 2, "--order fastest: expected one of 'traced', 'memory'");
        row("run sample:mlp --no-ban all", 2, "--no-ban all: expected one of 'allow-list', ");
        row("run sample:mlp --time 1 --against --seed", 2, "--against");
    }
    void refusals() { isRefused(scratch_); }

    void aPartitionAsPython() {
        Options options{
            .model = "sample:mlp",
            .inputs = std::filesystem::path("inputs.json"),
            .dialect = Dialect::libtorch,
            .partition = {
                .cut = {.recomputeViews = true}, .memoryBudget = 0.25, .recompute = {"relu", "a \"quoted\" name"}}};
        const QString text = q(partitionAsPython(options));
        QCOMPARE(text.section(u'\n', 2, 2),
                 u"plan = aotscope.partition(\"sample:mlp\", inputs=\"inputs.json\", "
                 "dialect=\"libtorch\", partition=\"min-cut\", "
                 "memory_budget=0.25, recompute=[\"relu\",\"a \\\"quoted\\\" name\"], "
                 "recompute_views=True)"_s);
        QVERIFY(text.contains(u"partition_fn = aotscope.partitioner(plan)\n"_s));
        options = {};
        options.model = "model.pt";
        options.inputs = parseInputSpec(R"([{"shape": [4, 3]}])", "test");
        QVERIFY2(q(partitionAsPython(options)).contains(u"\n# inputs.json: [{"_s), partitionAsPython(options).c_str());
        // A session has its own graphs, and its own inputs.
        const Options session{.model = "chosen.aotscope", .dialect = Dialect::libtorch};
        QCOMPARE(q(partitionAsPython(session)).section(u'\n', 2, 2),
                 u"plan = aotscope.partition(\"chosen.aotscope\", partition=\"min-cut\")"_s);
    }

    /// Python runs these files in tests/python/test_lines.py.
    void inputsAsPython() {
        Options options{.seed = 3};
        const InputSpec spec = readInputSpec(AOTSCOPE_SOURCE_DIR "/tests/data/python/inputs.json");
        options.inputs = spec;
        const std::vector<std::string> names = {"tokens", "mask", "lambda", "pair", "2nd input", "torch", "scale"};
        QCOMPARE(compareWithGolden(u"python/inputs.py"_s,
                                   QByteArray::fromStdString(aotscope::inputsAsPython(spec, names, options))),
                 QString());
        options = {};
        options.inputFolder = "data";
        const InputSpec files = parseInputSpec(
            R"([{"file": "x.npy"}, {"file": "w.safetensors:a"}, {"file": "v.safetensors"}, {"file": "t.pt"}])", "test");
        const QString text = q(aotscope::inputsAsPython(files, {"x"}, options));
        for (const char* line : {"import numpy\n", "from safetensors.torch import load_file\n",
                                 "x = torch.from_numpy(numpy.load(\"data/x.npy\"))\n",
                                 "value_1 = load_file(\"data/w.safetensors\")[\"a\"]\n",
                                 "value_2 = next(iter(load_file(\"data/v.safetensors\").values()))\n",
                                 "value_3 = torch.load(\"data/t.pt\")\n"})
            QVERIFY2(text.contains(QString::fromUtf8(line)), qPrintable(text));
        // Elements of a file are not in its spec.
        options = {};
        options.model = "model.pt2";
        QVERIFY(q(aotscope::inputsAsPython({}, {}, options)).contains(u"export.load(\"model.pt2\")"_s));
    }

    void decompositionsAsPython_data() {
        QTest::addColumn<QString>("table");
        for (const auto& name : DecompositionTable::names()) QTest::addRow("%s", name.c_str()) << q(name);
        QTest::addRow("custom") << QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/python/decompositions.json");
    }
    void decompositionsAsPython() {
        QFETCH(QString, table);
        const auto loaded = DecompositionTable::load(table.toStdString());
        QCOMPARE(compareWithGolden(u"python/decompositions_%1.py"_s.arg(QTest::currentDataTag()),
                                   QByteArray::fromStdString(aotscope::decompositionsAsPython(
                                       loaded.get(), engineHere()->decompositionRules()))),
                 QString());
    }

    void aCheckAsPython() {
        const Options options{.model = "sample:mlp", .partition = {.recompute = {"relu"}}};
        CheckResult check;
        check.ok = false;
        check.details = {"output 0 differs\nfrom eager"};
        BisectResult bisection;
        const QString text = q(checkAsPython(options, &check, &bisection));
        QVERIFY2(text.contains(u"\n# output 0 differs from eager\n# values match eager after every pass\n"
                               "report = aotscope.run(\"sample:mlp\", partition=\"min-cut\", "
                               "recompute=[\"relu\"], check=True, bisect=True)\n"_s),
                 qPrintable(text));
        check = {};
        QVERIFY(q(checkAsPython(options, &check, nullptr)).contains(u"# the compiled function computes"_s));
        const QString stop = q(stopAsPython(options, "%log has a NaN", true, "print(1)\n"));
        QVERIFY2(stop.contains(u"# %log has a NaN\nfound = aotscope.debug_first_nan(\"sample:mlp\", "_s),
                 qPrintable(stop));
        QVERIFY(stop.endsWith(u"\n\nprint(1)\n"_s));
        QVERIFY(q(stopAsPython(options, "it differs", false, {})).contains(u"check=True"_s));
    }
};

AOTSCOPE_TEST(TestOptions)

}  // namespace aotscope::test::options_test

#include "test_options.moc"
