// No option is dropped: all commands, kinds of input and options, as listed by --help. The effect of an option is
// visible in the output, in the exit code and in the written files; an option without effect has to be refused in a
// sentence that names it. All of it is one of the long tests, which start the program thousands of times; the others
// try a share.

#include "support/given_machine.h"
#include "support/kept_operators.h"
#include "support/long_tests.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/test_program.h"

#include <algorithm>
#include <map>

namespace aotscope::test::option_effects {
namespace {

const QString kData = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/");

/// A command with its required arguments; "%m" stands for the input.
struct Command {
    const char* name;
    const char* arguments;
};
constexpr Command kCommands[] = {{"run", "%m"},
                                 {"run", "%m --check"},
                                 {"export", "%m --format txt -o @graph.txt"},
                                 {"export", "%m --graph forward -o @graph.svg"},
                                 {"passes", "%m"},
                                 {"partition", "%m"},
                                 {"pareto", "%m --points 2"},
                                 {"costs", "%m"},
                                 {"fit", "%m --memory 1GB"},
                                 {"train", "%m --steps 2"},
                                 {"diff", "%m sample:sincos"},
                                 {"diff", "%m --passes functional..joint"},
                                 {"ranks", "%m sample:sincos"},
                                 {"debug", "%m"},
                                 {"minify", "%m --while op:mm"},
                                 {"compiles", "%m"},
                                 {"samples", ""},
                                 {"compilers", ""},
                                 {"ops", "gelu"},
                                 {"sweep", "@runs.txt"}};

struct Input {
    const char* kind;
    QString arguments;  ///< "%d" stands for the folder of test data
};
const std::vector<Input> kInputs = {
    {"sample", u"sample:mlp"_s},
    {"code", u"%c"_s},
    {"exported program", u"%d/exported/dynamic_batch.pt2"_s},
    {"TorchScript", u"%d/torchscript/TracedLayers.pt --inputs %d/torchscript/TracedLayers.json"_s},
    {"printed log", u"%d/printed/mlp.log"_s},
    {"printed graph", u"%d/printed/plain.txt"_s},
    {"log of TORCH_TRACE", u"%d/printed/mlp.trace"_s},
    {"passes", u"%d/printed/passes/plain"_s},
    {"session", u"@saved.aotscope"_s},
    {"report", u"@report.json"_s},
    {"distributed program", u"%d/distributed/mlp_tensor.pt2 --world-size 4"_s},
    {"another machine", u"ssh://box/sample:mlp --remote-command %p"_s}};

/// Options whose effect is invisible in the output of these runs, and why.
const std::map<QString, const char*> kUnseen = {
    {u"--debug"_s, "changes only what LibTorch logs and how errors are shown"},
    {u"--seed"_s, "decides on values of random inputs, not on the graphs"},
    {u"--weights"_s, "changes values only"},
    {u"--time-limit"_s, "a limit that is not reached"},
    {u"--memory-limit"_s, "a limit that is not reached"},
    {u"--rank-timeout"_s, "a limit that is not reached"},
    {u"--recompile-limit"_s, "a limit that is not reached"},
    {u"--allow"_s, "a permission that nothing asks for"},
    {u"--verify"_s, "the graphs are sound"},
    {u"--save"_s, "a value that is saved in any case"},
    {u"--strict"_s, "nothing is done otherwise than asked for"},
    {u"--device"_s, "printed graphs have devices of their own: it is that of estimates and runs"},
    {u"--cross-check-fake"_s, "refused or printed; in a session's run there is nothing to compare"},
    {u"--library"_s, "operators that nothing calls"},
    {u"--plugin"_s, "compilers that nobody chooses"},
    {u"--define"_s, "operators that nothing calls"},
    {u"--dialect"_s, "these models have no operation that the dialects take apart in different ways"},
    {u"--mode"_s, "these models have neither batch norm nor dropout"},
    {u"--keep-input-mutations"_s, "these models write into no input"},
    {u"--static-shapes"_s, "these models have no dynamic sizes, or the graphs of one size only"},
    {u"--static-params"_s, "these models save parameters in any case"},
    {u"--recompute-views"_s, "these models save no view"},
    {u"--drop-copies"_s, "these models copy nothing"},
    {u"--order"_s, "no order of models of this size has a lower peak"},
    {u"--no-ban"_s, "these models recompute nothing that a rule bans"},
    {u"--aggressive"_s, "these models recompute nothing that a rule bans"},
    {u"--solver"_s, "the solvers agree on models of this size"},
    {u"--estimator"_s, "the estimators agree on models of this size"},
    {u"--plan-seconds"_s, "plans for models of this size are the best at once"},
    {u"--group"_s, "says what the program says"},
    {u"--issue-early"_s, "these collectives are issued as early as they can be"},
    {u"--wait-late"_s, "these collectives are waited for as late as they can be"},
    {u"--bucket"_s, "these collectives do not fit together"},
    {u"--reshard-after-forward"_s, "these parameters are not sharded"},
    {u"--inputs"_s, "the values of inputs; types that do not fit are refused"},
    {u"--rank"_s, "the ranks of this program are alike"},
    {u"--fail-on-change"_s, "the exit code of a comparison without differences"},
    {u"--colour-blind"_s, "colours of kinds of nodes that these graphs do not have"},
    {u"--depth"_s, "these graphs have no modules"},
};

/// Likewise for a command and the beginning of its arguments.
const std::map<std::pair<QString, QString>, const char*> kUnseenThere = {
    {{u"pareto"_s, u"--dynamic"_s}, "estimates are those of the example's sizes"},
    {{u"costs"_s, u"--dynamic"_s}, "costs are those of the example's sizes"},
    {{u"minify"_s, u"--memory-budget"_s}, "the smallest part is the same in every partition"},
    {{u"minify"_s, u"--peak"_s}, "the smallest part is the same in every partition"},
    {{u"export %m --format txt"_s, u"--peak"_s}, "the joint graph is the same in every partition"},
    {{u"diff %m --passes"_s, u"--peak"_s}, "the joint graph is the same in every partition"},
    {{u"ranks %m sample"_s, u"--peak"_s}, "sincos exchanges nothing"},
    {{u"minify"_s, u"--partition"_s}, "the smallest part is the same in every partition"},
    {{u"minify"_s, u"--recompute"_s}, "the smallest part is the same in every partition"},
    {{u"minify"_s, u"--policy"_s}, "the smallest part is the same in every partition"},
    {{u"minify"_s, u"--dynamic"_s}, "the smallest part has the example's sizes"},
    {{u"export %m --format txt"_s, u"--partition"_s}, "these joint graphs repeat nothing"},
    {{u"diff %m --passes"_s, u"--partition"_s}, "these joint graphs repeat nothing"},
    {{u"compiles"_s, u"--graphs"_s}, "of printed graphs there is nothing else to list"},
    {{u"diff %m --passes"_s, u"--ignore"_s}, "a run has one name for a node"},
    {{u"diff %m --passes"_s, u"--dynamic"_s}, "both sides have the same sizes"},
    {{u"ranks %m sample"_s, u"--autocast"_s}, "sincos exchanges nothing"},
    {{u"ranks %m sample"_s, u"--dynamic"_s}, "sincos exchanges nothing"},
    {{u"ranks %m sample"_s, u"--partition"_s}, "sincos exchanges nothing"},
    {{u"ranks %m sample"_s, u"--memory-budget"_s}, "sincos exchanges nothing"},
    {{u"debug"_s, u"--dynamic"_s}, "the example's sizes are stepped, in as many steps"},
    {{u"diff %m sample"_s, u"--autocast"_s}, "sincos has nothing that autocast casts"},
    {{u"diff %m sample"_s, u"--ignore"_s}, "these graphs have other operations"}};

bool isUnseen(const Command& command, const QString& option) {
    const QString text = QLatin1String(command.name) + u' ' + QLatin1String(command.arguments);
    return kUnseen.contains(option) || std::ranges::any_of(kUnseenThere, [&](const auto& entry) {
               return option == entry.first.second && text.startsWith(entry.first.first);
           });
}

/// A value that is not the default, by the option's name; options of choices take one of these.
const std::map<QString, QString> kValues = {{u"--remote-command"_s, u"%p"_s},
                                            {u"--torch"_s, u"9.99"_s},
                                            {u"--model-name"_s, u"other"_s},
                                            {u"--method"_s, u"other"_s},
                                            {u"--weights"_s, u"@missing.pt"_s},
                                            {u"--define"_s, u"@missing.py"_s},
                                            {u"--library"_s, u"@missing.so"_s},
                                            {u"--plugin"_s, u"@missing.so"_s},
                                            {u"--allow"_s, u"network"_s},
                                            {u"--inputs"_s, u"f32[3] grad"_s},
                                            {u"--device"_s, u"cuda"_s},
                                            {u"--compile-id"_s, u"7/7"_s},
                                            {u"--decompose"_s, u"prims"_s},
                                            {u"--dynamic"_s, u"all"_s},
                                            {u"--seed"_s, u"7"_s},
                                            {u"--memory-budget"_s, u"0"_s},
                                            {u"--peak"_s, u"0.5"_s},
                                            {u"--plan-seconds"_s, u"1"_s},
                                            {u"--plans"_s, u"2"_s},
                                            {u"--checkpoints"_s, u"2"_s},
                                            {u"--save"_s, u"relu"_s},
                                            {u"--recompute"_s, u"relu"_s},
                                            {u"--plan"_s, u"@plan.json"_s},
                                            {u"--partition-fn"_s, u"@missing.so"_s},
                                            {u"--policy"_s, u"must_recompute=op:relu"_s},
                                            {u"--no-ban"_s, u"reductions"_s},
                                            {u"--compiler"_s, u"fused"_s},
                                            {u"--backward-compiler"_s, u"fused"_s},
                                            {u"--inference-compiler"_s, u"fused"_s},
                                            {u"--compiler-option"_s, u"fused.reductions=false"_s},
                                            {u"--recompile-limit"_s, u"3"_s},
                                            {u"--world-size"_s, u"2"_s},
                                            {u"--rank"_s, u"1"_s},
                                            {u"--group"_s, u"tp=2"_s},
                                            {u"--links"_s, u"ethernet"_s},
                                            {u"--reshard-after-forward"_s, u"all"_s},
                                            {u"--bucket"_s, u"25MB"_s},
                                            {u"--peak-limit"_s, u"2GB"_s},
                                            {u"--time-limit"_s, u"60"_s},
                                            {u"--memory-limit"_s, u"4GB"_s},
                                            {u"--at"_s, u"batch=3"_s},
                                            {u"--code"_s, u"x.sin()"_s},
                                            {u"--log"_s, u"debug"_s},
                                            {u"--colour"_s, u"family"_s},
                                            {u"--report"_s, u"@out.json"_s},
                                            {u"--values"_s, u"@out.pt"_s},
                                            {u"--trace"_s, u"@out.trace.json"_s},
                                            {u"--timeline"_s, u"@out.timeline.json"_s},
                                            {u"--profile"_s, u"@profile.json"_s},
                                            {u"--csv"_s, u"@out.csv"_s},
                                            {u"--json"_s, u"@out.json"_s},
                                            {u"--svg"_s, u"@out.svg"_s},
                                            {u"--output"_s, u"@out.svg"_s},
                                            {u"--against"_s, u"sample:sincos"_s},
                                            {u"--time"_s, u"1"_s},
                                            {u"--warm-up"_s, u"2"_s},
                                            {u"--ranks"_s, u"2"_s},
                                            {u"--rank-timeout"_s, u"5"_s},
                                            {u"--graph"_s, u"backward"_s},
                                            {u"--ignore"_s, u"names"_s},
                                            {u"--pass"_s, u"functional"_s},
                                            {u"--passes"_s, u"functional..joint"_s},
                                            {u"--overlay"_s, u"@overlay.json"_s},
                                            {u"--depth"_s, u"1"_s},
                                            {u"--node"_s, u"relu"_s},
                                            {u"--steps"_s, u"3"_s},
                                            {u"--lr"_s, u"0.5"_s},
                                            {u"--data"_s, u"@missing.pt"_s},
                                            {u"--points"_s, u"3"_s},
                                            {u"--batch"_s, u"2..3"_s},
                                            {u"--memory"_s, u"1MB"_s},
                                            {u"--while"_s, u"op:relu"_s},
                                            {u"--set"_s, u"nobody=1"_s},
                                            {u"--break"_s, u"op:mm"_s},
                                            {u"--watch"_s, u"nobody"_s},
                                            {u"--record"_s, u"nothing"_s},
                                            {u"--follow"_s, u"0.1"_s}};

struct Flag {
    QStringList names;
    QString kind;  ///< empty: takes no value

