// The fused compiler: every operation that kernels support against LibTorch's, which operations form a group,
// and random graphs against the interpreter. Kernels are run by a naive evaluator.

#include "aten/convert.h"
#include "compile/fused/fused.h"
#include "compile/fused/lowering.h"
#include "session/session.h"
#include "support/decomposition_arguments.h"
#include "support/long_tests.h"
#include "support/naive_kernel.h"
#include "support/operation_graph.h"
#include "support/outcomes.h"
#include "support/random_graph.h"
#include "support/schema_arguments.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>

namespace aotscope::test::fused_test {
namespace {

std::unique_ptr<Compiler> fused(std::size_t fewestCalls = 2) {
    GroupingOptions options;
    options.fewestCalls = fewestCalls;
    return makeFused(options, [](const Kernel& kernel, const Device&) { return makeNaiveKernel(kernel); });
}

c10::OperatorHandle handleOf(const std::string& op) {
    const c10::OperatorName name = operatorName(op);
    return c10::Dispatcher::singleton().findSchemaOrThrow(name.name.c_str(), name.overload_name.c_str());
}

Values argumentsOf(const std::string& op, Random& random, bool special) {
    const c10::OperatorName name = operatorName(op);
    const std::string key = name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
    Values arguments;
    for (const Generators* all : {&decompositionGenerators(), &generators()})
        if (const auto it = all->find(key); it != all->end() && arguments.empty())
            arguments = it->second.arguments(random);
    if (arguments.empty()) arguments = schemaArguments(handleOf(op).schema(), random);
    for (const c10::IValue& tensor : tensorsAmong(arguments)) {
        if (tensor.toTensor().is_complex()) throw Error("complex numbers are not fused");
        fillAtRandom(tensor.toTensor(), special);
    }
    // The saved tensors.
    if (op == "aten.log_sigmoid_backward.default") arguments[2] = arguments[1].toTensor().abs().neg().exp();
    return arguments;
}

/// Results of LibTorch's own kernels for infinities and NaNs depend on whether elements are contiguous.
bool isSureOfInfinities(const std::string& op) {
    const auto isPart = [&](const char* name) { return op.find(name) != std::string::npos; };
    return !isPart("gelu") && !isPart("var_mean") && !isPart("elu_backward") && !isPart("hardswish_backward") &&
           !isPart("hardtanh_backward");
}
/// Operators of prims take tensors of one dtype; converting a non-integral value to an integer depends on the CPU, and
/// so does whether oneDNN computes the gradient of gelu in the dtype of one of its tensors.
bool isSure(const std::string& op, const Values& arguments, const Values& results, bool special) {
    const auto isReal = [](const c10::IValue& v) { return v.toTensor().is_floating_point(); };
    const auto isWhole = [](const c10::IValue& v) { return at::isIntegralType(v.toTensor().scalar_type(), false); };
    const Values tensors = tensorsAmong(arguments);
    const auto isAlike = [&](const c10::IValue& v) {
        return v.toTensor().scalar_type() == tensors.back().toTensor().scalar_type();
    };
    const bool ofOneDType =
        (op.starts_with("prims.") && op != "prims.where.default") || op.starts_with("aten.gelu_backward");
    if (ofOneDType && !std::all_of(tensors.begin(), tensors.end(), isAlike)) return false;
    return !special || std::none_of(tensors.begin(), tensors.end(), isReal) ||
           std::none_of(results.begin(), results.end(), isWhole);
}

// Some kernels store their constants as float.
double toleranceOf(at::ScalarType type) {
    return type == at::kDouble ? 1e-7 : type == at::kFloat ? 2e-5 : type == at::kHalf ? 4e-3 : 3e-2;
}

std::string differenceOf(const at::Tensor& ours, const at::Tensor& real, double atLeast) {
    if (ours.sizes() != real.sizes()) return c10::str("sizes ", ours.sizes(), ", expected ", real.sizes());
    if (ours.scalar_type() != real.scalar_type())
        return c10::str("type ", ours.scalar_type(), ", expected ", real.scalar_type());
    for (std::int64_t d = 0; d < real.dim() && real.numel() > 0; ++d)
        if (real.size(d) != 1 && ours.stride(d) != real.stride(d))
            return c10::str("strides ", ours.strides(), ", expected ", real.strides());
    const double tolerance = real.is_floating_point() ? std::max(toleranceOf(real.scalar_type()), atLeast) : 0;
    const at::Tensor a = ours.to(at::kDouble), b = real.to(at::kDouble);
    if (at::allclose(a, b, tolerance, tolerance, /*equal_nan=*/true)) return "";
    const at::Tensor wrong = at::isclose(a, b, tolerance, tolerance, true).logical_not();
    return c10::str(a.masked_select(wrong)[0].item<double>(), ", expected ", b.masked_select(wrong)[0].item<double>());
}

/// The tolerance is that of the type, but not less than `atLeast`.
std::string differenceOf(const Values& ours, const Values& real, double atLeast = 0) {
    if (ours.size() != real.size()) return "another number of results";
    for (std::size_t i = 0; i < real.size(); ++i)
        if (const auto difference = differenceOf(ours[i].toTensor(), real[i].toTensor(), atLeast); !difference.empty())
            return "result " + std::to_string(i) + ": " + difference;
    return "";
}

/// Groups as node names: "a b, c d".
std::string groupsOf(const Graph& graph, const CompiledGraph& compiled) {
    std::string text;
    for (const auto& group : compiled.groups()) {
        if (!text.empty()) text += ", ";
        for (std::size_t i = 0; i < group.size(); ++i) text += (i > 0 ? " " : "") + graph.findById(group[i])->name();
    }
    return text;
}

/// Values for the placeholders.
Values inputsOf(const Graph& graph) {
    Values values;
    for (const Node* placeholder : graph.placeholders()) {
        const TensorType* type = placeholder->type.tensor();
        if (!type) {
            values.emplace_back(static_cast<std::int64_t>(placeholder->type.scalar()->hint));
            continue;
        }
        const at::Tensor tensor = at::empty_strided(type->sizes, type->strides, toScalarType(type->dtype));
        fillAtRandom(tensor, false);
        values.emplace_back(tensor);
    }
    return values;
}

Values copies(const Values& values) {
    Values all;
    for (const c10::IValue& value : values)
        all.push_back(value.isTensor() ? c10::IValue(value.toTensor().clone()) : value);
    return all;
}

}  // namespace

class TestFused : public QObject {
    Q_OBJECT

