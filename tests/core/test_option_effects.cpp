// No option is dropped: all commands, kinds of input and options, as --help lists them. What an option changes is seen
// in what is printed, in the exit code and in the files that are written; what changes nothing has to be refused in a
// sentence that names the option. All of it is one of the long tests, which start the program thousands of times; the
// others try a share.

#include "support/long_tests.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/test_program.h"

#include "cost/calibration.h"

#include <QtTest>

#include <algorithm>
#include <map>

namespace aotscope::test::option_effects {
namespace {

const QString kData = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/");

/// A command with what makes it run; "%m" stands for the input.
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
    {"sample", QStringLiteral("sample:mlp")},
    {"code", QStringLiteral("%c")},
    {"exported program", QStringLiteral("%d/exported/dynamic_batch.pt2")},
    {"TorchScript", QStringLiteral("%d/torchscript/TracedLayers.pt --inputs %d/torchscript/TracedLayers.json")},
    {"printed log", QStringLiteral("%d/printed/mlp.log")},
    {"printed graph", QStringLiteral("%d/printed/plain.txt")},
    {"log of TORCH_TRACE", QStringLiteral("%d/printed/mlp.trace")},
    {"passes", QStringLiteral("%d/printed/passes/plain")},
    {"session", QStringLiteral("@saved.aotscope")},
    {"report", QStringLiteral("@report.json")},
    {"distributed program", QStringLiteral("%d/distributed/mlp_tensor.pt2 --world-size 4")},
    {"another machine", QStringLiteral("ssh://box/sample:mlp --remote-command %p")}};

/// Options whose effect is not seen in what these runs print, and why.
const std::map<QString, const char*> kUnseen = {
    {QStringLiteral("--debug"), "changes only what LibTorch logs and how errors are shown"},
    {QStringLiteral("--seed"), "decides on values of random inputs, not on the graphs"},
    {QStringLiteral("--weights"), "changes values only"},
    {QStringLiteral("--time-limit"), "a limit that is not reached"},
    {QStringLiteral("--memory-limit"), "a limit that is not reached"},
    {QStringLiteral("--rank-timeout"), "a limit that is not reached"},
    {QStringLiteral("--recompile-limit"), "a limit that is not reached"},
    {QStringLiteral("--allow"), "a permission that nothing asks for"},
    {QStringLiteral("--verify"), "the graphs are sound"},
    {QStringLiteral("--save"), "a value that is saved in any case"},
    {QStringLiteral("--strict"), "nothing is done otherwise than asked for"},
    {QStringLiteral("--device"), "printed graphs have devices of their own: it is that of estimates and runs"},
    {QStringLiteral("--cross-check-fake"), "refused or printed; in a session's run there is nothing to compare"},
    {QStringLiteral("--library"), "operators that nothing calls"},
    {QStringLiteral("--plugin"), "compilers that nobody chooses"},
    {QStringLiteral("--define"), "operators that nothing calls"},
    {QStringLiteral("--dialect"), "these models have no operation that the dialects take apart in different ways"},
    {QStringLiteral("--mode"), "these models have neither batch norm nor dropout"},
    {QStringLiteral("--keep-input-mutations"), "these models write into no input"},
    {QStringLiteral("--static-shapes"), "these models have no dynamic sizes, or the graphs of one size only"},
    {QStringLiteral("--static-params"), "these models save parameters in any case"},
    {QStringLiteral("--recompute-views"), "these models save no view"},
    {QStringLiteral("--no-ban"), "these models recompute nothing that a rule bans"},
    {QStringLiteral("--aggressive"), "these models recompute nothing that a rule bans"},
    {QStringLiteral("--solver"), "the solvers agree on models of this size"},
    {QStringLiteral("--estimator"), "the estimators agree on models of this size"},
    {QStringLiteral("--group"), "says what the program says"},
    {QStringLiteral("--issue-early"), "these collectives are issued as early as they can be"},
    {QStringLiteral("--wait-late"), "these collectives are waited for as late as they can be"},
    {QStringLiteral("--bucket"), "these collectives do not fit together"},
    {QStringLiteral("--reshard-after-forward"), "these parameters are not sharded"},
    {QStringLiteral("--inputs"), "the values of inputs; types that do not fit are refused"},
    {QStringLiteral("--rank"), "the ranks of this program are alike"},
    {QStringLiteral("--fail-on-change"), "the exit code of a comparison without differences"},
    {QStringLiteral("--colour-blind"), "colours of kinds of nodes that these graphs do not have"},
    {QStringLiteral("--depth"), "these graphs have no modules"},
};

/// The same of a command, with the beginning of its arguments.
const std::map<std::pair<QString, QString>, const char*> kUnseenThere = {
    {{QStringLiteral("pareto"), QStringLiteral("--dynamic")}, "estimates are those of the example's sizes"},
    {{QStringLiteral("minify"), QStringLiteral("--memory-budget")}, "the smallest part is the same in every partition"},
    {{QStringLiteral("minify"), QStringLiteral("--partition")}, "the smallest part is the same in every partition"},
    {{QStringLiteral("minify"), QStringLiteral("--recompute")}, "the smallest part is the same in every partition"},
    {{QStringLiteral("minify"), QStringLiteral("--policy")}, "the smallest part is the same in every partition"},
    {{QStringLiteral("minify"), QStringLiteral("--dynamic")}, "the smallest part has the example's sizes"},
    {{QStringLiteral("export %m --format txt"), QStringLiteral("--partition")}, "these joint graphs repeat nothing"},
    {{QStringLiteral("diff %m --passes"), QStringLiteral("--partition")}, "these joint graphs repeat nothing"},
    {{QStringLiteral("compiles"), QStringLiteral("--graphs")}, "of printed graphs there is nothing else to list"},
    {{QStringLiteral("diff %m --passes"), QStringLiteral("--ignore")}, "a run has one name for a node"},
    {{QStringLiteral("diff %m --passes"), QStringLiteral("--dynamic")}, "both sides have the same sizes"},
    {{QStringLiteral("ranks %m sample"), QStringLiteral("--autocast")}, "sincos exchanges nothing"},
    {{QStringLiteral("ranks %m sample"), QStringLiteral("--dynamic")}, "sincos exchanges nothing"},
    {{QStringLiteral("ranks %m sample"), QStringLiteral("--partition")}, "sincos exchanges nothing"},
    {{QStringLiteral("ranks %m sample"), QStringLiteral("--memory-budget")}, "sincos exchanges nothing"},
    {{QStringLiteral("debug"), QStringLiteral("--dynamic")}, "the example's sizes are stepped, in as many steps"},
    {{QStringLiteral("diff %m sample"), QStringLiteral("--autocast")}, "sincos has nothing that autocast casts"},
    {{QStringLiteral("diff %m sample"), QStringLiteral("--ignore")}, "these graphs have other operations"}};

bool isUnseen(const Command& command, const QString& option) {
    const QString text = QLatin1String(command.name) + u' ' + QLatin1String(command.arguments);
    return kUnseen.contains(option) || std::ranges::any_of(kUnseenThere, [&](const auto& entry) {
               return option == entry.first.second && text.startsWith(entry.first.first);
           });
}

/// A value that is not the default, by the option's name; options of choices take one of these.
const std::map<QString, QString> kValues = {
    {QStringLiteral("--remote-command"), QStringLiteral("%p")},
    {QStringLiteral("--model-name"), QStringLiteral("other")},
    {QStringLiteral("--method"), QStringLiteral("other")},
    {QStringLiteral("--weights"), QStringLiteral("@missing.pt")},
    {QStringLiteral("--define"), QStringLiteral("@missing.py")},
    {QStringLiteral("--library"), QStringLiteral("@missing.so")},
    {QStringLiteral("--plugin"), QStringLiteral("@missing.so")},
    {QStringLiteral("--allow"), QStringLiteral("network")},
    {QStringLiteral("--inputs"), QStringLiteral("f32[3] grad")},
    {QStringLiteral("--device"), QStringLiteral("cuda")},
    {QStringLiteral("--compile-id"), QStringLiteral("7/7")},
    {QStringLiteral("--decompose"), QStringLiteral("prims")},
    {QStringLiteral("--dynamic"), QStringLiteral("all")},
    {QStringLiteral("--seed"), QStringLiteral("7")},
    {QStringLiteral("--memory-budget"), QStringLiteral("0")},
    {QStringLiteral("--save"), QStringLiteral("relu")},
    {QStringLiteral("--recompute"), QStringLiteral("relu")},
    {QStringLiteral("--plan"), QStringLiteral("@plan.json")},
    {QStringLiteral("--partition-fn"), QStringLiteral("@missing.so")},
    {QStringLiteral("--policy"), QStringLiteral("must_recompute=op:relu")},
    {QStringLiteral("--no-ban"), QStringLiteral("reductions")},
    {QStringLiteral("--compiler"), QStringLiteral("fused")},
    {QStringLiteral("--backward-compiler"), QStringLiteral("fused")},
    {QStringLiteral("--inference-compiler"), QStringLiteral("fused")},
    {QStringLiteral("--compiler-option"), QStringLiteral("fused.reductions=false")},
    {QStringLiteral("--recompile-limit"), QStringLiteral("3")},
    {QStringLiteral("--world-size"), QStringLiteral("2")},
    {QStringLiteral("--rank"), QStringLiteral("1")},
    {QStringLiteral("--group"), QStringLiteral("tp=2")},
    {QStringLiteral("--links"), QStringLiteral("ethernet")},
    {QStringLiteral("--reshard-after-forward"), QStringLiteral("all")},
    {QStringLiteral("--bucket"), QStringLiteral("25MB")},
    {QStringLiteral("--peak-limit"), QStringLiteral("2GB")},
    {QStringLiteral("--time-limit"), QStringLiteral("60")},
    {QStringLiteral("--memory-limit"), QStringLiteral("4GB")},
    {QStringLiteral("--at"), QStringLiteral("batch=3")},
    {QStringLiteral("--code"), QStringLiteral("x.sin()")},
    {QStringLiteral("--log"), QStringLiteral("debug")},
    {QStringLiteral("--colour"), QStringLiteral("family")},
    {QStringLiteral("--report"), QStringLiteral("@out.json")},
    {QStringLiteral("--values"), QStringLiteral("@out.pt")},
    {QStringLiteral("--trace"), QStringLiteral("@out.trace.json")},
    {QStringLiteral("--timeline"), QStringLiteral("@out.timeline.json")},
    {QStringLiteral("--csv"), QStringLiteral("@out.csv")},
    {QStringLiteral("--json"), QStringLiteral("@out.json")},
    {QStringLiteral("--svg"), QStringLiteral("@out.svg")},
    {QStringLiteral("--output"), QStringLiteral("@out.svg")},
    {QStringLiteral("--against"), QStringLiteral("sample:sincos")},
    {QStringLiteral("--time"), QStringLiteral("1")},
    {QStringLiteral("--warm-up"), QStringLiteral("2")},
    {QStringLiteral("--ranks"), QStringLiteral("2")},
    {QStringLiteral("--rank-timeout"), QStringLiteral("5")},
    {QStringLiteral("--graph"), QStringLiteral("backward")},
    {QStringLiteral("--ignore"), QStringLiteral("names")},
    {QStringLiteral("--pass"), QStringLiteral("functional")},
    {QStringLiteral("--passes"), QStringLiteral("functional..joint")},
    {QStringLiteral("--overlay"), QStringLiteral("@overlay.json")},
    {QStringLiteral("--depth"), QStringLiteral("1")},
    {QStringLiteral("--node"), QStringLiteral("relu")},
    {QStringLiteral("--steps"), QStringLiteral("3")},
    {QStringLiteral("--lr"), QStringLiteral("0.5")},
    {QStringLiteral("--data"), QStringLiteral("@missing.pt")},
    {QStringLiteral("--points"), QStringLiteral("3")},
    {QStringLiteral("--while"), QStringLiteral("op:relu")},
    {QStringLiteral("--set"), QStringLiteral("nobody=1")},
    {QStringLiteral("--break"), QStringLiteral("op:mm")},
    {QStringLiteral("--watch"), QStringLiteral("nobody")},
    {QStringLiteral("--record"), QStringLiteral("nothing")},
    {QStringLiteral("--follow"), QStringLiteral("0.1")}};

struct Flag {
    QStringList names;
    QString kind;  ///< empty: takes no value

