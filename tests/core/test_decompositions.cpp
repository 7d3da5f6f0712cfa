// Every decomposition against the kernel of the operation that it replaces, on random arguments; tables; graphs that
// are decomposed after tracing.

#include "aten/convert.h"
#include "ops/decomposition.h"
#include "ops/decomposition_table.h"
#include "ops/op_table.h"
#include "passes/decompose_graph.h"
#include "passes/ir_levels.h"
#include "passes/passes.h"
#include "session/session.h"
#include "support/decomposition_arguments.h"
#include "support/error.h"
#include "support/models.h"
#include "support/op_histogram.h"
#include "support/outcomes.h"
#include "support/schema_arguments.h"
#include "support/scratch.h"
#include "support/text.h"

#include <ATen/Context.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/autograd.h>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

#include <functional>
#include <set>

using namespace aotscope;
using namespace aotscope::test;

namespace {

template <typename Map>
c10::IValue mapTensors(const c10::IValue& value, Map&& map) {
    if (value.isTensor()) return value.toTensor().defined() ? c10::IValue(map(value.toTensor())) : value;
    if (!value.isTensorList()) return value;
    c10::List<at::Tensor> mapped;
    for (const at::Tensor& t : value.toTensorVector()) mapped.push_back(map(t));
    return mapped;
}

std::vector<at::Tensor> tensorsOf(const Values& values) {
    std::vector<at::Tensor> tensors;
    for (const auto& value : values)
        mapTensors(value, [&](const at::Tensor& t) {
            tensors.push_back(t);
            return t;
        });
    return tensors;
}

/// "aten::add.Tensor" of "aten.add.Tensor".
std::string dispatcherName(const DecompositionRow& row) {
    const auto name = operatorName(row.op);
    return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

/// Only sizes and dtypes of their results can be compared.
bool isArbitrary(const std::string& op) {
    static const std::set<std::string> arbitrary = {"aten.rand_like.default",      "aten.randn_like.default",
                                                    "aten.native_dropout.default", "aten.empty_like.default",
                                                    "aten.new_empty.default",      "aten.empty_permuted.default"};
    return arbitrary.contains(op);
}
/// No kernel to compare with on this device, or none with the same arguments.
bool hasNoKernel(const std::string& rule) {
    return rule == "bias_gradient" || rule == "rms_norm_backward" || rule == "attention_backward_by_weights";
}
/// Called by LibTorch only, with consistent shapes; the kernel does not check them.
bool trustsItsCaller(const std::string& op) {
    return op.find("_backward") != std::string::npos || op.starts_with("aten._");
}
/// How many results are compared; what a kernel passes on to its own backward is not.
std::size_t comparedResults(const std::string& op) {
    return op == "aten._scaled_dot_product_flash_attention_for_cpu.default" || op == "aten.log_sigmoid_forward.default"
               ? 1
               : 99;
}
/// Operations whose arguments lie between zero and one.
bool takesProbabilities(const std::string& op) {
    return op.find("binary_cross_entropy") != std::string::npos || op.find("native_") != std::string::npos ||
           op == "aten.xlogy.Tensor";
}

/// Random arguments with floating-point tensors of `type`; half of the time they are negative, too.
Values argumentsFor(const DecompositionRow& row, at::ScalarType type, Random& random) {
    const std::string name = dispatcherName(row);
    const Generator* known = nullptr;
    for (const Generators* all : {&decompositionGenerators(), &generators()})
        if (const auto it = all->find(name); it != all->end() && !known) known = &it->second;
    Values arguments = known ? known->arguments(random) : schemaArguments(operatorNamed(name).schema(), random);
    const bool centre = !takesProbabilities(row.op) && random.coin();
    if (std::string(row.op).find("softmax_backward_data") != std::string::npos) arguments.back() = type;
    for (auto& value : arguments)
        value = mapTensors(value, [&](const at::Tensor& t) {
            if (t.is_complex()) throw Error("complex numbers are not decomposed");
            if (t.scalar_type() == at::kBool && t.numel() > 0) return t.clone().random_(0, 2);
            if (!t.is_floating_point()) return t;
            const at::Tensor cast = t.to(type);
            // Not where derivatives jump: at 0, 0.5, 1.
            const at::Tensor numbers = centre ? cast.sub(0.5037).mul(6) : cast.mul(0.9963);
            return at::isComplexType(type) ? numbers.mul(c10::complex<double>(1, 0.7)) : numbers;
        });
    return arguments;
}

/// `arguments` with one element in every tensor, with no dimension or one; dimensions and indices become zero.
Values shrunkToOneElement(const DecompositionRow& row, Values arguments, Random& random) {
    const auto& declared = operatorNamed(dispatcherName(row)).schema().arguments();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        c10::IValue& value = arguments[i];
        value = mapTensors(value, [&](const at::Tensor& t) {
            const at::Tensor one = t.numel() > 0 ? t.flatten()[0].clone() : t;
            const at::Tensor chosen = at::isIntegralType(t.scalar_type(), false) ? at::zeros_like(one) : one;
            return random.coin() ? chosen : chosen.reshape({-1});
        });
        if (declared[i].name().find("dim") == std::string::npos) continue;
        if (value.isInt()) value = random.coin() ? 0 : -1;
        else if (value.isIntList()) value = c10::List<std::int64_t>({0});
    }
    return arguments;
}

std::string differenceOf(const at::Tensor& ours, const at::Tensor& real, at::ScalarType type, bool arbitrary) {
    if (!ours.defined() || !real.defined()) return ours.defined() == real.defined() ? "" : "one is undefined";
    if (ours.sizes() != real.sizes()) return c10::str("sizes ", ours.sizes(), ", expected ", real.sizes());
    if (ours.scalar_type() != real.scalar_type())
        return c10::str("type ", ours.scalar_type(), ", expected ", real.scalar_type());
    if (arbitrary) return "";
    // Kernels round at other places, and some hold their constants as float.
    const bool isDouble = type == at::kDouble || type == at::kComplexDouble;
    const double tolerance = isDouble ? 1e-7 : type == at::kFloat ? 1e-4 : 8e-2;
    const auto wide = at::isComplexType(real.scalar_type()) ? at::kComplexDouble : at::kDouble;
    const at::Tensor a = ours.to(wide), b = real.to(wide);
    if (at::allclose(a, b, tolerance, tolerance, /*equal_nan=*/true)) return "";
    return c10::str("values differ by ", a.sub(b).abs().max().item<double>(), " of ", b.abs().max().item<double>());
}

std::string printed(const Values& arguments) {
    std::string text;
    for (const auto& value : arguments)
        text += (text.empty() ? "" : "; ") +
                (value.isTensor() || value.isTensorList() ? describe({value}, {}) : c10::str(value));
    return text;
}

/// Makes the arguments reproducible.
void seedGenerator(unsigned seed) {
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    generator.set_current_seed(seed);
}

/// LibTorch's derivative of a variance over an empty list of dimensions (all of them) does not match its value.
bool reducesNoDimensions(const Values& arguments) {
    return std::any_of(arguments.begin(), arguments.end(),
                       [](const c10::IValue& v) { return v.isIntList() && v.toIntList().empty(); });
}

/// The results of the rule for a call that the kernel accepts; nothing if either of them declines it.
struct Try {
    Values real, ours;
};
std::optional<Try> tryRow(const DecompositionRow& row, const Values& arguments) {
    Try result{arguments, arguments};
    try {
        operatorNamed(dispatcherName(row)).callBoxed(result.real);
    } catch (const std::exception&) {
        return std::nullopt;
    }
    if (!row.run(result.ours)) return std::nullopt;
    for (Values* results : {&result.real, &result.ours}) {
        results->resize(std::min(results->size(), comparedResults(row.op)));
        // Gradients may be returned without being requested.
        const auto& declared = operatorNamed(dispatcherName(row)).schema().arguments();
        if (declared.empty() || declared.back().name() != "output_mask") continue;
        const auto asked = arguments.back().toBoolList();
        for (std::size_t i = 0; i < results->size(); ++i)
            if (!asked[i]) (*results)[i] = at::Tensor();
    }
    return result;
}

/// Gradients of the results' sum, weighted, with respect to floating-point arguments; empty if there is none.
std::vector<at::Tensor> gradients(const Values& results, const std::vector<at::Tensor>& inputs) {
    std::vector<at::Tensor> outputs, weights;
    for (const at::Tensor& t : tensorsOf(results)) {
        if (!t.requires_grad()) continue;
        outputs.push_back(t);
        weights.push_back(at::linspace(-1, 2, t.numel(), t.options().requires_grad(false)).view(t.sizes()));
    }
    if (outputs.empty()) return {};
    return torch::autograd::grad(outputs, inputs, weights, std::nullopt, false, /*allow_unused=*/true);
}

/// LibTorch has no derivative of these, or a wrong one (that of an embedding's backward ignores frequencies).
bool hasDerivative(const std::string& op) {
    return op != "aten.fill.Tensor" && op != "aten.embedding_dense_backward.default";
}
bool isFinite(const std::vector<at::Tensor>& tensors) {
    return std::all_of(tensors.begin(), tensors.end(),
                       [](const at::Tensor& t) { return !t.defined() || t.isfinite().all().item<bool>(); });
}

QString rowName(const DecompositionRow& row) {
    return QStringLiteral("%1 %2 %3").arg(q(row.op), q(row.rule)).arg(row.sets);
}
const DecompositionRow& rowNamed(const QString& name) {
    for (const auto& row : decompositionRows())
        if (rowName(row) == name) return row;
    throw Error("no such row");
}

Compiled compiledWith(const ScriptModule& module, const std::string& spec, const std::string& table) {
    Options options;
    options.decompositions = DecompositionTable::load(table);
    return compile(module, spec, options);
}

using Counts = std::map<std::string, int>;

/// Whether result `i` of the rule is as close to the exact one as the kernel's. In bfloat16, rounding errors can be
/// amplified (statistics of two elements that are nearly equal).
bool isAsNearAsTheKernel(const DecompositionRow& row, const Values& arguments, std::size_t i, const at::Tensor& ours,
                         const at::Tensor& real) {
    Values wide;
    for (const auto& argument : arguments)
        wide.push_back(
            mapTensors(argument, [](const at::Tensor& t) { return t.is_floating_point() ? t.to(at::kDouble) : t; }));
    const auto exact = tryRow(row, wide);
    if (!exact) return false;
    const at::Tensor expected = tensorsOf(exact->real)[i];
    const auto distance = [&](const at::Tensor& t) {
        return t.to(at::kDouble).sub(expected).abs().max().item<double>();
    };
    return distance(ours) <= distance(real);
}

struct Attempts {
    unsigned tries;  ///< at most
    int wanted;      ///< that the kernel accepts
};

/// Compares results of the rule and of the kernel for arguments drawn by `make`, where `counts` allows the
/// comparison.
void compareWithKernel(const DecompositionRow& row, at::ScalarType type, Attempts attempts,
                       const std::function<Values(Random&)>& make, const std::function<bool(const Try&)>& counts,
                       int& accepted) {
    const at::AutoDispatchBelowADInplaceOrView kernelsOnly;
    for (unsigned seed = 1; seed <= attempts.tries && accepted < attempts.wanted; ++seed) {
        Random random(seed);
        seedGenerator(seed);
        Values arguments;
        try {
            arguments = make(random);
        } catch (const std::exception&) {
            continue;
        }
        std::optional<Try> result;
        try {
            result = tryRow(row, arguments);
        } catch (const std::exception& e) {
            QFAIL(qPrintable(QStringLiteral("seed %1: %2; %3").arg(seed).arg(q(e.what()), q(printed(arguments)))));
        }
        if (!result || !counts(*result)) continue;
        ++accepted;
        const auto ours = tensorsOf(result->ours), real = tensorsOf(result->real);
        QCOMPARE(ours.size(), real.size());
        for (std::size_t i = 0; i < real.size(); ++i) {
            const std::string difference = differenceOf(ours[i], real[i], type, isArbitrary(row.op));
            if (!difference.empty() && type == at::kBFloat16 &&
                isAsNearAsTheKernel(row, arguments, i, ours[i], real[i]))
                continue;
            QVERIFY2(difference.empty(), qPrintable(QStringLiteral("seed %1, result %2: %3; %4")
                                                        .arg(seed)
                                                        .arg(i)
                                                        .arg(q(difference), q(printed(arguments)))));
        }
    }
}

}  // namespace