    static auto groupRows() { return columns<QString, QString>("body", "groups"); }
    void groupsAreExpected() {
        FETCH(QString, body, groups);
        const auto graph = parseSound(
            "graph g\n%x : f32[8, 32] = placeholder\n%y : f32[8, 32] = placeholder\n"
            "%v : f32[32] = placeholder\n" +
            body.toStdString());
        const auto compiled = fused()->compile(*graph, {});
        QCOMPARE(q(groupsOf(*graph, *compiled)), groups);
        at::manual_seed(1);
        const Values inputs = inputsOf(*graph);
        if (!body.contains(u"rand"_s)) QCOMPARE(q(compare(*graph, *compiled, inputs)), QString());
    }

    /// Runs the graph fused and interpreted.
    static std::string compare(const Graph& graph, const CompiledGraph& compiled, const Values& inputs) {
        Values theirs = copies(inputs), ours = copies(inputs);
        const Values kept = theirs, keptOurs = ours;
        const Values expected = makeInterpreter()->compile(graph, {})->run(theirs);
        const Values found = compiled.run(ours);
        // Doubles may be computed from floats, and floats from halves.
        const std::string difference = differenceOf(found, expected, 5e-3);
        return difference.empty() ? differenceOf(tensorsAmong(keptOurs), tensorsAmong(kept)) : difference;
    }

private Q_SLOTS:
    // --- operations ---

    void operations_data() {
        QTest::addColumn<QString>("op");
        for (const std::string_view op : loweredOperations()) QTest::newRow(qPrintable(q(op))) << q(op);
    }
    void operations() {
        QFETCH(QString, op);
        const std::string name = op.toStdString();
        const at::AutoDispatchBelowADInplaceOrView kernelsOnly;
        const auto handle = handleOf(name);
        int found = 0;
        for (unsigned seed = 1; seed <= 800 && found < 60; ++seed) {
            Random random(seed);
            at::manual_seed(seed);
            const bool special = seed % 2 == 0 && isSureOfInfinities(name);
            Values arguments, results;
            try {
                arguments = argumentsOf(name, random, special);
                results = arguments;
                handle.callBoxed(results);
                results = tensorsAmong(results);
            } catch (const std::exception&) {
                continue;
            }
            if (!isSure(name, arguments, results, special)) continue;
            const auto graph = operationGraph(name, arguments, results);
            const auto compiled = fused(1)->compile(*graph, {});
            if (compiled->groups().empty()) continue;
            ++found;
            Values inputs = tensorsAmong(arguments);
            const Values ours = compiled->run(inputs);
            const std::string difference = differenceOf(ours, results);
            QVERIFY2(difference.empty(),
                     qPrintable(u"seed %1: %2; %3"_s.arg(seed).arg(q(difference), q(printed(arguments)))));
        }
        QVERIFY2(found >= 10, qPrintable(u"only %1 lowered"_s.arg(found)));
    }

