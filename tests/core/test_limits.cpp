// Limits on the code of models: time, memory, cancelling.

#include "load/torchscript/script_types.h"
#include "session/session.h"
#include "session/session_limits.h"
#include "support/budget.h"
#include "support/models.h"
#include "support/saved_model.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <cstring>
#include <thread>

namespace aotscope::test::limits_test {
namespace {

const char* kOneInput =
    R"({"values":[{"leaf":{"shape":[3],"dtype":"float32","fill":"ones"}}],"inputs":[{"tensor":0}]})";

/// The error of compiling these methods within `limits`; empty: none.
QString ending(const std::string& methods, const Limits& limits, Progress progress = {}) {
    const Budget budget(std::move(progress), limits);
    const BudgetScope scope(&budget);
    return q(compile(moduleFrom(methods), kOneInput).record().error);
}

std::string loop(const std::string& body) {
    return "def forward(self, x: Tensor) -> Tensor:\n    n = 0\n    l = [0]\n    while n >= 0:\n        " + body +
           "\n    return x + n\n";
}

Options optionsFor(const QString& model) { return {.model = model.toStdString()}; }

}  // namespace

class TestLimits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void time() {
        const QString error = ending(loop("n = n + 1"), {0.2, 0});
        QVERIFY2(error.contains(u"took more than 0.2 s"_s) && error.contains(u"--time-limit"_s), qPrintable(error));
    }

    void memory() {
        const QString error = ending(loop("l = l + l"), {0, 100'000'000});
        QVERIFY2(error.contains(u"took more than 100"_s) && error.contains(u"--memory-limit"_s), qPrintable(error));
        // Tensors: in one operation, and through LibTorch's own allocator.
        const QString tensor = ending(
            "def forward(self, x: Tensor) -> Tensor:\n    return x + torch.tensor([1.0]).repeat([40000000]).sum()\n",
            {0, 100'000'000});
        QVERIFY2(tensor.contains(u"--memory-limit"_s), qPrintable(tensor));
        QCOMPARE(ending("def forward(self, x: Tensor) -> Tensor:\n"
                        "    return x + torch.tensor([1.0]).repeat([10000000]).sum()\n",
                        {0, 100'000'000}),
                 QString());
    }

    void finiteProgramsStayWithinTheLimits() {
        const std::string counts =
            "def forward(self, x: Tensor) -> Tensor:\n    n = 0\n    for i in range(200000):\n        n = n + i\n"
            "    return x + n\n";
        QCOMPARE(ending(counts, {60, 100'000'000}), QString());
        QCOMPARE(ending(counts, {}), QString());
    }

    /// The loop contains no operation at which the pipeline would check for itself.
    void cancel() {
        for (const char* body : {"n = n + 1", "x = x * 1"}) {
            Progress progress;
            std::jthread impatient([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                progress.cancel();
            });
            QVERIFY_THROWS_EXCEPTION(Cancelled, ending(loop(body), {}, progress));
        }
    }

    void cancelOfARun() {
        const ModelRun modelRun = modelRunOf(moduleFrom(loop("n = n + 1")), kOneInput);
        Progress progress;
        std::jthread impatient([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            progress.cancel();
        });
        const Budget cancelled(progress);
        const BudgetScope scope(&cancelled);
        QVERIFY_THROWS_EXCEPTION(Cancelled, modelRun.function()(modelRun.function().exampleValues()));
    }

    /// The interrupts are not visible in graphs and their source.
    void graphsHaveNoInterrupts() {
        const std::string methods =
            "def forward(self, x: Tensor) -> Tensor:\n    for i in range(3):\n        x = x * 2\n    return x\n";
        const auto module = moduleFrom(methods);
        for (int round = 0; round < 2; ++round) {  // its functions have interrupts the second time
            const Compiled compiled = compile(module, kOneInput);
            for (const auto& [kind, graph] : compiled.record().graphs)
                for (const Node* node : graph->nodes())
                    QVERIFY2(node->op().find("interrupt") == std::string::npos, node->op().c_str());
            QCOMPARE(compiled.record().graph(GraphKind::preFunctionalization)->callCount(), std::size_t{3});
        }
    }