    /// "--memory-budget" of "-b,--memory-budget,--budget".
    QString name() const {
        const auto shown = std::ranges::find_if(names, [](const QString& each) { return each.startsWith("--"_L1); });
        return shown == names.end() ? names.first() : *shown;
    }
};

/// The options that --help lists.
QList<Flag> optionsOf(const char* command) {
    constexpr qsizetype column = 30;
    const QString help = QString::fromUtf8(runProgram({QLatin1String(command), u"--help"_s}).out);
    QList<Flag> flags;
    for (const QString& line : help.split(u'\n')) {
        if (!line.startsWith("  -"_L1)) continue;
        const bool beside = line.mid(column - 2, 2).trimmed().isEmpty();
        const QString head = (beside ? line.left(column) : line).trimmed();
        const Flag flag{head.section(u' ', 0, 0).split(u','), head.section(u' ', 1).remove(u"REQUIRED"_s).trimmed()};
        if (!flag.names.contains(u"--help"_s)) flags << flag;
    }
    return flags;
}

/// "train" of "as-saved|train|eval=as-saved"; empty: it has no choices.
QString choiceOf(const QString& kind) {
    const QString listed = kind.section(u'=', 0, 0).section(u' ', 0, 0);
    const QString standard = kind.contains(u'=') ? kind.section(u'=', 1) : QString();
    if (!QRegularExpression(u"^[a-z0-9:.-]+(\\|[a-z0-9:.-]+)+$"_s).match(listed).hasMatch()) return {};
    const QStringList choices = listed.split(u'|');
    for (const QString& choice : choices)
        if (choice != standard && choice != "off"_L1) return choice;
    return choices.last();
}

/// Changes the estimates of all later runs: not tried here.
const QString kForAll = u"--calibrate"_s;

/// One of so many is tried in short tests.
constexpr int kRowShare = 8, kOptionShare = 4;

bool isTried(const QByteArray& what, int share) { return longTests() || qChecksum(what) % share == 0; }

/// The outcome of a run, without parts that vary.
struct Outcome {
    int code = 0;
    QByteArray text, err;
    QMap<QString, QByteArray> files;