    // --- groups ---

    void groups_data() {
        const auto row = groupRows();
        row("chain",
            "%a : f32[8, 32] = aten.sin.default(%x)\n%b : f32[8, 32] = aten.mul.Tensor(%a, %x)\n"
            "%c : f32[8, 32] = aten.add.Tensor(%b, %v)\nreturn [%c]",
            "a b c");
        row("one operation", "%a : f32[8, 32] = aten.sin.default(%x)\nreturn [%a]", "");
        row("several outputs",
            "%a : f32[8, 32] = aten.sin.default(%x)\n%b : f32[8, 32] = aten.cos.default(%a)\n"
            "%c : f32[8, 32] = aten.exp.default(%a)\nreturn [%a, %b, %c]",
            "a b c");
        row("known numbers",
            "%z : f32[] = aten.full.default([], 0.0)\n%c : b8[8, 32] = aten.gt.Scalar(%x, 0)\n"
            "%w : f32[8, 32] = aten.where.self(%c, %x, %z)\nreturn [%w]",
            "c w");
        row("another space",
            "%a : f32[8, 32] = aten.sin.default(%x)\n%v2 : f32[32] = aten.sin.default(%v)\n"
            "%b : f32[8, 32] = aten.add.Tensor(%a, %v2)\nreturn [%b]",
            "a b");
        row("around an operation",
            "%a : f32[8, 32] = aten.sin.default(%x)\n%f : f32[8, 32] = aten.cumsum.default(%a, 1)\n"
            "%b : f32[8, 32] = aten.add.Tensor(%a, %f)\nreturn [%b]",
            "");
        row("around an operation of one of two",
            "%a : f32[8, 32] = aten.sin.default(%x)\n%f : f32[8, 32] = aten.cumsum.default(%a, 1)\n"
            "%c : f32[8, 32] = aten.cos.default(%f)\n%b : f32[8, 32] = aten.add.Tensor(%a, %c)\nreturn [%b]",
            "c b");
        row("through another group",
            "%a : f32[8, 32] = aten.sin.default(%x)\n%f : f32[8, 32] = aten.cumsum.default(%a, 1)\n"
            "%b : f32[8, 32] = aten.cos.default(%y)\n%c : f32[8, 32] = aten.add.Tensor(%f, %b)\n"
            "%g : f32[8, 32] = aten.cumsum.default(%b, 1)\n%d : f32[8, 32] = aten.mul.Tensor(%a, %g)\n"
            "return [%c, %d]",
            "b c");
        row("written in between",
            "%a : f32[8, 32] = aten.sin.default(%x)\n%w : f32[8, 32] = aten.copy_.default(%x, %y)\n"
            "%b : f32[8, 32] = aten.mul.Tensor(%a, %w)\n%c : f32[8, 32] = aten.exp.default(%b)\nreturn [%c]",
            "b c");
        row("a copy in another layout",
            "%x4 : f32[2, 4, 4, 8] = aten.view.default(%x, [2, 4, 4, 8])\n"
            "%a : f32[2, 4, 4, 8] = aten.sin.default(%x4)\n"
            "%b : f32[2, 4, 4, 8][128, 1, 32, 4] = aten.clone.default(%a, memory_format=torch.channels_last)\n"
            "return [%b]",
            "a b");
        row("a copy in another layout of what others read",
            "%x4 : f32[2, 4, 4, 8] = aten.view.default(%x, [2, 4, 4, 8])\n"
            "%a : f32[2, 4, 4, 8] = aten.sin.default(%x4)\n"
            "%b : f32[2, 4, 4, 8][128, 1, 32, 4] = aten.clone.default(%a, memory_format=torch.channels_last)\n"
            "return [%a, %b]",
            "");
        row("what would keep more memory",
            "%a : f32[8, 32] = aten.cumsum.default(%x, 1)\n%b : f32[8, 32] = aten.cumsum.default(%a, 1)\n"
            "%s : f32[8, 32] = aten.add.Tensor(%a, %b)\n%c : f32[8, 32] = aten.cumsum.default(%b, 1)\n"
            "%t : f32[8, 32] = aten.add.Tensor(%s, %c)\n%d : f32[8, 32] = aten.cumsum.default(%c, 1)\n"
            "%u : f32[8, 32] = aten.add.Tensor(%t, %d)\nreturn [%u]",
            "s t");
        row("random numbers",
            "%a : f32[8, 32] = aten.rand_like.default(%x)\n%b : f32[8, 32] = aten.randn_like.default(%x)\n"
            "%c : f32[8, 32] = aten.mul.Tensor(%b, %b)\n%d : f32[8, 32] = aten.add.Tensor(%c, %a)\nreturn [%d]",
            "c d");
        row("views are not computed",
            "%a : f32[8, 32] = aten.sin.default(%x)\n%t : f32[32, 8][1, 32] = aten.permute.default(%a, [1, 0])\n"
            "%b : f32[32, 8][1, 32] = aten.cos.default(%t)\nreturn [%b]",
            "");
        row("doubles are no floats",
            "%a : f64[8, 32] = aten._to_copy.default(%x, dtype=torch.float64)\n"
            "%b : f64[8, 32] = aten.exp.default(%a)\nreturn [%b]",
            "a b");
        row("complex numbers",
            "%a : c64[8, 32] = aten._to_copy.default(%x, dtype=torch.complex64)\n"
            "%b : c64[8, 32] = aten.exp.default(%a)\nreturn [%b]",
            "");
    }
    void groups() { groupsAreExpected(); }

