// Models that run under autocast: their graphs are those of Python's AOTAutograd under torch.autocast, and they are
// checked against an eager run under the same autocast.

#include "debug/debugger.h"
#include "session/session.h"
#include "support/models.h"
#include "support/op_histogram.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <torch/csrc/jit/api/module.h>

namespace aotscope::test::autocast_test {
namespace {

using Build = ModuleBuilder;

const char* const kLayers =
    "def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:\n"
    "    h = torch.relu(torch.layer_norm(torch.linear(x, self.w1, self.b1), [8], self.weight, self.bias))\n"
    "    return torch.softmax(torch.linear(h, self.w2, self.b2), -1), torch.matmul(h, h.t()).exp().sum()\n";

Attributes layers() {
    return {Build::parameter("w1", learned({8, 6})),  Build::parameter("b1", learned({8})),
            Build::parameter("w2", learned({4, 8})),  Build::parameter("b2", learned({4})),
            Build::parameter("weight", learned({8})), Build::parameter("bias", learned({8}))};
}

std::shared_ptr<const Session> opened(const Scratch& scratch, Options options, const std::string& methods = kLayers) {
    const std::string file = scratch.at(u"layers.pt"_s).toStdString();
    moduleFrom(methods, layers())->save(file);
    options.model = file;
    options.inputs = parseInputSpec(R"([{"shape":[3,6],"requires_grad":true}])", "spec");
    return Session::open(options, {});
}

Options under(Autocast autocast) { return {.autocast = autocast}; }

}  // namespace

class TestAutocast : public QObject {
    Q_OBJECT

    Scratch scratch_;

private Q_SLOTS:
    /// Counted in torch.compile's joint graph of the same module, called within torch.autocast("cpu", torch.bfloat16).
    void graphsArePythons() {
        const auto session = opened(scratch_, under(Autocast::cpuBfloat16));
        QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
        const Histogram python = {{"operator.getitem", 6},
                                  {"aten._softmax.default", 1},
                                  {"aten._softmax_backward_data.default", 1},
                                  {"aten._to_copy.default", 10},
                                  {"aten.add.Tensor", 2},
                                  {"aten.addmm.default", 2},
                                  {"aten.exp.default", 1},
                                  {"aten.expand.default", 1},
                                  {"aten.mm.default", 7},
                                  {"aten.mul.Tensor", 1},
                                  {"aten.native_layer_norm.default", 1},
                                  {"aten.native_layer_norm_backward.default", 1},
                                  {"aten.relu.default", 1},
                                  {"aten.sum.default", 1},
                                  {"aten.sum.dim_IntList", 2},
                                  {"aten.t.default", 15},
                                  {"aten.threshold_backward.default", 1},
                                  {"aten.view.default", 2}};
        QCOMPARE(difference(histogram(*session->record()->graph(GraphKind::joint)), python), QString());
    }

    void runsAreEqualToEager_data() {
        columns<int, bool>("autocast", "inference");
        QTest::newRow("bfloat16") << static_cast<int>(Autocast::cpuBfloat16) << false;
        QTest::newRow("float16") << static_cast<int>(Autocast::cpuFloat16) << false;
        QTest::newRow("inference") << static_cast<int>(Autocast::cpuBfloat16) << true;
    }
    void runsAreEqualToEager() {
        QFETCH(int, autocast);
        QFETCH(bool, inference);
        Options options = under(static_cast<Autocast>(autocast));
        options.inference = inference;
        options.dynamic = {{DynamicRange::kAll}};
        const auto session = opened(scratch_, options);
        const CheckResult check = session->check({});
        QVERIFY2(check.ok, check.details.empty() ? "" : check.details.front().c_str());
        QVERIFY2(check.values.at(0).type.starts_with(options.autocast == Autocast::cpuFloat16 ? "f16" : "bf16"),
                 check.values.at(0).type.c_str());
        QCOMPARE(check.backwardRun, !inference);
        QCOMPARE(check.misses, 0);
        QVERIFY(check.sizes.size() >= 4);
        QVERIFY(!session->bisect({}).found);
        if (inference) return;
        QVERIFY(session->train({.steps = 3}, {}, {}).recompilations.empty());
    }

    void recompilationsRunUnderItToo() {
        Options options = under(Autocast::cpuBfloat16);
        options.dynamic = {{"x.0", 2, 4}};
        options.checkSizes = {{{"x.0", 9}}};
        const CheckResult check = opened(scratch_, options)->check({});
        QVERIFY2(check.ok, check.details.empty() ? "" : check.details.front().c_str());
        QCOMPARE(check.recompilations.size(), std::size_t{1});
        QCOMPARE(q(check.recompilations[0].record->autocast), u"on the cpu to bfloat16"_s);
    }

    /// Eager runs under autocast in the debugger, too.
    void everyValueIsEagers() {
        const auto debugger = opened(scratch_, under(Autocast::cpuBfloat16))->debug({});
        debugger->compareWithEager({});
        debugger->run({});
        QVERIFY2(debugger->lastStop().reason == DebugStop::Reason::ended, debugger->lastStop().text.c_str());
    }

    /// A linear layer returns bfloat16 under autocast. A scatter into float32 refuses it, which tracing finds, and the
    /// quantiles of the normal distribution have no kernel for it, which only a run finds: in eager, too.
    void eagerThatFailsUnderItIsNamed() {
        const QString eagers =
            u"; eager fails under --autocast cpu:bfloat16, too: leave it out, or cast in the model"_s;
        const std::string returns = "def forward(self, x: Tensor) -> Tensor:\n    return ";
        const std::string scattered =
            returns +
            "torch.zeros([3, 8]).scatter_add(0, torch.zeros([3, 8], dtype=4), torch.linear(x, self.w1, self.b1))\n";
        QVERIFY(opened(scratch_, {}, scattered)->check({}).ok);
        const auto untraced = opened(scratch_, under(Autocast::cpuBfloat16), scattered);
        const QString error = q(untraced->record()->error);
        QVERIFY2(error.startsWith(u"pass 'forward-traced' failed: scatter"_s), qPrintable(error));
        QVERIFY2(error.endsWith(eagers), qPrintable(error));
        const auto traced = opened(scratch_, under(Autocast::cpuBfloat16),
                                   returns + "torch.special_ndtri(torch.sigmoid(torch.linear(x, self.w1, self.b1)))\n");
        QCOMPARE(errorOf([&] { traced->check({}); }),
                 u"running the model failed: \"ndtri_cpu\" not implemented for 'BFloat16'"_s + eagers);
    }

    void anotherDevicesAutocastIsRefused() {
        QCOMPARE(errorOf([this] { opened(scratch_, under(Autocast::cudaFloat16)); }),
                 u"--autocast cuda:float16: the model runs on cpu; give --device cuda, or --autocast "
                 "cpu:bfloat16"_s);
    }
};

AOTSCOPE_TEST(TestAutocast)

}  // namespace aotscope::test::autocast_test

#include "test_autocast.moc"