    void defaultsFollowFromSizes() {
        const Scratch scratch;
        const QString file = scratch.write(u"m.pt"_s, QByteArray(10'000'000, 'x'));
        const Limits small = limitsFor(optionsFor(scratch.at(u"none.pt"_s))), large = limitsFor(optionsFor(file));
        QCOMPARE(small.seconds, 3.0);
        QCOMPARE(small.bytes, 256'000'000);
        QCOMPARE(large.seconds, 6.0);
        QCOMPARE(large.bytes, 256'000'000 + 8 * 10'000'000);
        Options options = optionsFor(file);
        options.inputs = parseInputSpec(R"([{"shape":[1000,1000],"dtype":"float32"}])", "spec");
        QCOMPARE(limitsFor(options).bytes, large.bytes + std::int64_t{64} * 4'000'000);
        options.limits = {7, 5'000'000};
        QCOMPARE(limitsFor(options).seconds, 7.0);
        QCOMPARE(limitsFor(options).bytes, 5'000'000);
        QCOMPARE(limitsFor(optionsFor(u"sample:mlp"_s)).bytes, 0);
    }

    void theUserCanRaiseThem() {
        const Scratch scratch;
        const std::string file = scratch.at(u"m.pt"_s).toStdString();
        saveModel("def forward(self) -> Tensor:\n    return self.w + torch.tensor([1.0]).repeat([10000000]).sum()\n",
                  file);
        Options options{.model = file, .limits = {.bytes = 20'000'000}};
        const auto error = Session::open(options, {})->record()->error;
        QVERIFY2(error.find("--memory-limit") != std::string::npos, error.c_str());
        options.limits.bytes = 200'000'000;
        QCOMPARE(q(Session::open(options, {})->record()->error), QString());
    }

    void callsThatExpand() {
        std::string methods = "def f0(self, x: Tensor) -> Tensor:\n    return x + 1\n";
        for (int i = 1; i <= 30; ++i)
            methods += "def f" + std::to_string(i) + "(self, x: Tensor) -> Tensor:\n    return self.f" +
                       std::to_string(i - 1) + "(self.f" + std::to_string(i - 1) + "(x))\n";
        methods += "def forward(self, x: Tensor) -> Tensor:\n    return self.f30(x)\n";
        const auto module = moduleFrom(methods);
        const Budget budget(Progress(), {0, 50'000'000});
        const BudgetScope scope(&budget);
        const QString error = errorOf([&] {
            const ForeignRun run("loading the model");
            programOf(*module, ModuleMode::train);
        });
        QVERIFY2(error.contains(u"--memory-limit"_s), qPrintable(error));
    }

    /// Tuples may be unpacked and rebuilt; types that grow by nesting are refused.
    void typesWithoutEnd() {
        const auto judged = [](const std::string& body) {
            ScriptDefinitions code;
            code.add("code/__torch__.py",
                     "class State(NamedTuple):\n  h : Tensor\n  c : Tensor\n"
                     "def step(s: Tuple[Tensor, Tensor]) -> Tuple[Tensor, Tensor]:\n  return (s[1], s[0])\n"
                     "def both(x: Tensor):\n  return (x, x)\n"
                     "def f(x: Tensor) -> Tensor:\n  s = (x, x)\n  n = __torch__.State(x, x)\n" +
                         body + "  return x\n");
            return errorOf([&] { requireSmallTypes(code); });
        };
        const auto times = [](int count, const char* line) {
            std::string text;
            for (int i = 0; i < count; ++i) text += std::string("  ") + line + "\n";
            return text;
        };
        for (const char* harmless :
             {"s = (s[1], s[0])", "h, c, = s\n  s = (c, h)", "s = (n.h, n.c)\n  n = __torch__.State(s[0], s[1])",
              "s = __torch__.step(s, )", "l = [s, s]\n  s = l[0]", "s = (s[-1], s[-2])", "s = s[0:1] + s[-1:]",
              "s = __torch__.both(s[0], )"})
            QCOMPARE(judged(times(100, harmless)), QString());
        for (const char* endless : {"s = (s, s)", "a = s\n  s = (a, (a, 1))", "if True:\n    s = (s, s)",
                                    "t = [s]\n  s = (t[0], t)", "s = (s, s)[0:2] + s"})
            QVERIFY2(judged(times(40, endless)).contains(u"tuples of tuples"_s), endless);
    }

    /// Memory of other threads does not count, nor memory allocated outside of foreign code.
    void othersGoOn() {
        const Budget budget(Progress(), {1, 10'000'000});
        const BudgetScope scope(&budget);
        const auto take = [](std::size_t bytes) {
            std::vector<char> memory(bytes);
            return memory[bytes - 1];
        };
        take(64'000'000);
        ForeignRun run("this test");
        QVERIFY_THROWS_EXCEPTION(std::bad_alloc, take(64'000'000));
        std::thread([&] { take(64'000'000); }).join();
        QVERIFY(errorOf([&] { run.rethrow(); }).contains(u"this test took more than 10"_s));
    }
};

AOTSCOPE_TEST(TestLimits)

}  // namespace aotscope::test::limits_test

#include "test_limits.moc"