    void groupsOfReductions_data() {
        const auto row = groupRows();
        row("softmax by hand",
            "%m : f32[8, 1] = aten.amax.default(%x, [-1], True)\n%s : f32[8, 32] = aten.sub.Tensor(%x, %m)\n"
            "%e : f32[8, 32] = aten.exp.default(%s)\n%t : f32[8, 1] = aten.sum.dim_IntList(%e, [-1], True)\n"
            "%d : f32[8, 32] = aten.div.Tensor(%e, %t)\nreturn [%d]",
            "m s e t d");
        row("without keepdim",
            "%p : f32[8, 32] = aten.mul.Tensor(%x, %x)\n%m : f32[8] = aten.mean.dim(%p, [1])\n"
            "%r : f32[8] = aten.rsqrt.default(%m)\n%u : f32[8, 1] = aten.unsqueeze.default(%r, 1)\n"
            "%d : f32[8, 32] = aten.mul.Tensor(%x, %u)\nreturn [%d, %r]",
            "p m r d");
        row("bias gradient",
            "%g : f32[8, 32] = aten.gelu_backward.default(%x, %y)\n%s : f32[1, 32] = aten.sum.dim_IntList(%g, [0], "
            "True)\n"
            "%w : f32[32] = aten.view.default(%s, [32])\nreturn [%g, %w]",
            "g s");
        row("bias gradient of rows",
            "%z : f32[2, 4, 32] = aten.view.default(%x, [2, 4, 32])\n%g : f32[2, 4, 32] = "
            "aten.gelu_backward.default(%z, %z)\n%w : f32[8, 32] = aten.view.default(%g, [8, 32])\n"
            "%s : f32[1, 32] = aten.sum.dim_IntList(%w, [0], True)\nreturn [%g, %w, %s]",
            "g s");
        row("rows that are kept are not merged",
            "%z : f32[2, 4, 32] = aten.view.default(%x, [2, 4, 32])\n%g : f32[2, 4, 32] = "
            "aten.gelu_backward.default(%z, %z)\n%w : f32[8, 32] = aten.view.default(%g, [8, 32])\n"
            "%s : f32[8] = aten.sum.dim_IntList(%w, [1])\nreturn [%g, %w, %s]",
            "");
        row("other dimensions are reduced",
            "%a : f32[8, 32] = aten.exp.default(%x)\n%s : f32[8, 1] = aten.sum.dim_IntList(%a, [1], True)\n"
            "%t : f32[1, 32] = aten.sum.dim_IntList(%a, [0], True)\nreturn [%s, %t]",
            "a s");
        row("expanded",
            "%s : f32[8, 1] = aten.sum.dim_IntList(%x, [1], True)\n%e : f32[8, 32][1, 0] = aten.expand.default(%s, [8, "
            "32])\n"
            "%m : f32[8, 32] = aten.mul.Tensor(%e, %y)\nreturn [%m]",
            "s m");
        row("repeated, then summed up",
            "%r : f32[1, 32] = aten.view.default(%v, [1, 32])\n%e : f32[8, 32][0, 1] = aten.expand.default(%r, [8, "
            "32])\n"
            "%s : f32[32] = aten.sum.dim_IntList(%e, [0])\n%t : f32[32] = aten.sin.default(%s)\nreturn [%t]",
            "");
        row("two results",
            "%m : (f32[8, 1], f32[8, 1]) = aten.var_mean.correction(%x, [1], correction=0, keepdim=True)\n"
            "%v1 : f32[8, 1] = operator.getitem(%m, 0)\n%v2 : f32[8, 1] = operator.getitem(%m, 1)\n"
            "%a : f32[8, 1] = aten.add.Tensor(%v1, 1e-05)\n%r : f32[8, 1] = aten.rsqrt.default(%a)\n"
            "%s : f32[8, 32] = aten.sub.Tensor(%x, %v2)\n%n : f32[8, 32] = aten.mul.Tensor(%s, %r)\n"
            "return [%n, %r, %v2]",
            "m a r s n");
    }
    void groupsOfReductions() { groupsAreExpected(); }