    /// "--memory-budget" of "-b,--memory-budget,--budget".
    QString name() const {
        const auto shown =
            std::ranges::find_if(names, [](const QString& each) { return each.startsWith(QLatin1String("--")); });
        return shown == names.end() ? names.first() : *shown;
    }
};

/// The options that --help lists.
QList<Flag> optionsOf(const char* command) {
    constexpr qsizetype column = 30;
    const QString help = QString::fromUtf8(runProgram({QLatin1String(command), QStringLiteral("--help")}).out);
    QList<Flag> flags;
    for (const QString& line : help.split(u'\n')) {
        if (!line.startsWith(QLatin1String("  -"))) continue;
        const bool beside = line.mid(column - 2, 2).trimmed().isEmpty();
        const QString head = (beside ? line.left(column) : line).trimmed();
        const Flag flag{head.section(u' ', 0, 0).split(u','), head.section(u' ', 1)
                                                                  .section(QStringLiteral("Needs:"), 0, 0)
                                                                  .section(QStringLiteral("Excludes:"), 0, 0)
                                                                  .remove(QStringLiteral("REQUIRED"))
                                                                  .trimmed()};
        if (!flag.names.contains(QStringLiteral("--help"))) flags << flag;
    }
    return flags;
}

/// "train" of "as-saved|train|eval=as-saved" and "{a,b}"; empty: it takes no choice.
QString choiceOf(const QString& kind) {
    QString listed = kind.section(u'=', 0, 0).section(u' ', 0, 0);
    const QString standard = kind.contains(u'=') ? kind.section(u'=', 1) : QString();
    if (const auto braced = QRegularExpression(QStringLiteral("\\{([^}]*)\\}")).match(kind); braced.hasMatch())
        listed = braced.captured(1).replace(u',', u'|');
    if (!QRegularExpression(QStringLiteral("^[a-z0-9:.-]+(\\|[a-z0-9:.-]+)+$")).match(listed).hasMatch()) return {};
    const QStringList choices = listed.split(u'|');
    for (const QString& choice : choices)
        if (choice != standard && choice != QLatin1String("off")) return choice;
    return choices.last();
}

/// Changes the estimates of all later runs: not tried here.
const QString kForAll = QStringLiteral("--calibrate");

/// One of so many is tried without long tests.
constexpr int kRowShare = 8, kOptionShare = 4;

bool isTried(const QByteArray& what, int share) { return longTests() || qChecksum(what) % share == 0; }

/// Of one run, without what is different each time.
struct Outcome {
    int code = 0;
    QByteArray text, err;
    QMap<QString, QByteArray> files;

