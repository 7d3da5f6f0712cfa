// The wrapper around compiled graphs: guards, duplicates, synthetic bases, grad mode, autocast, version counters.

#include "aten/overlap.h"
#include "ir/runtime_steps.h"
#include "session/session.h"
#include "support/models.h"
#include "support/test_program.h"
#include "support/text.h"
#include "verify/compile_cache.h"

#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <random>
#include <set>

namespace aotscope::test::wrapper_test {
namespace {

using Values = std::vector<c10::IValue>;

/// An operator that makes its view in a custom autograd function, with a backward that a replayed view would lack.
struct TripledView : torch::autograd::Function<TripledView> {
    static at::Tensor forward(torch::autograd::AutogradContext* /*ctx*/, const at::Tensor& x) { return x.view(-1); }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* /*ctx*/,
                                                   torch::autograd::variable_list gradients) {
        return {gradients[0].mul(3).view({2, 3})};
    }
};

// TorchScript looks up operators in this namespace only.
TORCH_LIBRARY_FRAGMENT(aten, m) {
    m.def("tripled_view(Tensor(a) x) -> Tensor(a)");
    m.impl("tripled_view", c10::DispatchKey::CompositeImplicitAutograd,
           [](const at::Tensor& x) { return TripledView::apply(x); });
}

std::string binary(const std::string& body, const std::string& result = "Tensor") {
    return "def forward(self, x: Tensor, y: Tensor) -> " + result + ":\n    " + body;
}
std::string unary(const std::string& body, const std::string& result = "Tensor") {
    return "def forward(self, x: Tensor) -> " + result + ":\n    " + body;
}

/// Inputs that are `views` of one tensor `0`, with and without gradients.
std::string viewsOf(const std::string& shape, const std::string& views, const std::string& inputs, bool grad = true) {
    return R"({"values":[{"leaf":{"shape":)" + shape + R"(,"requires_grad":)" + (grad ? "true" : "false") +
           R"(}},{"op":"mul_scalar","of":0,"args":[2]})" + (views.empty() ? "" : ",") + views + R"(],"inputs":[)" +
           inputs + "]}";
}

const std::string kSame = viewsOf("[3,3]", "", R"({"tensor":1},{"tensor":1})");
const std::string kTwo = R"([{"shape":[3,3],"requires_grad":true},{"shape":[3,3],"requires_grad":true}])";
const std::string kTwoPlain = R"([{"shape":[3,3]},{"shape":[3,3]}])";
const std::string kOverlapping =
    viewsOf("[6]", R"({"op":"slice","of":1,"args":[0,0,4]},{"op":"slice","of":1,"args":[0,2,6]})",
            R"({"tensor":2},{"tensor":3})");

QString reasonOf(const Compiled& compiled, const Values& leaves) {
    return q(compiled.function().failedGuard(leaves).value_or(""));
}

at::Tensor leaf(at::IntArrayRef sizes) { return at::ones(sizes).set_requires_grad(true); }

/// The positions of all elements in memory.
std::set<std::int64_t> positions(const at::Tensor& t) {
    std::set<std::int64_t> found;
    std::vector<std::int64_t> index(static_cast<std::size_t>(t.dim()), 0);
    for (std::int64_t n = 0; n < t.numel(); ++n) {
        std::int64_t at = t.storage_offset();
        std::int64_t rest = n;
        for (std::int64_t d = t.dim(); d-- > 0;) {
            at += rest % t.size(d) * t.stride(d);
            rest /= t.size(d);
        }
        found.insert(at);
    }
    return found;
}

}  // namespace