    void sizesThatVary() {
        const auto graph = parseSound(
            "graph g where s0 = 8 in 2..64, s1 = 3 in 2..9\n%x : f32[s0, s1, 4] = placeholder\n"
            "%n : Sym(s0) = aten.sym_size.int(%x, 0)\n%k : Sym(s1) = aten.sym_size.int(%x, 1)\n"
            "%c : Sym(s0*s1) = operator.mul(%n, %k)\n%a : f32[s0, s1, 4] = aten.mul.Tensor(%x, %n)\n"
            "%b : f32[s0, s1, 4] = aten.sin.default(%a)\n%f : f32[s0, s1, 4] = aten.full.default([%n, %k, 4], 2.0)\n"
            "%d : f32[s0, s1, 4] = aten.add.Tensor(%b, %f)\n%v : f32[s0*s1, 4] = aten.view.default(%d, [%c, 4])\n"
            "%s : f32[1, 4] = aten.sum.dim_IntList(%v, [0], True)\n%m : f32[s0, 4] = aten.mean.dim(%d, [1])\n"
            "%p : f32[s0, 4] = aten.exp.default(%m)\n%q : f32[s0, 4] = aten.mul.Tensor(%p, %m)\nreturn [%d, %s, %q]");
        const auto compiled = fused()->compile(*graph, {});
        QCOMPARE(q(groupsOf(*graph, *compiled)), u"a b d s, p q"_s);
        for (const auto& [rows, columns] : std::vector<std::pair<int, int>>{{8, 3}, {5, 2}, {2, 9}, {64, 4}})
            QCOMPARE(q(compare(*graph, *compiled, {at::randn({rows, columns, 4})})), QString());
    }

    void randomGraphs() {
        std::size_t groups = 0;
        for (unsigned seed = 1; seed <= (longTests() ? 20000U : 1000U); ++seed) {
            const RandomGraph random = randomGraph(seed);
            requireSound(*random.graph, "drawing");
            std::shared_ptr<const CompiledGraph> compiled;
            const QString error = errorOf([&] { compiled = fused()->compile(*random.graph, {}); });
            QVERIFY2(error.isEmpty(),
                     qPrintable(u"seed %1: %2\n%3"_s.arg(seed).arg(error, q(printGraph(*random.graph)))));
            groups += compiled->groups().size();
            const std::string difference = compare(*random.graph, *compiled, random.inputs);
            QVERIFY2(difference.empty(),
                     qPrintable(u"seed %1: %2; groups %3\n%4"_s.arg(seed).arg(
                         q(difference), q(groupsOf(*random.graph, *compiled)), q(printGraph(*random.graph)))));
        }
        QVERIFY(groups > 500);
    }