    bool operator==(const Outcome& other) const {
        return code == other.code && text == other.text && files == other.files;
    }
};

/// Commands that measure nothing: their times are estimates, equal each time.
const QStringList kEstimating = {u"partition"_s, u"pareto"_s};

QByteArray withoutTimes(const QByteArray& text) {
    QString plain = QString::fromUtf8(text);
    static const QRegularExpression times(
        u"[\\d.,e+-]+ ?(ns|µs|us|ms|s|GB/s|MB/s|kB/s|FLOP/s|GFLOP/s|steps/s|%|times)(?![a-z])"_s);
    plain.replace(times, u"T"_s);
    // The columns of "train": milliseconds and memory of each step, and of all.
    static const QRegularExpression columns(
        u"[\\d.]+ +[\\d.]+ +[\\d.]+ [kMG]?B$|[\\d.]+ +[\\d.]+ [kMG]?B +[\\d.]+ [kMG]?B$"
        "|memory of the process: .*$"_s,
        QRegularExpression::MultilineOption);
    plain.replace(columns, u"T"_s);
    static const QRegularExpression spaces(u" +|-+"_s);
    return plain.replace(spaces, u" "_s).toUtf8();
}

}  // namespace

class TestOptionEffects : public QObject {
    Q_OBJECT

    Scratch scratch_, cache_;
    int tried_ = 0;  ///< options, each with a command and an input

