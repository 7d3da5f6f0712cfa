// Devices: models for a GPU on a machine without one, and running out of memory. Checks that need the absence of a GPU
// are skipped if there is one.

#include "aten/full_precision.h"
#include "aten/torch_versions.h"
#include "compile/compiler.h"
#include "cost/known_machines.h"
#include "device/attention_choice.h"
#include "device/device.h"
#include "device/device_name.h"
#include "device/stand_in_properties.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/subgraphs.h"
#include "session/session.h"
#include "support/models.h"
#include "support/saved_model.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"
#include "verify/judge/reference_values.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>

#include <algorithm>
#include <set>

namespace aotscope::test::devices_test {
namespace {

using Values = std::vector<c10::IValue>;

bool haveGpu() { return deviceChoices().at(1).help.find("simulated") == std::string::npos; }

Options onCuda(const std::string& model) { return {.model = model, .device = "cuda:0", .verify = true}; }

/// The devices of all tensors of a graph.
std::set<std::string> devicesOf(const Graph& graph) {
    std::set<std::string> devices;
    const auto note = [&](const ValueType& type) {
        if (const TensorType* tensor = type.tensor()) devices.insert(tensor->device.name);
    };
    for (const Node* node : graph.nodes()) {
        if (node->kind() == NodeKind::output) continue;
        note(node->type);
        if (const auto* tuple = node->type.tuple())
            for (const ValueType& type : *tuple) note(type);
    }
    return devices;
}

std::set<std::string> opsOf(const Graph& graph) {
    std::set<std::string> ops;
    for (const Node* node : graph.nodes())
        if (node->kind() == NodeKind::call) ops.insert(node->op());
    return ops;
}

}  // namespace

class TestDevices : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepareDevice("cuda:0"); }

    void names() {
        QCOMPARE(q(deviceFromName("cpu")), u"cpu"_s);
        QCOMPARE(q(deviceFromName("cuda")), u"cuda:0"_s);
        QCOMPARE(q(deviceFromName("cuda:3")), u"cuda:3"_s);
        for (const char* name : {"", "gpu", "cuda:", "cuda:x", "cuda:1234", "cpu:0"})
            QVERIFY_EXCEPTION_THROWN(deviceFromName(name), UsageError);
        QCOMPARE(q(deviceChoices().front().name), u"cpu"_s);
        QCOMPARE(q(whyDeviceCannotRun("cpu")), QString());
        if (haveGpu()) QSKIP("there is a GPU");
        QVERIFY(q(errorOf([] { prepareDevice("cuda:1"); }).toStdString()).contains(u"only cuda:0"_s));
        QVERIFY(q(whyDeviceCannotRun("cuda:0")).contains(u"nothing can run on cuda:0 here: "_s));
    }

    // --- a simulated GPU ---

    /// A loaded model has the devices of its run in place of those that it names.
    void anotherDeviceLoadsTheModelAgain() {
        const Scratch scratch;
        Options options{.model = scratch.at(u"named.pt"_s).toStdString()};
        saveModel(
            "def forward(self, x: Tensor) -> Tensor:\n"
            "    return x * self.w + torch.ones([3], device=torch.device(\"cpu\"))",
            options.model);
        options.inputs = parseInputSpec(R"([{"shape":[3]}])", "spec");
        const auto onCpu = Session::open(options, {});
        options.device = "cuda:0";
        const auto record = Session::open(options, {}, onCpu)->record();
        QCOMPARE(q(record->error), QString());
        QCOMPARE(q(printGraph(*record->graph(GraphKind::joint))),
                 q(printGraph(*Session::open(options, {})->record()->graph(GraphKind::joint))));
    }

    void modelsForAGpu_data() {
        rowsOf("model", {"mlp", "resnet18", "gpt2-tiny", "gpt2", "bert-tiny", "aliasing", "mutations"});
    }
    void modelsForAGpu() {
        if (haveGpu()) QSKIP("there is a GPU");
        QFETCH(QString, model);
        const auto session = Session::open(onCuda("sample:" + model.toStdString()), {});
        const CompileRecord& record = *session->record();
        QCOMPARE(q(record.error), QString());
        for (const auto& [op, count] : record.fallbacks) QFAIL(("a kernel ran: " + op).c_str());
        for (const auto kind : {GraphKind::functional, GraphKind::joint, GraphKind::forward, GraphKind::backward}) {
            QVERIFY2(record.graph(kind), name(kind).data());
            QCOMPARE(devicesOf(*record.graph(kind)), std::set<std::string>{"cuda:0"});
        }
        for (const TensorType& tangent : record.metadata->tangents) QCOMPARE(q(tangent.device.name), u"cuda:0"_s);
        QVERIFY(record.partition);

        const QString why = q(session->whyNotExecutable());
        QVERIFY(why.contains(q(kStandInGpu)));
        QVERIFY(session->whyNotCompiled().empty());
        QCOMPARE(errorOf([&] { session->check({}); }), why);
        QCOMPARE(errorOf([&] { session->time({1}, {}); }), why);
        QCOMPARE(errorOf([&] { session->bisect({}); }), why);
        QCOMPARE(errorOf([&] { session->train({}, {}, nullptr); }), why);
        QVERIFY(std::ranges::count(warningsOf(record), why.toStdString()) > 0);
    }

    /// Subgraphs, constants, and values written to them are on it, too.
    void everythingIsOnTheGpu_data() {
        rowsOf("model", {"cond", "nested", "map", "scan", "whileloop", "whiledata", "associativescan", "whilewritten",
                         "whilerandom", "condinwhile", "autocast", "autocastcond", "vmap"});
    }
    void everythingIsOnTheGpu() {
        if (haveGpu()) QSKIP("there is a GPU");
        QFETCH(QString, model);
        const std::string folder = AOTSCOPE_SOURCE_DIR "/tests/data/higher_order/";
        const auto record = Session::open(onCuda(folder + model.toStdString() + ".pt2"), {})->record();
        QCOMPARE(q(record->error), QString());
        for (const auto kind : {GraphKind::functional, GraphKind::joint}) {
            QCOMPARE(devicesOf(*record->graph(kind)), std::set<std::string>{"cuda:0"});
            for (const auto& subgraph : subgraphsWithin(*record->graph(kind)))
                QCOMPARE(devicesOf(*subgraph), std::set<std::string>{"cuda:0"});
        }
    }

    /// Graphs that do not depend on the device equal those on the CPU.
    void sameGraphsAsOnTheCpu() {
        if (haveGpu()) QSKIP("there is a GPU");
        for (const char* model : {"sample:mlp", "sample:resnet18"}) {
            const auto cpu = Session::open({.model = model}, {}), gpu = Session::open(onCuda(model), {});
            QCOMPARE(opsOf(*gpu->record()->graph(GraphKind::joint)), opsOf(*cpu->record()->graph(GraphKind::joint)));
            QCOMPARE(gpu->record()->partition->savedUniqueBytes(), cpu->record()->partition->savedUniqueBytes());
        }
    }

    void attentionAndDropoutAreThoseOfAGpu() {
        if (haveGpu()) QSKIP("there is a GPU");
        const auto session = Session::open(onCuda("sample:gpt2-tiny"), {});
        const auto ops = opsOf(*session->record()->graph(GraphKind::joint));
        QVERIFY(ops.contains("aten.native_dropout.default"));
        QVERIFY(ops.contains("aten._scaled_dot_product_efficient_attention.default"));
        QVERIFY(ops.contains("aten._scaled_dot_product_efficient_attention_backward.default"));
        QVERIFY(!ops.contains("aten._scaled_dot_product_flash_attention_for_cpu.default"));
    }

    void halfPrecisionAttention_data() {
        const auto row = columns<int, QString>("head", "kernel");
        row("cuDNN", 64, "aten._scaled_dot_product_cudnn_attention");
        row("the largest head", 256,
            kCudnnAttentionIsRestricted ? u"aten._scaled_dot_product_flash_attention"_s
                                        : u"aten._scaled_dot_product_cudnn_attention"_s);
        row("flash, padded", 132, "aten._scaled_dot_product_flash_attention");
    }
    void halfPrecisionAttention() {
        if (haveGpu()) QSKIP("there is a GPU");
        QFETCH(int, head);
        QFETCH(QString, kernel);
        const std::string leaf =
            R"({"shape":[2,4,16,)" + std::to_string(head) + R"(],"dtype":"float16","requires_grad":true})";
        const Compiled compiled =
            compile(moduleFrom("def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:\n"
                               "    return torch.scaled_dot_product_attention(q, k, v, None, 0.0, True)"),
                    "[" + leaf + "," + leaf + "," + leaf + "]", {.device = "cuda:0"});
        QCOMPARE(q(compiled.record().error), QString());
        QVERIFY(compiled.record().fallbacks.empty());
        const auto ops = opsOf(*compiled.record().graph(GraphKind::joint));
        QVERIFY(ops.contains(kernel.toStdString() + ".default"));
        QVERIFY(ops.contains(kernel.toStdString() + "_backward.default"));
        QCOMPARE(devicesOf(*compiled.record().graph(GraphKind::joint)), std::set<std::string>{"cuda:0"});
    }

    void recurrentCellsOfAGpu_data() {
        const auto row = columns<QString, int, QString>("call", "gates", "kernel");
        row("LSTM", "torch.lstm_cell(x, [h, h], self.w, self.u, self.b, self.b)[0]", 4, "aten._thnn_fused_lstm_cell");
        row("GRU", "torch.gru_cell(x, h, self.w, self.u, self.b, self.b)", 3, "aten._thnn_fused_gru_cell");
    }
    void recurrentCellsOfAGpu() {
        if (haveGpu()) QSKIP("there is a GPU");
        FETCH(QString, call, kernel);
        QFETCH(int, gates);
        const std::int64_t rows = std::int64_t{5} * gates;
        const Options options{.device = "cuda:0"};
        const Compiled compiled =
            compile(moduleFrom("def forward(self, x: Tensor, h: Tensor) -> Tensor:\n    return " + call.toStdString(),
                               {ModuleBuilder::parameter("w", learned({rows, 3})),
                                ModuleBuilder::parameter("u", learned({rows, 5})),
                                ModuleBuilder::parameter("b", learned({rows}))}),
                    R"([{"shape":[2,3]},{"shape":[2,5],"requires_grad":true}])", options);
        QCOMPARE(q(compiled.record().error), QString());
        QVERIFY(compiled.record().fallbacks.empty());
        QVERIFY(opsOf(*compiled.record().graph(GraphKind::joint)).contains(kernel.toStdString() + ".default"));
        QCOMPARE(devicesOf(*compiled.record().graph(GraphKind::joint)), std::set<std::string>{"cuda:0"});
    }

    /// The value that log_sigmoid saves for its backward is empty there.
    void logSigmoidOfAGpu() {
        if (haveGpu()) QSKIP("there is a GPU");
        const Options options{.device = "cuda:0"};
        const Compiled compiled =
            compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return torch.log_sigmoid(x)"),
                    R"([{"shape":[2,3],"requires_grad":true}])", options);
        QCOMPARE(q(compiled.record().error), QString());
        QVERIFY(compiled.record().fallbacks.empty());
        QVERIFY(opsOf(*compiled.record().graph(GraphKind::joint)).contains("aten.log_sigmoid_backward.default"));
    }

    /// A written number becomes a tensor there, and so does a list of numbers.
    void numbersBecomeTensorsOfAGpu() {
        if (haveGpu()) QSKIP("there is a GPU");
        const Options options{.device = "cuda:0"};
        const Compiled compiled =
            compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n"
                               "    y = x.clone()\n"
                               "    y[:, 0] = 0\n"
                               "    return y + torch.as_tensor([1.0, 2.0, 3.0], device=x.device)"),
                    R"([{"shape":[2,3],"requires_grad":true}])", options);
        QCOMPARE(q(compiled.record().error), QString());
        QCOMPARE(devicesOf(*compiled.record().graph(GraphKind::joint)).contains("cuda:0"), true);
    }

    void sizesVaryOnAGpu() {
        if (haveGpu()) QSKIP("there is a GPU");
        Options options = onCuda("sample:mlp");
        options.dynamic = {{"x.0", 2, 64}};
        const auto session = Session::open(options, {});
        QCOMPARE(q(session->record()->error), QString());
        QCOMPARE(session->record()->symbols.size(), std::size_t(1));
        QCOMPARE(devicesOf(*session->record()->graph(GraphKind::joint)), std::set<std::string>{"cuda:0"});
    }

    /// A program that reads tensor data gets it from the CPU.
    void dataIsReadOnTheCpu() {
        if (haveGpu()) QSKIP("there is a GPU");
        const Options options{.device = "cuda:0"};
        const Compiled compiled =
            compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n"
                               "    y = x + torch.ones([3], device=torch.device(\"cpu\"))\n"
                               "    if bool(y.sum() > 0):\n        return y * 2\n    return y * 3"),
                    R"([{"shape":[2,3],"fill":"ones","requires_grad":true}])", options);
        QCOMPARE(q(compiled.record().error), QString());
        QVERIFY(!compiled.record().guards.empty());
    }

    void estimatesAreOfTheAssumedGpu() {
        if (haveGpu()) QSKIP("there is a GPU");
        QCOMPARE(q(machineModel("cuda:0").assumed), q(kStandInGpu));
        QVERIFY(!disturbanceNote(machineModel("cuda:0")).empty());
        QVERIFY(machineModel("cpu").assumed.empty());
        const auto joint = Session::open(onCuda("sample:resnet18"), {})->record()->graph(GraphKind::joint);
        double cpu = 0, gpu = 0;
        for (const Node* node : joint->nodes()) {
            cpu += estimatedMs(*node, machineModel("cpu"));
            gpu += estimatedMs(*node, machineModel("cuda:0"));
        }
        QVERIFY2(gpu > 0 && gpu < cpu, qPrintable(u"%1 ms, CPU %2 ms"_s.arg(gpu).arg(cpu)));
    }

    void theCpuStillWorks() {
        Options options;
        for (const char* model : {"sample:mlp", "sample:gpt2-tiny"}) {
            options.model = model;
            QVERIFY(Session::open(options, {})->check({}).ok);
        }
    }

    void attentionChoice_data() {
        columns<QString, int, double>("dtype", "head", "dropout");
        QTest::addColumn<QString>("how");  // mask, causal, unequal, train, column
        columns<int, int, int>("major", "minor", "expected");
        const auto row = [](const char* name, const char* dtype, int head, double dropout, const char* how, int major,
                            int minor, at::SDPBackend expected) {
            QTest::newRow(name) << QString::fromLatin1(dtype) << head << dropout << QString::fromLatin1(how) << major
                                << minor << static_cast<int>(expected);
        };
        constexpr auto math = at::SDPBackend::math, flash = at::SDPBackend::flash_attention,
                       efficient = at::SDPBackend::efficient_attention, cudnn = at::SDPBackend::cudnn_attention;
        row("H100, half", "half", 64, 0, "", 9, 0, cudnn);
        row("H100, dropout that cuDNN has", "half", 64, 0.125, "", 9, 0, cudnn);
        row("H100, dropout that it has not", "half", 64, 0.1, "", 9, 0, kCudnnAttentionIsRestricted ? flash : cudnn);
        row("H100, large heads", "half", 192, 0, "", 9, 0, kCudnnAttentionIsRestricted ? flash : cudnn);
        row("H100, mask", "half", 64, 0, "mask", 9, 0, cudnn);
        row("H100, mask and large heads", "half", 192, 0, "mask", 9, 0,
            kCudnnAttentionIsRestricted ? efficient : cudnn);
        row("B200, large heads", "half", 192, 0, "", 10, 0, flash);
        row("H100, single precision", "float", 64, 0, "", 9, 0, efficient);
        row("H100, single precision, odd heads", "float", 30, 0, "", 9, 0, math);
        row("H100, double precision", "double", 64, 0, "", 9, 0, math);
        row("H100, heads too large for flash", "half", 264, 0, "", 9, 0, efficient);
        row("A100, half", "half", 64, 0, "", 8, 0, flash);
        row("A100, heads in steps of four", "half", 68, 0, "", 8, 0, flash);
        row("A100, mask", "half", 64, 0, "mask", 8, 0, efficient);
        row("A100, causal", "half", 64, 0, "causal", 8, 0, flash);
        row("A100, causal, keys of another length", "half", 64, 0, "causal unequal", 8, 0, efficient);
        row("A100, columns", "half", 64, 0, "column", 8, 0, math);
        row("RTX 3090, training", "half", 200, 0, "train", 8, 6, efficient);
        row("RTX 3090, no training", "half", 200, 0, "", 8, 6, flash);
        row("RTX 3090, training without dropout", "half", 256, 0, "train", 8, 6, flash);
        row("RTX 3090, training with dropout", "half", 256, 0.5, "train", 8, 6, efficient);
        row("T4, half", "half", 64, 0, "", 7, 5, efficient);
        row("T4, single precision, odd heads", "float", 30, 0, "", 7, 5, efficient);
        row("K80", "float", 64, 0, "", 3, 7, math);
    }
    void attentionChoice() {
        FETCH(QString, dtype, how);
        FETCH(int, head, major, minor, expected);
        QFETCH(double, dropout);
        const auto type = dtype == "half"_L1 ? at::kHalf : dtype == "float"_L1 ? at::kFloat : at::kDouble;
        const auto make = [&](const std::vector<std::int64_t>& sizes) {
            at::Tensor t = at::empty(sizes, at::TensorOptions(type).device(at::kMeta));
            if (how.contains("column"_L1)) t = t.transpose(2, 3).contiguous().transpose(2, 3);
            return t.set_requires_grad(how.contains("train"_L1));
        };
        const std::int64_t keys = how.contains("unequal"_L1) ? 24 : 16;
        AttentionCall call{make({2, 4, 16, head}),
                           make({2, 4, keys, head}),
                           make({2, 4, keys, head}),
                           {},
                           dropout,
                           how.contains("causal"_L1),
                           false};
        if (how.contains("mask"_L1)) call.mask = make({16, keys});
        QCOMPARE(static_cast<int>(chooseAttention(call, {major, minor})), expected);
    }

    void groupedQueries() {
        const auto make = [](std::int64_t heads) {
            return at::empty({2, heads, 16, 64}, at::TensorOptions(at::kHalf).device(at::kMeta));
        };
        AttentionCall call{make(8), make(2), make(2), {}, 0, false, true};
        QVERIFY(chooseAttention(call, {8, 0}) == at::SDPBackend::flash_attention);
        call.groupedQuery = false;
        QVERIFY(chooseAttention(call, {8, 0}) == at::SDPBackend::math);
    }

    // --- memory ---

    void attentionLeavesSomeResultsUnset() {
        const auto graph = parseGraph(
            "graph g\n%q : f32[2, 4, 17, 16]cuda:0 = placeholder\n"
            "%e : (f32[2, 4, 17, 16]cuda:0, f32[2, 4, 32]cuda:0, i64[]cuda:0, i64[]cuda:0) = "
            "aten._scaled_dot_product_efficient_attention.default(%q, %q, %q, None, True)\n"
            "%value : f32[2, 4, 17, 16]cuda:0 = operator.getitem(%e, 0)\n"
            "%logarithms : f32[2, 4, 32]cuda:0 = operator.getitem(%e, 1)\n"
            "%seed : i64[]cuda:0 = operator.getitem(%e, 2)\nreturn [%value, %logarithms, %seed]");
        const auto unset = [&](const char* name) { return isMeaningless(*graph->findByName(name)); };
        QVERIFY(!unset("value"));
        QVERIFY(unset("logarithms"));
        QVERIFY(unset("seed"));
    }

    void checksMultiplyInFull() {
        const auto precision = [](at::Float32Op op) {
            return at::globalContext().float32Precision(at::Float32Backend::CUDA, op);
        };
        for (const at::Float32Op op : {at::Float32Op::CONV, at::Float32Op::RNN}) {
            const at::Float32Precision before = precision(op);
            auto outer = std::make_unique<FullPrecision>();
            const auto other = std::make_unique<FullPrecision>();  // of another thread, which ends later
            QVERIFY(precision(op) == at::Float32Precision::IEEE);
            outer.reset();
            QVERIFY(precision(op) == before);
        }
    }

    void outOfMemoryNamesLiveValues() {
        const Compiled compiled = compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n"
                                                     "    y = x.exp()\n    z = y.sin()\n"
                                                     "    return y.unsqueeze(1) * z.unsqueeze(0)",
                                                     {}),
                                          R"([{"shape":[8000000]}])");
        QCOMPARE(q(compiled.record().error), QString());
        const QString error = errorOf([&] { compiled.function()(compiled.modelRun.arguments(true).leaves); });
        QVERIFY2(error.startsWith(u"out of memory at aten::mul, which makes %mul"_s), qPrintable(error));
        QVERIFY2(error.contains(u"tried to allocate 256000000000000 bytes"_s), qPrintable(error));
        QVERIFY2(error.contains(u"32.0 MB"_s), qPrintable(error));
        QVERIFY2(error.endsWith(u"choose smaller inputs, or a lower memory budget"_s), qPrintable(error));
    }
};

AOTSCOPE_TEST(TestDevices)

}  // namespace aotscope::test::devices_test

#include "test_devices.moc"