    /// A kernel may have many tensors less than what is read for its size, or absorbed by a sum, would be.
    void manyAccumulationsAreOneKernel() {
        constexpr int count = 16;
        std::string inputs = "graph g\n%x : f32[2, 8] = placeholder\n%i : i64[8] = placeholder\n", calls;
        for (int k = 0; k < count; ++k) {
            const std::string n = std::to_string(k), before = k == 1 ? "%p0" : "%s" + std::to_string(k - 1);
            inputs += "%w" + n + " : f32[8] = placeholder\n";
            calls += "%m" + n + " : f32[2, 8] = aten.mul.Tensor(%x, %w" + n + ")\n";
            calls += "%z" + n + " : f32[2, 9] = aten.new_zeros.default(%m" + n + ", [2, 9])\n";
            calls += "%p" + n + " : f32[2, 9] = aten._unsafe_index_put.default(%z" + n + ", [None, %i], %m" + n +
                     ", True)\n";
            if (k > 0) calls += "%s" + n + " : f32[2, 9] = aten.add.Tensor(" + before + ", %p" + n + ")\n";
        }
        const auto graph = parseSound(inputs + calls + "return [%s" + std::to_string(count - 1) + "]");
        QCOMPARE(fused()->compile(*graph, {})->groups().size(), std::size_t(1));
    }

    void reductionsCanBeLeftOut() {
        GroupingOptions options;
        options.reductions = false;
        const auto compiler =
            makeFused(options, [](const Kernel& kernel, const Device&) { return makeNaiveKernel(kernel); });
        const auto graph = parseSound(
            "graph g\n%x : f32[8, 32] = placeholder\n%a : f32[8, 32] = aten.sin.default(%x)\n"
            "%b : f32[8, 32] = aten.cos.default(%a)\n%c : f32[8] = aten.sum.dim_IntList(%b, [1])\nreturn [%c]");
        QCOMPARE(q(groupsOf(*graph, *compiler->compile(*graph, {}))), u"a b"_s);
    }

    /// Without kernels, operations run one by one.
    void withoutKernels() {
        const auto compiler = makeFused({}, [](const Kernel&, const Device&) -> std::unique_ptr<FusedKernel> {
            throw Error("there are no kernels");
        });
        const auto graph = parseSound(
            "graph g\n%x : f32[8] = placeholder\n%a : f32[8] = aten.sin.default(%x)\n"
            "%b : f32[8] = aten.cos.default(%a)\nreturn [%b]");
        const auto compiled = compiler->compile(*graph, {});
        QVERIFY(compiled->groups().empty());
        QCOMPARE(compiled->steps().size(), std::size_t(2));
        QCOMPARE(q(compiled->note()), u"the g graph's operations on 'cpu' run one by one, for there are no kernels"_s);
    }

    /// An observer is shown the value of the group's last node.
    void groupsAreObserved() {
        class Values final : public StepObserver {
        public:
            void before(std::size_t) override {}
            void results(std::size_t, c10::ArrayRef<c10::IValue> values) override { first = values[0].toTensor(); }
            void after(std::size_t) override {}
            at::Tensor first;
        };
        const auto graph = parseSound(
            "graph g\n%x : f32[8] = placeholder\n%a : f32[8] = aten.sin.default(%x)\n"
            "%b : f32[8] = aten.cos.default(%a)\nreturn [%a, %b]");
        const auto compiled = fused()->compile(*graph, {});
        QCOMPARE(compiled->steps(), std::vector<NodeId>{graph->findByName("b")->id()});
        Values seen;
        const at::Tensor x = at::randn({8});
        std::vector<c10::IValue> args = {x};
        compiled->run(args, &seen);
        QVERIFY(at::allclose(seen.first, x.sin().cos()));
    }

    /// Results reuse memory that nothing else holds, but never the caller's.
    void inputMemoryIsReused() {
        const auto graph = parseSound(
            "graph g\n%x : f32[8] = placeholder\n%a : f32[8] = aten.sin.default(%x)\n"
            "%b : f32[8] = aten.cos.default(%a)\nreturn [%b]");
        const auto compiled = fused()->compile(*graph, {});
        at::Tensor x = at::ones({8});
        std::vector<c10::IValue> args = {x};
        compiled->run(args);
        QVERIFY(at::equal(x, at::ones({8})));
        const void* place = x.data_ptr();
        args = {std::move(x)};
        QCOMPARE(compiled->run(args)[0].toTensor().data_ptr(), place);
        const at::Tensor whole = at::ones({16});
        args = {whole.slice(0, 0, 8)};
        compiled->run(args);
        QVERIFY(at::equal(whole, at::ones({16})));
    }
};

AOTSCOPE_TEST(TestFused)

}  // namespace aotscope::test::fused_test

#include "test_fused.moc"