    bool operator==(const Outcome& other) const {
        return code == other.code && text == other.text && files == other.files;
    }
};

/// Commands that measure nothing: their times are estimates, the same each time.
const QStringList kEstimating = {QStringLiteral("partition"), QStringLiteral("pareto")};

QByteArray withoutTimes(const QByteArray& text) {
    QString plain = QString::fromUtf8(text);
    static const QRegularExpression times(
        QStringLiteral("[\\d.,e+-]+ ?(ns|µs|us|ms|s|GB/s|MB/s|kB/s|FLOP/s|GFLOP/s|steps/s|%|times)(?![a-z])"));
    plain.replace(times, QStringLiteral("T"));
    // The columns of "train": milliseconds and memory of each step, and of all.
    static const QRegularExpression columns(
        QStringLiteral("[\\d.]+ +[\\d.]+ +[\\d.]+ [kMG]?B$|[\\d.]+ +[\\d.]+ [kMG]?B +[\\d.]+ [kMG]?B$"
                       "|memory of the process: .*$"),
        QRegularExpression::MultilineOption);
    plain.replace(columns, QStringLiteral("T"));
    static const QRegularExpression spaces(QStringLiteral(" +|-+"));
    return plain.replace(spaces, QStringLiteral(" ")).toUtf8();
}

}  // namespace

