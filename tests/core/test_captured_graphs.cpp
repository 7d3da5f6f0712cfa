// Captured graphs, with recorded operations in place of a GPU's: what is captured and replayed, and when not.

#include "aten/dispatch_mode.h"
#include "aten/torch_versions.h"
#include "compile/captured_graph.h"
#include "compile/compiler.h"
#include "device/device.h"
#include "ir/parser.h"
#include "session/session.h"
#include "support/models.h"
#include "support/test_program.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>

namespace aotscope::test::captured_graphs_test {
namespace {

using Values = std::vector<c10::IValue>;

#if __has_include(<ATen/core/GraphImplInterface.h>)
/// A captured graph on the CPU: a replay calls the operations between begin and end again on the same memory.
class RecordedOperations final : public at::GraphImplInterface, public DispatchHandler {
public:
    explicit RecordedOperations(at::GraphImplArgs) {}
    inline static int captures = 0, replays = 0;

    void capture_begin(c10::MempoolId_t, at::GraphCaptureMode) override {
        ++captures;
        scope_ = std::make_unique<DispatchScope>(*this);
    }
    void capture_end() override { scope_.reset(); }
    void replay() override {
        ++replays;
        const PlainKernelScope plain;
        for (const Call& call : calls_) {
            torch::jit::Stack stack(call.arguments);
            call.op.callBoxed(stack);
            for (std::size_t i = 0; i < stack.size(); ++i)
                if (stack[i].isTensor() && !stack[i].toTensor().is_alias_of(call.results[i].toTensor()))
                    call.results[i].toTensor().copy_(stack[i].toTensor());
        }
    }
    void instantiate() override {}
    void reset() override { calls_.clear(); }
    c10::MempoolId_t pool() const override { return {0, 0}; }
    void enable_debug_mode() override {}
    void debug_dump(const std::string&) override {}

private:
    struct Call {
        c10::OperatorHandle op;
        Values arguments, results;
    };

    void dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) override {
        const auto count = static_cast<std::ptrdiff_t>(op.schema().arguments().size());
        Call call{op, {stack.end() - count, stack.end()}, {}};
        const PlainKernelScope plain;
        op.callBoxed(stack);
        const auto results = static_cast<std::ptrdiff_t>(op.schema().returns().size());
        call.results.assign(stack.end() - results, stack.end());
        calls_.push_back(std::move(call));
    }
    bool intercept(const c10::OperatorHandle&, c10::DispatchKeySet, torch::jit::Stack&) override { return false; }

    std::unique_ptr<DispatchScope> scope_;
    std::vector<Call> calls_;
};
#endif

}  // namespace

class TestCapturedGraphs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepareDevice("cuda:0"); }

    // moc, which does not see LibTorch, must always find the functions.

    void capturedAfterTwoRuns() {
#if __has_include(<ATen/core/GraphImplInterface.h>)
        at::GraphImplRegistry()->Register("CPU", [](at::GraphImplArgs args) -> std::unique_ptr<at::GraphImplInterface> {
            return std::make_unique<RecordedOperations>(args);
        });
        const Compiled plain = scaled({});
        const Options options{.deviceGraphs = true};
        const Compiled compiled = scaled(options);
        const RunArguments arguments = compiled.modelRun.arguments(/*ownState=*/true);
        const auto run = [&](const Compiled& which, double input) {
            Values leaves = arguments.leaves;
            leaves[1] = at::ones({2, 3}).mul(input);
            const at::Tensor y = which.function()(leaves).at(0).toTensor();
            y.sum().backward();
            const at::Tensor gradient = arguments.differentiable[0].grad().clone();
            arguments.differentiable[0].mutable_grad().reset();
            return std::pair(y.detach().clone(), gradient);
        };
        RecordedOperations::captures = RecordedOperations::replays = 0;
        for (int call = 0; call < 6; ++call) {
            const auto [y, gradient] = run(compiled, call);
            const auto [expectedY, expectedGradient] = run(plain, call);
            QVERIFY2(at::equal(y, expectedY), qPrintable(QString::number(call)));
            QVERIFY2(at::equal(gradient, expectedGradient), qPrintable(QString::number(call)));
        }
        QCOMPARE(RecordedOperations::captures, 2);  // forward and backward
        QCOMPARE(RecordedOperations::replays, 8);   // four times each

        // The parameter has moved: it is copied from now on.
        Values leaves = arguments.leaves;
        leaves[0] = at::ones({3}).mul(7).set_requires_grad(true);
        leaves[1] = at::ones({2, 3});
        const at::Tensor first = compiled.function()(leaves).at(0).toTensor();
        QVERIFY(at::equal(first, plain.function()(leaves).at(0).toTensor()));
        QCOMPARE(RecordedOperations::captures, 3);
        // Results of an earlier replay are not overwritten.
        const at::Tensor before = first.detach().clone();
        leaves[1] = at::ones({2, 3}).mul(5);
        compiled.function()(leaves);
        QVERIFY(at::equal(first, before));
#else
        QSKIP("this LibTorch has no interface for captured graphs");
#endif
    }

    void notCaptured_data() {
        const auto row = columns<QByteArray>("call");
        row("a write into an input", "aten.copy_.default(%x, %y)");
        row("ranks that exchange tensors", "_c10d_functional.all_reduce.default(%y, \"sum\", \"0\")");
    }
    void notCaptured() {
        QFETCH(QByteArray, call);
        const auto graph = parseGraph(
            "graph g\n  %x : f32[3] = placeholder(input)\n  %y : f32[3] = aten.neg.default(%x)\n  %w : f32[3] = " +
            call.toStdString() + "\n  return [%y : output]\n");
        const std::shared_ptr<const CompiledGraph> compiled = makeInterpreter()->compile(*graph, {});
        const auto outcome = captured(compiled, *graph, c10::Device(at::kCPU));
        if (outcome == compiled) QSKIP("this LibTorch has no interface for captured graphs");
        QVERIFY2(outcome->note().starts_with("the g graph is not captured and runs operation by operation: it "),
                 outcome->note().c_str());
    }

private:
    /// x * w, squared.
    static Compiled scaled(const Options& options) {
        return compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    y = x * self.w\n    return y * y",
                                  {ModuleBuilder::parameter("w", learned({3}))}),
                       R"([{"shape":[2,3]}])", options);
    }
};

AOTSCOPE_TEST(TestCapturedGraphs)

}  // namespace aotscope::test::captured_graphs_test

#include "test_captured_graphs.moc"
