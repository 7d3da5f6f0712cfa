// Damaged files of every kind that a user may open: each must load or be refused, in bounded time and memory.
// AOTSCOPE_FUZZ=N in the environment multiplies their number by N.

#include "load/model.h"
#include "program/files/tensor_file.h"
#include "session/session.h"
#include "support/child_pool.h"
#include "support/fuzz_seeds.h"
#include "support/models.h"
#include "support/mutations.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/Parallel.h>
#include <ATen/core/Dict.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <csignal>

#include <unistd.h>

namespace aotscope::test::fuzz_test {

namespace fuzzing {

const QString kPrograms = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/torchscript/");

QString errorOfSession(const Options& options) { return q(Session::open(options, {})->record()->error); }

/// The number of elements of all tensors in the graphs of `record`: models that are too large are not run.
bool isSmall(const CompileRecord& record) {
    constexpr std::int64_t most = 1 << 22;
    std::int64_t elements = 0;
    for (const auto& [kind, graph] : record.graphs)
        for (const Node* node : graph->nodes()) {
            const auto* tensor = std::get_if<TensorType>(&node->type.data);
            if (tensor && ((elements += std::min(tensor->numel(), most + 1)) > most || tensor->numel() < 0))
                return false;
        }
    return true;
}

/// Files that open and compile are also run and compared with eager.
QString errorOfRun(const Options& options) {
    const auto session = Session::open(options, {});
    if (!session->record()->error.empty() || !isSmall(*session->record())) return q(session->record()->error);
    session->check({});
    return {};
}

/// Printed graphs may lack what a run needs: they say so.
QString errorOfPrinted(const Options& options) {
    const auto session = Session::open(options, {});
    if (!session->record()->error.empty() || !isSmall(*session->record())) return q(session->record()->error);
    errorOf([&] { session->check({}); });
    return {};
}

/// Weights without a matching model are only read.
QString errorOfWeights(const Options& options) {
    if (!options.model.empty()) return errorOfSession(options);
    for (const auto& [name, tensor] : readTensors(options.weights)) tensor.clone();
    return {};
}

QString errorOfGraphText(const Options& options) {
    const auto graph = parseGraph(contentOf(q(options.model)).toStdString());
    printGraph(*graph);
    verifyGraph(*graph);
    return {};
}

/// A kind of file: intact examples, how to open one, and how to damage it.
struct Kind {
    const char* name;
    const char* suffix;
    std::vector<Seed> (*seeds)(const Scratch& scratch);
    void (*place)(Options& options, const QString& path);
    std::vector<std::pair<Mutation, int>> mutations;  ///< with the number of each for one seed
    bool sizesAreAskedFor = false;                    ///< errors about memory are expected: the file asks for sizes
    QString (*open)(const Options& options) = errorOfSession;  ///< its error, or none; throws Error
};

Seed programFile(const QString& name) {
    Seed seed{contentOf(kPrograms + name + u".pt"_s), {}};
    seed.options.inputs = parseInputSpec(contentOf(kPrograms + name + u".json"_s).toStdString(), "spec");
    return seed;
}

std::vector<Seed> scripted(const Scratch&) {
    std::vector<Seed> seeds;
    for (const char* name : {"Attributes", "Containers", "DataBranch", "DataShapes", "Forks", "LocalObject", "Loops",
                             "NoGradRegions", "Strings", "Values"})
        seeds.push_back(programFile(QLatin1String(name)));
    return seeds;
}

/// Files with example inputs, as torch.jit.trace writes them.
std::vector<Seed> traced(const Scratch& scratch) {
    std::vector<Seed> seeds;
    for (const char* name : {"TiedTraced", "TracedLayers", "TracedSizes"}) {
        seeds.push_back(programFile(QLatin1String(name)));
        seeds.back().options.inputs = {};
    }
    for (const char* body : {"(x * self.w).sin()", "x.view([3, 2]) + 1", "torch.cat([x, x])", "x[:, 1:].t().relu()",
                             "x.sum(0) * self.w", "torch.softmax(x, 1)", "x.clone().mul_(2) + x"}) {
        auto module = moduleFrom(std::string("def forward(self, x: Tensor) -> Tensor:\n    return ") + body,
                                 {ModuleBuilder::parameter("w", learned({3}))});
        module->store_traced_inputs("forward", {at::ones({2, 3})});
        const QString path = scratch.at(u"seed.pt"_s);
        module->save(path.toStdString());
        seeds.push_back({contentOf(path), {}});
    }
    return seeds;
}

/// A sound model with inputs of the types that `signature` declares.
Options modelFor(const Scratch& scratch, const QString& name, const std::string& signature) {
    Options options{.model = scratch.at(name).toStdString()};
    moduleFrom("def forward(self, " + signature + ") -> Tensor:\n    return " +
               (signature.find("List") == std::string::npos ? "x.sin()" : "torch.cat(x)"))
        ->save(options.model);
    return options;
}

QByteArray saved(const c10::IValue& value) {
    const auto bytes = torch::jit::pickle_save(value);
    return {bytes.data(), static_cast<qsizetype>(bytes.size())};
}

std::vector<Seed> savedInputs(const Scratch& scratch) {
    const Options one = modelFor(scratch, u"one.pt"_s, "x: Tensor");
    const Options list = modelFor(scratch, u"list.pt"_s, "x: List[Tensor]");
    const at::Tensor x = at::ones({2, 3}), shared = at::arange(8, at::kFloat);
    std::vector<Seed> seeds;
    for (const at::Tensor& t : {x, x.t(), x.to(at::kDouble), x.to(at::kLong), shared.view({2, 4}), x.to(at::kBool)})
        seeds.push_back({saved(t), one});
    c10::Dict<std::string, at::Tensor> named;
    named.insert("x", x);
    seeds.push_back({saved(named), one});
    const auto pair = c10::ivalue::Tuple::create({shared.slice(0, 0, 4), shared.slice(0, 4, 8)});
    seeds.push_back({saved(c10::ivalue::Tuple::create({pair})), list});
    seeds.push_back({saved(c10::List<at::Tensor>({x})), one});
    seeds.push_back({saved(c10::ivalue::Tuple::create({c10::IValue(x.to(at::kHalf))})), one});
    return seeds;
}

std::vector<Seed> inputSpecs(const Scratch&) {
    std::vector<Seed> seeds;
    for (const char* name : {"Attributes", "Branches", "DataComparisons", "DataNumbers", "Loops", "Optionals", "Packed",
                             "Recurrent", "Values", "TracedLayers"}) {
        Seed seed{contentOf(kPrograms + QLatin1String(name) + u".json"_s), {}};
        seed.options.model = (kPrograms + QLatin1String(name) + u".pt"_s).toStdString();
        seeds.push_back(std::move(seed));
    }
    return seeds;
}

void asModel(Options& options, const QString& path) { options.model = path.toStdString(); }
void asInputs(Options& options, const QString& path) { options.inputs = std::filesystem::path(path.toStdString()); }
void asWeights(Options& options, const QString& path) { options.weights = path.toStdString(); }
void asArray(Options& options, const QString& path) {
    const QString spec = uR"({"values": [{"leaf": {"file": "%1"}}], "inputs": [{"tensor": 0}]})"_s.arg(path);
    options.inputs = parseInputSpec(spec.toStdString(), "spec");
}
void asSpec(Options& options, const QString& path) {
    options.inputs = parseInputSpec(contentOf(path).toStdString(), path.toStdString());
}

// To add a kind of file, add a row.
const std::vector<Kind>& kinds() {
    static const std::vector<std::pair<Mutation, int>> archive = {
        {truncated, 15}, {flipped, 20}, {zipFieldChanged, 15}, {recordChanged, 15}};
    static const std::vector<std::pair<Mutation, int>> program = {{truncated, 4},       {flipped, 6},
                                                                  {zipFieldChanged, 8}, {recordChanged, 6},
                                                                  {programChanged, 20}, {weightListChanged, 6}};
    static const std::vector<std::pair<Mutation, int>> saved = {
        {truncated, 5}, {flipped, 5}, {zipFieldChanged, 5}, {recordChanged, 10}, {pickleIntegerChanged, 10}};
    static const std::vector<std::pair<Mutation, int>> text = {{truncated, 3},    {flipped, 5},   {digitsChanged, 8},
                                                               {wordReplaced, 6}, {lineMoved, 4}, {nestedDeeply, 4}};
    static const std::vector<Kind> table = {
        {"scripted", ".pt", scripted, asModel, archive},
        {"traced", ".pt", traced, asModel, archive},
        {"saved inputs", ".inputs.pt", savedInputs, asInputs, archive},
        {"input spec", ".json", inputSpecs, asSpec, {{truncated, 10}, {flipped, 15}, {digitsChanged, 15}}, true},
        {"exported", ".pt2", exportedSeeds, asModel, program, true, errorOfRun},
        {"exported without weights", ".pt2", weightlessSeeds, asModel, program, true, errorOfRun},
        {"array", ".npy", npySeeds, asArray, {{truncated, 5}, {flipped, 10}, {digitsChanged, 15}}},
        {"safetensors", ".safetensors", safetensorsSeeds, asWeights, text},
        {"torch.save", ".pt", torchSaveSeeds, asWeights, saved, false, errorOfWeights},
        {"printed code", ".txt", printedCodeSeeds, asModel, text, true, errorOfPrinted},
        {"log", ".log", logSeeds, asModel, text, true, errorOfPrinted},
        {"trace log", ".log", traceSeeds, asModel, text, true, errorOfPrinted},
        {"graph text", ".txt", graphTextSeeds, asModel, text, true, errorOfGraphText},
    };
    return table;
}

/// One damaged file, with everything needed to make it again.
struct Case {
    const Kind* kind;
    std::size_t seed;
    Mutation mutation;
    std::uint64_t random;
};

std::vector<Case> casesOf(const Kind& kind, std::size_t seeds) {
    const int times = std::max(1, qEnvironmentVariableIntValue("AOTSCOPE_FUZZ"));
    std::vector<Case> cases;
    for (std::size_t seed = 0; seed < seeds; ++seed)
        for (std::size_t m = 0; m < kind.mutations.size(); ++m)
            for (int i = 0; i < kind.mutations[m].second * times; ++i)
                cases.push_back({&kind, seed, kind.mutations[m].first,
                                 (seed * 16 + m) * 1'000'000 + static_cast<std::uint64_t>(i)});
    return cases;
}

/// Opens the model and runs the passes. Returns a fault of the outcome, other than success or an error.
QString outcomeOf(const Kind& kind, Options options, const QString& path) {
    at::set_num_threads(1);
    QString error;
    try {
        kind.place(options, path);
        error = kind.open(options);
    } catch (const Error& e) {
        error = q(e.what());
    } catch (const std::exception& e) {
        return u"not an Error: "_s + q(e.what());
    }
    static const QRegularExpression memory(u"bad_alloc|can't allocate|alloc_cpu|not enough memory|_M_"_s);
    if (error.contains("internal error"_L1)) return error;
    return !kind.sizesAreAskedFor && error.contains(memory) ? u"asks for too much memory: "_s + error : QString();
}

}  // namespace fuzzing

using namespace fuzzing;

class TestFuzz : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The harness itself detects what it must.
    void failingChildrenAreNoticed() {
        const QStringList outcomes = runInChildren(
            5,
            [](int i) {
                volatile int endless = 0;
                if (i == 1) raise(SIGSEGV);
                if (i == 2)
                    for (;;) endless = endless + 1;
                if (i == 3) _exit(7);
                if (i == 4) {
                    QByteArray much(qsizetype{1} << 28, 'x');  // written to, so that it is really allocated
                    return QString::number(much.count('x'));
                }
                return u"fine"_s;
            },
            {1, std::size_t{1} << 27});
        QCOMPARE(outcomes[0], u"fine"_s);
        QCOMPARE(outcomes[1], u"killed by signal 11"_s);
        QCOMPARE(outcomes[2], u"ran too long"_s);
        QCOMPARE(outcomes[3], u"ended the process with status 7"_s);
        QVERIFY2(outcomes[4].startsWith("took too much memory"_L1), qPrintable(outcomes[4]));
    }