class TestOptionEffects : public QObject {
    Q_OBJECT

    Scratch scratch_, cache_;
    int tried_ = 0;  ///< options, each with a command and an input

    QStringList argumentsOf(const QString& text) const {
        QStringList list;
        for (QString word : text.split(u' ', Qt::SkipEmptyParts)) {
            word.replace(QLatin1String("%c"), QLatin1String("script:def f(x): return (x.relu() @ x.t()).sin()"));
            word.replace(QLatin1String("%d/"), kData);
            word.replace(QLatin1String("%p"), forkedProgram());
            list << (word.startsWith(u'@') ? scratch_.at(word.mid(1)) : word);
        }
        return list;
    }

    /// Files that it writes are gone afterwards.
    Outcome outcomeOf(const QStringList& arguments) const {
        const QStringList before = scratch_.files();
        const ProgramRun run = runProgram(arguments);
        const bool estimates = kEstimating.contains(arguments.first());
        Outcome outcome{run.code, estimates ? run.out : withoutTimes(run.out), run.err, {}};
        for (const QString& name : scratch_.files()) {
            if (before.contains(name)) continue;
            const QByteArray content = contentOf(scratch_.at(name));
            outcome.files[name] = name.endsWith(QLatin1String(".pt")) ? QByteArray() : withoutTimes(content);
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
            if (value.isEmpty()) return QStringLiteral("this test has no value for it: give one in kValues");
            value.replace(QLatin1String("%p"), forkedProgram());
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
            return named ? QString() : QStringLiteral("the error does not name it: ") + QString::fromUtf8(with.err);
        }
        if (!(with == without) || with.err != without.err || isUnseen(command, name)) return {};
        return QStringLiteral("it changes nothing and is not refused");
    }

private Q_SLOTS:
    void initTestCase() {
        // The speed of this machine is a given one, however busy it is: what disturbed calibrations find is not kept.
        qputenv("XDG_CACHE_HOME", cache_.path().toUtf8());
        const CalibratedMachine machine = thisMachine("cpu");
        writeCalibration(calibrationFile(machine), machine, assumedGpu());
        runProgram({QStringLiteral("run"), QStringLiteral("sample:mlp"), QStringLiteral("--save"),
                    scratch_.at(QStringLiteral("saved.aotscope")), QStringLiteral("--report"),
                    scratch_.at(QStringLiteral("report.json"))});
        scratch_.write(QStringLiteral("runs.txt"), "sample:sincos\nsample:sincos --inference\n");
        scratch_.write(QStringLiteral("plan.json"), R"({"saved": ["nobody"]})");
        scratch_.write(QStringLiteral("overlay.json"), "{\"relu\": 3.5}");
    }