    QStringList argumentsOf(const QString& text) const {
        QStringList list;
        for (QString word : text.split(u' ', Qt::SkipEmptyParts)) {
            word.replace("%c"_L1, "script:def f(x): return (x.relu() @ x.t()).sin()"_L1);
            word.replace("%d/"_L1, kData);
            word.replace("%p"_L1, forkedProgram());
            list << (word.startsWith(u'@') ? scratch_.at(word.mid(1)) : word);
        }
        return list;
    }

    /// Removes the files that it writes.
    Outcome outcomeOf(const QStringList& arguments) const {
        const QStringList before = scratch_.files();
        forgetOperators();
        const ProgramRun run = runProgram(arguments);
        const bool estimates = kEstimating.contains(arguments.first());
        Outcome outcome{run.code, estimates ? run.out : withoutTimes(run.out), run.err, {}};
        for (const QString& name : scratch_.files()) {
            if (before.contains(name)) continue;
            const QByteArray content = contentOf(scratch_.at(name));
            outcome.files[name] = name.endsWith(".pt"_L1) ? QByteArray() : withoutTimes(content);
            QFile::remove(scratch_.at(name));
        }
        return outcome;
    }

    /// Why the option is dropped; empty: it is not.
    QString fault(const Command& command, const QStringList& base, const Outcome& without, const Flag& flag) const {
        const QString name = flag.name();
        QStringList arguments = base;
        arguments << name;
        QString value;
        if (!flag.kind.isEmpty()) {
            const auto known = kValues.find(name);
            value = known == kValues.end() ? choiceOf(flag.kind) : known->second;
            if (value.isEmpty()) return u"this test has no value for it: give one in kValues"_s;
            value.replace("%p"_L1, forkedProgram());
            if (value.startsWith(u'@')) value = scratch_.at(value.mid(1));
            arguments << value;
        }
        const Outcome with = outcomeOf(arguments);
        if (with.code != 0 && with.code != 3) {
            QStringList words = flag.names;
            if (!value.isEmpty()) words << value << value.section(u'=', 0, 0);
            const bool named = with.code != 2 || std::ranges::any_of(words, [&](const QString& each) {
                                   return with.err.contains(each.toUtf8());
                               });
            return named ? QString() : u"the error does not name it: "_s + QString::fromUtf8(with.err);
        }
        if (!(with == without) || with.err != without.err || isUnseen(command, name)) return {};
        return u"it changes nothing and is not refused"_s;
    }

private Q_SLOTS:
    void initTestCase() {
        giveMachine(cache_.path(), assumedGpu());  // disturbed calibrations are not kept
        runProgram({u"run"_s, u"sample:mlp"_s, u"--save"_s, scratch_.at(u"saved.aotscope"_s), u"--report"_s,
                    scratch_.at(u"report.json"_s)});
        scratch_.write(u"runs.txt"_s, "sample:sincos\nsample:sincos --inference\n");
        scratch_.write(u"plan.json"_s, R"({"saved": ["nobody"]})");
        scratch_.write(u"overlay.json"_s, "{\"relu\": 3.5}");
        scratch_.write(u"profile.json"_s, R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::relu"}]})");
    }