class TestWrapper : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// An error about tangents names the three kinds of returns that have them.
    void differentiableReturnsAreCounted() {
        const std::string twoViews =
            unary("x = x * 1\n    x.mul_(2)\n    y = x.sin()\n    return y.view([-1]), y[0], x",
                  "Tuple[Tensor, Tensor, Tensor]");
        const auto metadata =
            compile(moduleFrom(twoViews), R"([{"shape":[3,3],"requires_grad":true}])").record().graphMetadata;
        QCOMPARE(q(differentiableReturns(*metadata)), u"0 updated inputs, 1 output and 1 intermediate base"_s);
    }

    // --- shared memory ---

    void overlapIsExact() {
        std::mt19937 random(7);
        const auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
        const at::Tensor memory = at::zeros({400});
        int overlapping = 0;
        for (int i = 0; i < 4000; ++i) {
            const auto view = [&] {
                std::vector<std::int64_t> sizes, strides;
                for (std::int64_t d = below(3); d >= 0; --d) {
                    sizes.push_back(1 + below(4));
                    strides.push_back(below(20));
                }
                return memory.as_strided(sizes, strides, below(60));
            };
            const at::Tensor a = view(), b = view();
            const auto pa = positions(a), pb = positions(b);
            const bool expected = std::any_of(pa.begin(), pa.end(), [&](std::int64_t p) { return pb.contains(p); });
            overlapping += expected;
            QVERIFY2(overlap(a, b) == expected, c10::str(a.sizes(), a.strides(), a.storage_offset(), " and ", b.sizes(),
                                                         b.strides(), b.storage_offset())
                                                    .c_str());
        }
        QVERIFY(overlapping > 500 && overlapping < 3500);
    }

    void columnsOfAMatrixNeedNoBase() {
        const std::string columns =
            viewsOf("[4,4]", R"({"op":"slice","of":1,"args":[1,0,2]},{"op":"slice","of":1,"args":[1,2,4]})",
                    R"({"tensor":2},{"tensor":3})", false);
        const Compiled compiled = compile(moduleFrom(binary("x.add_(1)\n    y.mul_(2)\n    return x + y")), columns);
        QVERIFY(!compiled.record().metadata->convention.hasSyntheticBases());
        QVERIFY(check(compiled).ok);
    }

    void otherAliasingThanCompiledFor() {
        const Compiled compiled = compile(moduleFrom(binary("x.mul_(2)\n    return x.sum() + y")), kOverlapping);
        QVERIFY(compiled.record().metadata->convention.hasSyntheticBases());
        QVERIFY(check(compiled).ok);
        const auto views = [](const at::Tensor& base) { return Values{base.slice(0, 0, 4), base.slice(0, 2, 6)}; };
        QCOMPARE(reasonOf(compiled, views(leaf({6}) * 1)), QString());
        QCOMPARE(reasonOf(compiled, views(leaf({7}) * 1)), u"the base of x, y is f32[7], expected f32[6]"_s);
        QCOMPARE(reasonOf(compiled, {leaf({4}) * 1, leaf({4}) * 1}),
                 u"inputs 'x', 'y' do not share the memory that is mutated, as they did when it was "
                 "compiled"_s);
        const Compiled apart =
            compile(moduleFrom(binary("x.mul_(2)\n    return x.sum() + y")), R"([{"shape":[4]},{"shape":[4]}])");
        QCOMPARE(reasonOf(apart, views(at::ones({6}))),
                 u"inputs 'x', 'y' share memory that is mutated, which they did not when it was compiled"_s);
    }

    // --- duplicates ---

    void duplicatesOfMutatedInputs() {
        const auto module = moduleFrom(binary("x.t_()\n    return x + y"));
        const Compiled same = compile(module, kSame), two = compile(module, kTwoPlain);
        QVERIFY(same.record().metadata->convention.specialised());
        const at::Tensor a = at::ones({3, 3}), b = at::ones({3, 3});
        QCOMPARE(reasonOf(same, {a, b}),
                 u"it was compiled under the assumption that input 'y' would be a "
                 "duplicate of input 'x', which it is not"_s);
        QCOMPARE(reasonOf(two, {a, a}),
                 u"input 'y' is a duplicate of input 'x', which it was not when it "
                 "was compiled"_s);
        QVERIFY(check(same).ok && check(two).ok);
    }

    void duplicatesThatNothingMutates() {
        const Compiled two = compile(moduleFrom(binary("return x * y.sin()")), kTwo);
        const Compiled same = compile(moduleFrom(binary("return x * y.sin()")), kSame);
        QVERIFY(!same.record().metadata->convention.specialised());
        for (const Compiled* compiled : {&two, &same}) {
            const at::Tensor a = leaf({3, 3});
            QCOMPARE(reasonOf(*compiled, {a, a}), QString());
            compiled->function()({a, a}).at(0).toTensor().sum().backward();
            // d(a sin a) = sin a + a cos a: the two gradients are returned separately and added.
            const at::Tensor d = a.detach();
            QVERIFY(at::allclose(a.grad(), d.sin() + d * d.cos()));
        }
    }

    // --- modes of the caller ---

    void gradientsSwitchedOff() {
        const Compiled compiled =
            compile(moduleFrom(unary("return x.sin() * 2")), R"([{"shape":[3],"requires_grad":true}])");
        int compilations = 0;
        CompileCache cache(
            compiled.compilation.function,
            [&](const Values& leaves) {
                ++compilations;
                return compileFunction(compiled.modelRun.function().withExample(leaves),
                                       {.inference = !at::GradMode::is_enabled()}, {}, {});
            },
            4);
        const at::Tensor x = leaf({3});
        {
            const at::NoGradGuard noGrad;
            QCOMPARE(reasonOf(compiled, {x}), u"gradients are disabled, but were enabled when it was compiled"_s);
            QVERIFY(!cache.find({x})->run({x}, {}).at(0).toTensor().requires_grad());
            QVERIFY(!cache.find({x})->run({x}, {}).at(0).toTensor().requires_grad());
        }
        QVERIFY(cache.find({x})->run({x}, {}).at(0).toTensor().requires_grad());
        QCOMPARE(compilations, 1);
        {
            const c10::InferenceMode inference;
            const at::Tensor plain = at::ones({3});
            QVERIFY(cache.find({plain})->run({plain}, {}).at(0).toTensor().is_inference());
        }
    }

    void autocastIsPartOfTheGraph() {
        const auto module = moduleFrom(binary("return torch.mm(x, y).relu()"));
        const Values inputs = {leaf({3, 3}), leaf({3, 3})};
        struct Bfloat16 {
            Bfloat16() {
                at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
                at::autocast::set_autocast_enabled(at::kCPU, true);
            }
            ~Bfloat16() {
                at::autocast::set_autocast_enabled(at::kCPU, false);
                at::autocast::clear_cache();
            }
        };
        std::optional<Bfloat16> autocast(std::in_place);
        const Compiled cast = compile(module, kTwo);
        const at::Tensor output = cast.function()(inputs).at(0).toTensor();
        QCOMPARE(output.scalar_type(), at::kBFloat16);
        QVERIFY(check(cast).ok);
        autocast.reset();
        QCOMPARE(reasonOf(cast, inputs), u"autocast is off, it was on the cpu to bfloat16 when it was compiled"_s);
        const Compiled plain = compile(module, kTwo);
        autocast.emplace();
        QVERIFY(!reasonOf(plain, inputs).isEmpty());
        // Autocast is part of the graph or not used: it does not affect compiled kernels.
        QCOMPARE(plain.function().run(inputs, {}).at(0).toTensor().scalar_type(), at::kFloat);
    }

    // --- inputs as the program leaves them ---

    void inputsComeToRequireAGradient() {
        const Compiled compiled = compile(moduleFrom(binary("x.requires_grad_(True)\n    return x * y")), kTwoPlain);
        const at::Tensor x = at::ones({3, 3}), y = at::ones({3, 3});
        const at::Tensor output = compiled.function()({x, y}).at(0).toTensor();
        QVERIFY(x.requires_grad() && output.requires_grad());
        output.sum().backward();
        QVERIFY(at::allclose(x.grad(), y));
    }

    /// The backward of x * x needs an overwritten x: eager refuses that, too, but only when the backward runs.
    void gradientThroughAnOverwrittenValue() {
        const Compiled compiled = compile(moduleFrom(binary("x.mul_(x)\n    return y * 2")),
                                          R"({"values":[{"leaf":{"shape":[3],"requires_grad":true}},)"
                                          R"({"op":"add_scalar","of":0,"args":[1]}],)"
                                          R"("inputs":[{"tensor":1},{"tensor":0}]})");
        QVERIFY2(compiled.record().error.empty(), compiled.record().error.c_str());
        QCOMPARE(compiled.record().warnings.size(), std::size_t(1));
        const at::Tensor y = at::ones({3}).set_requires_grad(true), x = y + 1;
        const at::Tensor output = compiled.function()({x, y}).at(0).toTensor();
        output.sum().backward({}, /*retain_graph=*/true);
        QVERIFY(at::allclose(y.grad(), at::full({3}, 2.0)));
        QVERIFY_EXCEPTION_THROWN(x.sum().backward(), std::exception);
    }

    void inputsGrow() {
        const Options inference{.inference = true};
        const Compiled compiled = compile(moduleFrom(unary("x.resize_([4, 2])\n    x.fill_(3)\n    return x + 1")),
                                          R"([{"shape":[2]}])", inference);
        QVERIFY2(compiled.record().error.empty(), compiled.record().error.c_str());
        QVERIFY(compiled.record().metadata->inputs[0].growsStorage);
        const at::NoGradGuard noGrad;
        const at::Tensor x = at::ones({2});
        const at::Tensor output = compiled.function()({x}).at(0).toTensor();
        QCOMPARE(x.sizes(), c10::IntArrayRef({4, 2}));
        QVERIFY(at::allclose(x, at::ones({4, 2}) * 3) && at::allclose(output, x + 1));
    }

    void detachingAnInput() {
        const Compiled compiled =
            compile(moduleFrom(unary("x.detach_()\n    return x * 2")), viewsOf("[3]", "", R"({"tensor":1})"));
        QVERIFY2(q(compiled.record().error).contains(u"the model detaches input 'x' in place (detach_)"_s),
                 compiled.record().error.c_str());
    }

    void mutationsInTheGraph() {
        const Options keep{.keepInputMutations = true};
        // The backward needs the old x: its copy is saved before the graph overwrites it.
        const Compiled compiled = compile(moduleFrom(binary("z = x.clone()\n    x.mul_(2)\n    return z.sin() * y")),
                                          R"([{"shape":[3,3]},{"shape":[3,3],"requires_grad":true}])", keep);
        QCOMPARE(compiled.record().metadata->inputsMutatedInGraph(), std::vector<std::size_t>{0});
        QVERIFY(compiled.record().metadata->mutatedInputIndices().empty());
        QCOMPARE(opHistogram(*compiled.record().graph(GraphKind::forward)).at("aten.copy_.default"), 1);
        QVERIFY(check(compiled).ok);
        const at::Tensor x = at::ones({3, 3}), y = leaf({3, 3});
        const auto version = x._version();
        const at::Tensor output = compiled.function()({x, y}).at(0).toTensor();
        QCOMPARE(x._version(), version + 1);
        QVERIFY(at::allclose(x, 2 * at::ones({3, 3})));
        output.sum().backward();
        QVERIFY(at::allclose(y.grad(), at::ones({3, 3}).sin()));
    }

    void memoryWithoutABaseCountsItsWrites() {
        // Without gradients, the two share only their storage.
        const std::string detached =
            R"({"values":[{"leaf":{"shape":[6]}},{"op":"slice","of":0,"args":[0,0,4]},{"op":"slice","of":0,"args":[0,2,6]},)"
            R"({"op":"detach","of":1},{"op":"detach","of":2}],"inputs":[{"tensor":3},{"tensor":4}]})";
        const Compiled compiled = compile(moduleFrom(binary("x.mul_(2)\n    return x.sum() + y")), detached);
        QVERIFY(compiled.record().metadata->convention.inputs[0].wholeStorage);
        QVERIFY(check(compiled).ok);
        const at::Tensor base = at::ones({6}), x = base.slice(0, 0, 4).detach(), y = base.slice(0, 2, 6).detach();
        const auto version = x._version();
        compiled.function()({x, y});
        QVERIFY(x._version() > version);
        QVERIFY(at::allclose(base.slice(0, 0, 4), 2 * at::ones({4})));
    }

    // --- views of custom autograd functions ---

    void viewsOfAutogradFunctions() {
        const Compiled compiled =
            compile(moduleFrom(unary("return torch.tripled_view(x)")), R"([{"shape":[2,3],"requires_grad":true}])");
        QVERIFY2(compiled.record().error.empty(), compiled.record().error.c_str());
        QCOMPARE(compiled.record().metadata->outputs[0].type, OutputType::customFunctionView);
        const at::Tensor x = leaf({2, 3});
        compiled.function()({x}).at(0).toTensor().sum().backward();
        QVERIFY(at::allclose(x.grad(), 3 * at::ones({2, 3})));
    }

    // --- outputs ---

    void outputsKeepTheirStrides() {
        const Compiled compiled =
            compile(moduleFrom(unary("v = x.t() + 1\n    v.masked_fill_(v > 0, 0.25)\n    return v")),
                    R"([{"shape":[2,3],"requires_grad":true}])");
        const at::Tensor output = compiled.function()({leaf({2, 3})}).at(0).toTensor();
        QCOMPARE(output.strides(), c10::IntArrayRef({1, 3}));
        QVERIFY(check(compiled).ok);
    }
};

AOTSCOPE_TEST(TestWrapper)

}  // namespace aotscope::test::wrapper_test

#include "test_wrapper.moc"
