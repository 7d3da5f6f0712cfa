// The interpreter on hand-written graphs.

#include "compile/compiler.h"
#include "session/session.h"
#include "support/absent_tensor.h"
#include "support/graph_calls.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>

namespace aotscope::test::interpreter_test {
namespace {

using Values = std::vector<c10::IValue>;

Values arguments(std::initializer_list<at::Tensor> tensors) { return Values(tensors.begin(), tensors.end()); }

std::shared_ptr<const CompiledGraph> interpreted(const char* text, const ConstantTable& constants = {}) {
    return makeInterpreter()->compile(*parseSound(text), constants);
}

}  // namespace

class TestInterpreter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void inputsAreFreedAfterTheirLastUse() {
        class Watcher final : public StepObserver {
        public:
            explicit Watcher(const at::Tensor& t) : watched(t.getIntrusivePtr()) {}
            void before(std::size_t) override {}
            void after(std::size_t) override { alive += watched.expired() ? '-' : '+'; }
            c10::weak_intrusive_ptr<c10::TensorImpl> watched;
            std::string alive;
        };
        const auto graph = interpreted(
            "graph g\n%x : f32[4] = placeholder\n%unused : f32[4] = placeholder\n"
            "%a : f32[4] = aten.cumsum.default(%x, 0)\n%b : f32[4] = aten.mul.Tensor(%a, %x)\n"
            "%c : f32[4] = aten.cumsum.default(%b, 0)\nreturn [%c]");
        Values args = arguments({at::ones({4}), at::ones({4})});
        Watcher used(args[0].toTensor());
        graph->run(args, &used);
        QCOMPARE(q(used.alive), u"+--"_s);
        QVERIFY(args.empty());
        args = arguments({at::ones({4}), at::ones({4})});
        Watcher unused(args[1].toTensor());
        graph->run(args, &unused);
        QCOMPARE(q(unused.alive), u"---"_s);
    }

    void inPlaceReuseLeavesSharedMemoryAlone() {
        const auto graph = interpreted(
            "graph g\n%x : f32[4] = placeholder\n%y : f32[4] = placeholder\n"
            "%view : f32[2, 2] = aten.view.default(%y, [2, 2])\n%a : f32[2, 2] = aten.add.Tensor(%view, 1)\n"
            "%b : f32[4] = aten.mul.Tensor(%x, 2)\n%kept : f32[4] = aten.sin.default(%b)\n"
            "%c : f32[4] = aten.cos.default(%kept)\n%d : f32[4] = aten.mul.Tensor(%c, %c)\n"
            "return [%a, %d, %kept]");
        const at::Tensor x = at::arange(4, at::kFloat), y = x + 10, kept = (x * 2).sin();
        for (int i = 0; i < 2; ++i) {
            Values args = arguments({x, y});
            const Values results = graph->run(args);
            QVERIFY(at::equal(x, at::arange(4, at::kFloat)) && at::equal(y, x + 10));
            QVERIFY(at::equal(results[0].toTensor(), (x + 11).view({2, 2})));
            QVERIFY(at::equal(results[1].toTensor(), kept.cos() * kept.cos()));
            QVERIFY(at::equal(results[2].toTensor(), kept));
        }
    }

    void interpretedCalls_data() {
        graphCallRows();
        QTest::newRow("overwritten constant")
            << u"%c : f32[4] = constant(c)\n%r : f32[4] = aten.add_.Tensor(%c, %x)"_s << u"100 101 102 103"_s;
    }
    void interpretedCalls() {
        FETCH(QString, body, result);
        Values args = operandsOfCall();
        QCOMPARE(numbersIn(makeInterpreter()->compile(*graphOfCall(body), constantsOfCall())->run(args)), result);
    }

    void literalOutputs() {
        Values args = arguments({at::ones({1})});
        const Values results =
            interpreted("graph g\n%x : f32[1] = placeholder\nreturn [None, 3, 2.5, True, %x, %x]")->run(args);
        QVERIFY(results[0].isNone());
        QCOMPARE(results[1].toInt(), int64_t{3});
        QCOMPARE(results[2].toDouble(), 2.5);
        QVERIFY(results[3].toBool());
        QVERIFY(results[4].toTensor().is_same(results[5].toTensor()));
    }

    void interpreterErrors_data() {
        const auto row = columns<QString, QString>("body", "message");
        row("unknown operation", "%r : f32[4] = aten.no_such_thing.default(%x)",
            "operator 'aten::no_such_thing' is unknown; give the library that defines it with --library");
        row("no operation", "%r : f32[4] = nonsense(%x)",
            "'nonsense' is not an operation; expected a name such as aten.add.Tensor");
        row("missing argument", "%r : f32[4] = aten.add.Tensor(%x)",
            "%r = aten.add.Tensor: its argument 'other' is missing");
        row("missing constant", "%w : f32[4] = constant(w)\n%r : f32[4] = aten.neg.default(%w)",
            "the graph refers to the constant 'w', whose value is not available");
        row("tuple as a value", "%s : (f32[2], f32[2]) = aten.split.Tensor(%x, 2)\n%r : f32[4] = aten.neg.default(%s)",
            "%s is a tuple; the interpreter takes its elements only through operator.getitem");
        row("list for a number", "%r : f32[4] = aten.cumsum.default(%x, [0])",
            "argument 'dim': expected int, found a list");
    }
    void interpreterErrors() {
        FETCH(QString, body, message);
        const QString error = errorOf([&] {
            interpreted(("graph g\n%x : f32[4] = placeholder\n" + body.toStdString() + "\nreturn [%r]").c_str());
        });
        QVERIFY2(error.contains(message) && !error.startsWith(u"not an Error"_s), qPrintable(error));
    }

    void wrongNumberOfGraphInputs() {
        Values args;
        const auto graph = interpreted("graph g\n%x : f32[1] = placeholder\nreturn [%x]");
        QCOMPARE(errorOf([&] { graph->run(args); }), u"a compiled graph takes 1 input, got 0"_s);
    }
};

AOTSCOPE_TEST(TestInterpreter)

}  // namespace aotscope::test::interpreter_test

#include "test_interpreter.moc"