    void damagedFiles_data() {
        QTest::addColumn<int>("kind");
        for (std::size_t i = 0; i < kinds().size(); ++i) QTest::newRow(kinds()[i].name) << static_cast<int>(i);
    }
    void damagedFiles() {
        QFETCH(int, kind);
        const Kind& row = kinds()[static_cast<std::size_t>(kind)];
        const Scratch scratch;
        const std::vector<Seed> seeds = row.seeds(scratch);
        QCOMPARE(seeds.size(), std::size_t(10));

        // Undamaged, they open: the tests see the damage.
        const QStringList sound = runInChildren(static_cast<int>(seeds.size()), [&](int i) {
            const Seed& seed = seeds[static_cast<std::size_t>(i)];
            Options options = seed.options;
            return errorOf([&] {
                row.place(options, scratch.write(u"sound%1"_s.arg(i) + QLatin1String(row.suffix), seed.content));
                row.open(options);
            });
        });
        for (const QString& error : sound) QVERIFY2(error.isEmpty(), qPrintable(error));

        const std::vector<Case> cases = casesOf(row, seeds.size());
        const auto damaged = [&](const Case& c) {
            Random64 random(c.random);
            return c.mutation(seeds[c.seed].content, random);
        };
        const QStringList outcomes = runInChildren(static_cast<int>(cases.size()), [&](int i) {
            const Case& c = cases[static_cast<std::size_t>(i)];
            const QString path = scratch.write(u"%1"_s.arg(::getpid()) + QLatin1String(row.suffix), damaged(c));
            return outcomeOf(row, seeds[c.seed].options, path);
        });
        int bad = 0;
        for (int i = 0; i < outcomes.size(); ++i) {
            if (outcomes[i].isEmpty()) continue;
            const Case& c = cases[static_cast<std::size_t>(i)];
            const QString kept =
                QDir::temp().filePath(u"aotscope-fuzz-%1-%2-%3%4"_s.arg(QString::fromLatin1(row.name).replace(' ', '-'))
                                          .arg(c.seed)
                                          .arg(c.random)
                                          .arg(QLatin1String(row.suffix)));
            QFile file(kept);
            if (file.open(QIODevice::WriteOnly)) file.write(damaged(c));
            if (++bad <= 20) qWarning("%s: %s", qPrintable(kept), qPrintable(outcomes[i].left(300)));
        }
        QVERIFY2(bad == 0, qPrintable(u"%1 of %2 files"_s.arg(bad).arg(outcomes.size())));
    }
};

AOTSCOPE_TEST(TestFuzz)

}  // namespace aotscope::test::fuzz_test

#include "test_fuzz.moc"