    void everyOptionHasAnEffectOrIsRefused_data() {
        QTest::addColumn<int>("command");
        QTest::addColumn<int>("input");
        for (int c = 0; c < static_cast<int>(std::size(kCommands)); ++c) {
            const bool takesInput = QLatin1String(kCommands[c].arguments).contains(QLatin1String("%m"));
            for (int i = 0; i < (takesInput ? static_cast<int>(kInputs.size()) : 1); ++i) {
                const QByteArray row = QByteArray(kCommands[c].name) + ' ' + kCommands[c].arguments + ", " +
                                       (takesInput ? kInputs[static_cast<std::size_t>(i)].kind : "");
                if (isTried(row, kRowShare)) QTest::newRow(row.constData()) << c << i;
            }
        }
    }
    void everyOptionHasAnEffectOrIsRefused() {
        QFETCH(int, command);
        QFETCH(int, input);
        const Command& tried = kCommands[command];
        QString text = QString::fromUtf8(tried.arguments);
        text.replace(QLatin1String("%m"), kInputs[static_cast<std::size_t>(input)].arguments);
        const QStringList base = QStringList(QLatin1String(tried.name)) + argumentsOf(text);
        const Outcome without = outcomeOf(base);
        if (without.code != 0 && without.code != 3) return;  // the command does not take such an input
        QStringList faults;
        for (const Flag& flag : optionsOf(tried.name))
            if (isTried(text.toUtf8() + flag.name().toUtf8(), kOptionShare) && flag.name() != kForAll &&
                std::ranges::none_of(flag.names, [&](const QString& name) { return base.contains(name); })) {
                ++tried_;
                if (const QString why = fault(tried, base, without, flag); !why.isEmpty())
                    faults << flag.name() + QStringLiteral(": ") + why;
            }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
        QVERIFY2(outcomeOf(base) == without, "the same command says something else each time: see withoutTimes()");
    }

    void cleanupTestCase() { qInfo("%d options tried", tried_); }
};

AOTSCOPE_TEST(TestOptionEffects)

}  // namespace aotscope::test::option_effects

#include "test_option_effects.moc"