    void everyOptionHasAnEffectOrIsRefused_data() {
        columns<int, int>("command", "input");
        for (int c = 0; c < static_cast<int>(std::size(kCommands)); ++c) {
            const bool takesInput = QLatin1String(kCommands[c].arguments).contains("%m"_L1);
            for (int i = 0; i < (takesInput ? static_cast<int>(kInputs.size()) : 1); ++i) {
                const QByteArray row = QByteArray(kCommands[c].name) + ' ' + kCommands[c].arguments + ", " +
                                       (takesInput ? kInputs[static_cast<std::size_t>(i)].kind : "");
                if (isTried(row, kRowShare)) QTest::newRow(row.constData()) << c << i;
            }
        }
    }
    void everyOptionHasAnEffectOrIsRefused() {
        FETCH(int, command, input);
        const Command& tried = kCommands[command];
        QString text = QString::fromUtf8(tried.arguments);
        text.replace("%m"_L1, kInputs[static_cast<std::size_t>(input)].arguments);
        const QStringList base = QStringList(QLatin1String(tried.name)) + argumentsOf(text);
        const Outcome without = outcomeOf(base);
        if (without.code != 0 && without.code != 3) return;  // the command does not take such an input
        QStringList faults;
        for (const Flag& flag : optionsOf(tried.name))
            if (isTried(text.toUtf8() + flag.name().toUtf8(), kOptionShare) && flag.name() != kForAll &&
                std::ranges::none_of(flag.names, [&](const QString& name) { return base.contains(name); })) {
                ++tried_;
                if (const QString why = fault(tried, base, without, flag); !why.isEmpty())
                    faults << flag.name() + u": "_s + why;
            }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
        QVERIFY2(outcomeOf(base) == without, "the same command says something else each time: see withoutTimes()");
    }

    void cleanupTestCase() { qInfo("%d options tried", tried_); }
};

AOTSCOPE_TEST(TestOptionEffects)

}  // namespace aotscope::test::option_effects

#include "test_option_effects.moc"