class TestDecompositions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }

    void values_data() {
        QTest::addColumn<QString>("name");
        for (const auto& row : decompositionRows()) QTest::newRow(qPrintable(rowName(row))) << rowName(row);
    }
    /// Broadcast, empty, non-contiguous and channels-last tensors come from the generators of arguments.
    void values() {
        QFETCH(QString, name);
        const DecompositionRow& row = rowNamed(name);
        if (hasNoKernel(row.rule)) QSKIP("there is no kernel here to compare with");
        int accepted = 0;
        for (const auto type : {at::kFloat, at::kDouble, at::kBFloat16}) {
            int found = 0;
            compareWithKernel(
                row, type, {600, 20}, [&](Random& random) { return argumentsFor(row, type, random); },
                [](const Try&) { return true; }, found);
            if (QTest::currentTestFailed()) return;
            accepted += found;
        }
        QVERIFY2(accepted >= 10, qPrintable(QStringLiteral("only %1 accepted").arg(accepted)));
    }

    void complexNumbers_data() { values_data(); }
    /// Where the kernel accepts complex numbers: derivatives are conjugated, and numbers have no order.
    void complexNumbers() {
        QFETCH(QString, name);
        const DecompositionRow& row = rowNamed(name);
        if (hasNoKernel(row.rule)) QSKIP("there is no kernel here to compare with");
        int accepted = 0;
        compareWithKernel(
            row, at::kComplexDouble, {200, 10},
            [&](Random& random) { return argumentsFor(row, at::kComplexDouble, random); },
            [](const Try& result) { return isFinite(tensorsOf(result.real)); }, accepted);
        if (QTest::currentTestFailed()) return;
        for (const char* op : {"tanh_backward", "sigmoid_backward", "addcmul", "std"})
            if (std::string(row.op).starts_with(std::string("aten.") + op + ".")) QVERIFY(accepted > 0);
    }

    void oneElement_data() { values_data(); }
    /// Kernels accept tensors without dimensions where others have one dimension.
    void oneElement() {
        QFETCH(QString, name);
        const DecompositionRow& row = rowNamed(name);
        if (hasNoKernel(row.rule)) QSKIP("there is no kernel here to compare with");
        if (trustsItsCaller(row.op)) QSKIP("its kernel takes shapes that do not fit");
        int accepted = 0;
        compareWithKernel(
            row, at::kDouble, {60, 30},
            [&](Random& random) { return shrunkToOneElement(row, argumentsFor(row, at::kDouble, random), random); },
            [](const Try&) { return true; }, accepted);
        if (QTest::currentTestFailed()) return;
        for (const char* op : {"index_select", "index_copy", "index_add", "take", "roll", "logsumexp", "stack"})
            if (std::string(row.op) == std::string("aten.") + op + ".default") QVERIFY(accepted > 0);
    }

    void derivatives_data() { values_data(); }
    void derivatives() {
        QFETCH(QString, name);
        const DecompositionRow& row = rowNamed(name);
        if (isArbitrary(row.op)) QSKIP("what it computes is random");
        if (!hasDerivative(row.op)) QSKIP("there is no derivative to compare with");
        if (hasNoKernel(row.rule)) QSKIP("there is no kernel here to compare with");
        for (unsigned seed = 1, found = 0; seed <= 200 && found < 10; ++seed) {
            Random random(seed);
            seedGenerator(seed);
            std::vector<at::Tensor> inputs, real;
            std::optional<Try> result;
            try {
                Values arguments = argumentsFor(row, at::kDouble, random);
                if (reducesNoDimensions(arguments)) continue;
                for (auto& value : arguments)
                    value = mapTensors(value, [&](const at::Tensor& t) {
                        if (!t.is_floating_point()) return t;
                        inputs.push_back(t.detach().clone().requires_grad_(true));
                        return inputs.back();
                    });
                result = tryRow(row, arguments);
                if (!result) continue;
                // Gradients through the statistics that a normalization passes to its backward differ from LibTorch's.
                if (std::string(row.rule).ends_with("_norm"))
                    for (Values* results : {&result->real, &result->ours}) results->resize(1);
                real = gradients(result->real, inputs);
            } catch (const std::exception&) {
                continue;  // the operation is not differentiable
            }
            if (real.empty() || !isFinite(real)) continue;
            ++found;
            std::vector<at::Tensor> ours;
            try {
                ours = gradients(result->ours, inputs);
            } catch (const std::exception& e) {
                QFAIL(qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(q(e.what()).left(300))));
            }
            ours.resize(real.size());
            for (std::size_t i = 0; i < real.size(); ++i) {
                // An undefined gradient is zero.
                if (real[i].defined() && !ours[i].defined() && real[i].count_nonzero().item<int64_t>() == 0) continue;
                if (!real[i].defined() && (!ours[i].defined() || ours[i].count_nonzero().item<int64_t>() == 0))
                    continue;
                const std::string difference = differenceOf(ours[i], real[i], at::kDouble, false);
                QVERIFY2(difference.empty(),
                         qPrintable(QStringLiteral("seed %1, argument %2: %3").arg(seed).arg(i).arg(q(difference))));
            }
        }
    }

    /// The decomposed attention passes its weights to its backward; the gradients are those of the kernels.
    void attentionGradients() {
        const auto row = [](const char* op) -> const DecompositionRow& {
            for (const auto& each : decompositionRows())
                if (std::string(each.op) == op) return each;
            throw Error("no such row");
        };
        const auto& forward = row("aten._scaled_dot_product_flash_attention_for_cpu.default");
        const auto& backward = row("aten._scaled_dot_product_flash_attention_for_cpu_backward.default");
        const at::AutoDispatchBelowADInplaceOrView kernelsOnly;
        for (const bool causal : {false, true}) {
            Random random(7);
            const auto tensor = [&] { return random.plain({2, 3, 5, 8}, at::kDouble).sub(0.5).mul(4); };
            const Values inputs = {tensor(), tensor(), tensor(), 0.0, causal, {}, {}};
            const at::Tensor grad = tensor();
            const auto gradientsBy = [&](const Values& results) {
                return Values{grad, inputs[0], inputs[1], inputs[2], results[0], results[1], 0.0, causal, {}, {}};
            };
            Values real = inputs, ours = inputs;
            operatorNamed(dispatcherName(forward)).callBoxed(real);
            QVERIFY(forward.run(ours));
            Values expected = gradientsBy(real), found = gradientsBy(ours);
            Values kept = expected;
            QVERIFY2(!backward.run(kept), "a call with the kernel's own sums stays");
            operatorNamed(dispatcherName(backward)).callBoxed(expected);
            QVERIFY(backward.run(found));
            QCOMPARE(found.size(), 3u);
            for (std::size_t i = 0; i < 3; ++i) {
                const auto difference = differenceOf(found[i].toTensor(), expected[i].toTensor(), at::kDouble, false);
                QVERIFY2(difference.empty(), difference.c_str());
            }
        }
    }

    void operations_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("table");
        QTest::addColumn<QJsonObject>("expected");
        QFile file(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/decompositions.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        int line = 0;
        for (const QJsonValue& entry : QJsonDocument::fromJson(file.readAll()).array()) {
            const QString text = entry[QLatin1String("graph")].toString();
            const QString op = text.section(QStringLiteral("= aten."), 1).section(QLatin1Char('('), 0, 0);
            for (const char* table : {"core-aten", "inductor"})
                QTest::addRow("%d %s %s", line, qPrintable(op), table)
                    << text << table << entry[QLatin1String(table)].toObject();
            ++line;
        }
    }
    /// Decomposed graphs of one operation against those of PyTorch 2.13.
    void operations() {
        QFETCH(QString, text);
        QFETCH(QString, table);
        QFETCH(QJsonObject, expected);
        const auto graph = parseSound(text.toStdString());
        DecomposedGraph decomposed = decomposeGraph(*graph, {}, DecompositionTable::load(table.toStdString()));
        eliminateDeadCode(*decomposed.graph);
        Histogram ours = histogram(*decomposed.graph);
        ours.remove(QStringLiteral("operator.getitem"));
        const QString found = difference(ours, histogram(expected));
        QVERIFY2(found.isEmpty(), qPrintable(text + found));
    }

    void notebookExample() {
        const auto module = moduleFrom("def forward(self, a: Tensor, b: Tensor) -> Tensor:\n    return a + b\n");
        const auto compiled = compiledWith(
            module, R"([{"shape": [3], "dtype": "float32"}, {"shape": [3, 3], "dtype": "float16"}])", "prims");
        const auto graph = compiled.record().graph(GraphKind::inference);
        QCOMPARE(opHistogram(*graph), (Counts{{"prims.add.default", 1},
                                              {"prims.broadcast_in_dim.default", 1},
                                              {"prims.convert_element_type.default", 1}}));
        QVERIFY(check(compiled).ok);
        const auto& rewrites = compiled.record().rewrites;
        QCOMPARE(rewrites.size(), 2u);
        QCOMPARE(q(rewrites[0].before), QStringLiteral("aten.add.Tensor(%arg0_1, %arg1_1)"));
        QCOMPARE(rewrites[0].nodes.size(), 3u);
        QCOMPARE(rewrites[0].results, std::vector<NodeId>{rewrites[0].nodes.back()});
        QCOMPARE(q(rewrites[1].op), QStringLiteral("aten._to_copy.default"));
        QCOMPARE(rewrites[1].parent, 0);
    }

    void graphs_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("table");
        for (const char* model : {"sample:mlp", "sample:resnet18", "sample:aliasing", "sample:mutations"})
            for (const char* table : {"core-aten", "inductor", "prims"})
                QTest::addRow("%s %s", model, table) << model << table;
    }
    /// Decomposing a traced graph gives the same as tracing with the table, and nodes are mapped to their successors.
    void graphs() {
        QFETCH(QString, model);
        QFETCH(QString, table);
        Options options;
        options.model = model.toStdString();
        const auto plain = Session::open(options, {});
        options.decompositions = DecompositionTable::load(table.toStdString());
        const auto traced = Session::open(options, {});
        QVERIFY2(traced->record()->error.empty(), traced->record()->error.c_str());
        QVERIFY(traced->check({}).ok);
        const auto joint = [](const Session& session) {
            for (const PassRecord& pass : session.record()->passes)
                if (pass.id == PassId::deadCode) return pass.graphs.front().second;
            return std::shared_ptr<const Graph>();
        };
        const auto original = joint(*plain);
        const LoweredGraph lowered = lowerGraph(*original, options.decompositions);
        QCOMPARE(opHistogram(*lowered.graph), opHistogram(*joint(*traced)));
        for (const Node* node : original->nodes())
            if (node->kind() != NodeKind::output) QVERIFY2(lowered.became.contains(node->id()), node->name().c_str());
        for (const Node* node : lowered.graph->nodes()) {
            if (node->kind() == NodeKind::output) continue;
            QVERIFY2(lowered.origin.contains(node->id()), node->name().c_str());
            const Node* from = original->findById(lowered.origin.at(node->id()));
            QCOMPARE(node->stage, from->stage);
            QCOMPARE(node->autograd.function, from->autograd.function);
        }
    }

    void levels() {
        Options options;
        options.model = "sample:mlp";
        const auto levels = irLevels(Session::open(options, {})->record()->graph(GraphKind::joint));
        QCOMPARE(levels.size(), 3u);
        QCOMPARE(q(levels[2].name), QStringLiteral("prims"));
        QVERIFY(opHistogram(*levels[0].lowered.graph).contains("aten.t.default"));
        QVERIFY(opHistogram(*levels[1].lowered.graph).contains("aten.permute.default"));
        QVERIFY(opHistogram(*levels[2].lowered.graph).contains("prims.transpose.default"));
        for (const Node* node : levels[0].lowered.graph->nodes()) {
            if (!node->isCall("aten.threshold_backward.default")) continue;
            QCOMPARE(levels[1].lowered.became.at(node->id()).size(), 3u);  // le, scalar_tensor, where
        }
    }

    void printedGraphs() {
        const auto graph = parseSound(
            "graph joint\n  %c : f32[2, 1] = constant(table)\n  %a : f32[2, 3] = placeholder\n"
            "  %x : f32[3, 2] = aten.t.default(%a)\n  %y : f32[3, 1] = aten.mm.default(%x, %c)\n"
            "  return [%y : output]\n");
        const LoweredGraph lowered = lowerGraph(*graph, DecompositionTable::load("core-aten"));
        QCOMPARE(opHistogram(*lowered.graph), (Counts{{"aten.mm.default", 1}, {"aten.permute.default", 1}}));
        const QString error = errorOf([&] {
            (void)lowerGraph(*parseSound("graph g where s0 = 4 in 2..8\n  %a : f32[s0] = placeholder\n"
                                         "  return [%a : output]\n"),
                             DecompositionTable::load("prims"));
        });
        QVERIFY2(error.contains(QStringLiteral("has sizes that vary")), qPrintable(error));
    }

    void userTables() {
        const Scratch scratch;
        const auto table = [&](const std::string& text) {
            return DecompositionTable::load(
                scratch.write(QStringLiteral("t.json"), QByteArray::fromStdString(text)).toStdString());
        };
        const auto kept =
            table(R"({"base": "core-aten", "ops": {"aten.gelu_backward": "keep", "aten.gelu": "inductor"}})");
        QVERIFY(!kept->find("aten.gelu_backward.default"));
        QVERIFY(kept->find("aten.gelu.default"));
        QVERIFY(kept->find("aten.t.default"));
        const auto few = table(R"({"ops": {"aten.add": "prims", "aten.expand.default": "prims"}})");
        QCOMPARE(few->entries().size(), 3u);  // two overloads of add
        QCOMPARE(q(few->entries().front().set), QStringLiteral("prims"));
    }

    void wrongTables_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("no object") << "[]"
                                   << "is not a JSON object";
        QTest::newRow("no JSON") << "{"
                                 << "is not a JSON object";
        QTest::newRow("key") << R"({"bases": 1})"
                             << "has the key 'bases'";
        QTest::newRow("base") << R"({"base": "all"})"
                              << "has the base \"all\", where one of none, core-aten";
        QTest::newRow("ops") << R"({"ops": []})"
                             << "'ops' that are not an object";
        QTest::newRow("value") << R"({"ops": {"aten.t": "none"}})"
                               << "gives 'aten.t' the value \"none\"";
        QTest::newRow("kept") << R"({"ops": {"aten.t": "keep"}})"
                              << "keeps 'aten.t', which its base does not decompose";
        QTest::newRow("rule") << R"({"ops": {"aten.mmm": "inductor"}})"
                              << "takes 'aten.mmm' from inductor, which has no";
    }
    void wrongTables() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const Scratch scratch;
        try {
            (void)DecompositionTable::load(scratch.write(QStringLiteral("t.json"), text.toUtf8()).toStdString());
            QFAIL("accepted");
        } catch (const Error& e) {
            QVERIFY2(q(e.what()).contains(message), e.what());
        }
    }

    /// Attention by rule has other strides than the kernel: a result that is contiguous after one is not after the
    /// other.
    void inferenceCopiesAsDecomposed() {
        const auto module = moduleFrom(
            "def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:\n"
            "    y = torch.scaled_dot_product_attention(q, k, v, None, 0.0, True)\n"
            "    return y.transpose(1, 2).contiguous().view([2, 8, 12])");
        Options options;
        options.inference = true;
        options.decompositions = DecompositionTable::load("core-aten");
        const std::string tensor = R"({"shape":[2,3,8,4]})";
        const Compiled compiled = compile(module, "[" + tensor + "," + tensor + "," + tensor + "]", options);
        QVERIFY2(compiled.compilation.function, compiled.record().error.c_str());
        QVERIFY(check(compiled).ok);
    }
};

QTEST_GUILESS_MAIN(TestDecompositions)
#include "test_decompositions.moc"
