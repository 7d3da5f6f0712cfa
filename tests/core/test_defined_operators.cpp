// Operators that exported programs call and no library registers: opaque, with built-in definitions, and with those of
// a file (--define).

#include "ir/printer.h"
#include "load/model.h"
#include "load/torchscript/definitions.h"
#include "session/session.h"
#include "support/budget.h"
#include "support/exported_files.h"
#include "support/op_histogram.h"
#include "support/reference_files.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <torch/csrc/autograd/autograd.h>

#include <QtTest>

namespace aotscope::test::defined_operators_test {

using nlohmann::json;

namespace {

constexpr const char* kModel = "models/model.json";

/// sum(SPACE::twice(x * w, 2.0)) with the type of the call's result.
ExportedFile callOf(const std::string& space, const std::string& result = "twice") {
    const json mul =
        exportedNode("torch.ops.aten.mul.Tensor", {{"self", exportedTensor("x")}, {"other", exportedTensor("p_w")}},
                     json::array({exportedTensor("mul")}));
    const json twice = exportedNode("torch.ops." + space + ".twice.default",
                                    {{"x", exportedTensor("mul")}, {"factor", {{"as_float", 2.0}}}},
                                    json::array({exportedTensor("twice")}));
    const json relu = exportedNode("torch.ops.aten.relu.default", {{"self", exportedTensor("twice")}},
                                   json::array({exportedTensor("relu")}));
    ExportedFile file = exportedProgram(json::array({mul, twice, relu}), {"relu"});
    file.edit(kModel, [&](json& j) {
        auto& types = j["graph_module"]["graph"]["tensor_values"];
        types["mul"] = types[result] = exportedTensorMeta({3, 4});
    });
    return file;
}

std::string definitionText(const std::string& space, const std::string& body = "x * factor") {
    return "import torch\nfrom torch import Tensor\n\ndef " + space +
           "__twice(x: Tensor, factor: float) -> Tensor:\n    return " + body + "\n\ndef " + space +
           "__twice__backward(grad: Tensor, factor: float) -> Tensor:\n    return grad * factor\n";
}

c10::OperatorHandle op(const char* name) { return c10::Dispatcher::singleton().findSchemaOrThrow(name, ""); }

at::Tensor called(const char* name, std::vector<c10::IValue> arguments) {
    torch::jit::Stack stack(std::move(arguments));
    op(name).callBoxed(stack);
    return stack.at(0).toTensor();
}

}  // namespace

class TestDefinedOperators : public QObject {
    Q_OBJECT

    Scratch scratch_;

    Options optionsFor(const ExportedFile& file, const std::string& definitions = {}) {
        Options options;
        options.model = file.write(scratch_.at(QStringLiteral("model.pt2"))).toStdString();
        options.inputs = parseInputSpec(R"([{"shape": [3, 4]}])", "inputs");
        if (!definitions.empty())
            options.definitions =
                scratch_.write(QStringLiteral("define.py"), QByteArray::fromStdString(definitions)).toStdString();
        return options;
    }

    QString errorOf(const Options& options) {
        try {
            const auto session = Session::open(options, {});
            return q(session->record()->error);
        } catch (const std::exception& e) {
            return q(e.what());
        }
    }

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }

    void opaqueIsTracedAndPartitioned() {
        const auto session = Session::open(optionsFor(callOf("opaquelib")), {});
        const CompileRecord& record = *session->record();
        QVERIFY2(record.error.empty(), record.error.c_str());
        const Graph& joint = *tracedJoint(record);
        QCOMPARE(histogram(joint).value(QStringLiteral("opaquelib.twice.default")), 1);
        QVERIFY(std::any_of(record.fellBack.begin(), record.fellBack.end(), [](const std::string& w) {
            return w.find("operator 'opaquelib::twice' is unknown here") != std::string::npos;
        }));
        for (const Node* node : joint.nodes())
            if (node->isCall("opaquelib.twice.default"))
                QCOMPARE(node->type.tensor()->sizes, (std::vector<std::int64_t>{3, 4}));
    }

    void opaqueIsNotRun() {
        const auto session = Session::open(optionsFor(callOf("opaquelib")), {});
        QVERIFY(
            q(session->whyNotExecutable()).contains(QStringLiteral("'opaquelib::twice', which has no kernel here")));
        try {
            session->check({});
            QFAIL("it ran");
        } catch (const Error& e) {
            QVERIFY2(q(e.what()).contains(QStringLiteral("--define")), e.what());
        }
    }

    void opaqueTypesAreChecked() {
        const QString none = errorOf(optionsFor(callOf("opaquelib", "other")));
        QVERIFY2(none.contains(QStringLiteral("'opaquelib::twice' is unknown: a result of it is no tensor")),
                 qPrintable(none));
        ExportedFile file = callOf("opaquelib");
        file.edit(kModel, [&](json& j) {
            j["graph_module"]["graph"]["tensor_values"]["twice"]["sizes"][0]["as_int"] = std::int64_t{1} << 62;
        });
        const QString error = errorOf(optionsFor(file));
        QVERIFY2(error.contains(QStringLiteral("impossible sizes or strides for 'twice'")), qPrintable(error));
        ExportedFile ranks = callOf("opaquelib");
        ranks.edit(kModel, [&](json& j) { j["graph_module"]["graph"]["tensor_values"]["twice"]["strides"].erase(0); });
        QVERIFY(!errorOf(optionsFor(ranks)).isEmpty());
    }

    /// A second file may call it in another way.
    void otherSignatures() {
        QCOMPARE(errorOf(optionsFor(callOf("otherlib"))), QString());
        ExportedFile file = callOf("otherlib");
        file.edit(kModel, [](json& j) {
            auto& inputs = j["graph_module"]["graph"]["nodes"][1]["inputs"];
            inputs[1]["name"] = "by";
            inputs[1]["arg"] = {{"as_ints", {1, 2}}};
        });
        QCOMPARE(errorOf(optionsFor(file)), QString());
        QCOMPARE(errorOf(optionsFor(callOf("otherlib"))), QString());
    }

    void namesOfLibTorchStayItsOwn() {
        const QString error = errorOf(optionsFor(callOf("aten")));
        QVERIFY2(error.contains(QStringLiteral("operator 'aten::twice' is unknown; give the library")),
                 qPrintable(error));
        const QString odd = errorOf(optionsFor(callOf("odd lib")));
        QVERIFY2(odd.contains(QStringLiteral("is not the name of an operator")), qPrintable(odd));
    }

    void definedRunsAndTrains() {
        const auto session = Session::open(optionsFor(callOf("deflib"), definitionText("deflib")), {});
        QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
        const Histogram joint = histogram(*tracedJoint(*session->record()));
        QCOMPARE(joint.value(QStringLiteral("deflib.twice.default")), 1);
        QCOMPARE(joint.value(QStringLiteral("aten.threshold_backward.default")), 1);
        QCOMPARE(joint.value(QStringLiteral("aten.mul.Tensor")),
                 3);  // x * w, the operator's gradient, and that of x * w
        QVERIFY(session->check({}).ok);
        QVERIFY(session->record()->warnings.empty());
    }

    /// The window runs a model again after its definitions were edited.
    void editedDefinitions() {
        const auto first = Session::open(optionsFor(callOf("editlib"), definitionText("editlib")), {});
        QVERIFY(first->check({}).ok);
        const auto again = Session::open(optionsFor(callOf("editlib"), definitionText("editlib")), {}, first);
        QVERIFY(again->check({}).ok && first->check({}).ok);
        const auto edited =
            Session::open(optionsFor(callOf("editlib"), definitionText("editlib", "factor * x")), {}, first);
        QVERIFY(edited->check({}).ok);
        QVERIFY_THROWS_EXCEPTION(Error, first->check({}));
    }

    void refusedDefinitions_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const std::string& text, const char* message) {
            QTest::newRow(name) << q(text) << QString::fromUtf8(message);
        };
        const std::string head = "def badlib__twice(x: Tensor, factor: float) -> Tensor:\n    ";
        row("empty", "", "it defines no operator");
        row("no Python", "\x01\x02 not python", "cannot read the definitions in");
        row("reads files", head + "return torch.from_file('/etc/passwd', False, 3)\n", "aten::from_file");
        row("saves", head + "torch.save(x, '/tmp/never')\n    return x\n", "aten::save");
        row("by another name", head + "return torch.ops.aten.from_file('/etc/passwd', False, 3)\n", "aten::from_file");
        row("default runs code",
            "def badlib__twice(x: Tensor, factor: float = float(torch.ones(2).sum())) -> Tensor:\n    return x\n", "");
        row("class", "class A:\n    x: int\n", "only functions are allowed");
        row("statement", "x = 1\n", "something other than classes and functions");
        row("deep", head + "return " + std::string(5000, '(') + "x" + std::string(5000, ')') + "\n", "");
        row(
            "endless type",
            head + "return x\n\ndef f(x: " +
                [] {
                    std::string type = "int";
                    for (int i = 0; i < 60; ++i) type = "Tuple[" + type + ", " + type.substr(0, 20) + "]";
                    return type;
                }() +
                ") -> int:\n    return 1\n",
            "");
        row("writes into a view", head + "x.view(-1).add_(1)\n    return x * 2\n", "writes into a parameter");
        const std::string writer =
            "def inner(x: Tensor) -> Tensor:\n    return x.add_(1)\n\ndef outer(x: Tensor) -> "
            "Tensor:\n    return inner(x)\n\n";
        row("a helper's helper writes", writer + head + "return outer(x)\n", "writes into a parameter");
        row("number", "def badlib__twice(x: Tensor, factor: float) -> float:\n    return factor\n",
            "returns float; expected Tensor");
        row("lonely gradient", "def badlib__twice__backward(grad: Tensor) -> Tensor:\n    return grad\n",
            "but no function 'badlib__twice'");
        row("unknown parameter",
            head + "return x\n\ndef badlib__twice__backward(grad: Tensor, y: Tensor) -> Tensor:\n    return grad\n",
            "the parameter 'y' of 'badlib__twice__backward' is none of the operator");
        row("other parameters",
            head + "return x\n\ndef badlib__twice__fake(y: Tensor, factor: float) -> Tensor:\n    return y\n",
            "the parameters of 'badlib__twice__fake' differ");
        row("aten", "def aten__add(x: Tensor) -> Tensor:\n    return x\n",
            "which belongs to LibTorch or to a library that is loaded");
        row("aten's new", "def aten__nobody_has_it(x: Tensor) -> Tensor:\n    return x\n",
            "which belongs to LibTorch or to a library that is loaded");
        row("other parameters than aten's", "def aten__relu(x: Tensor) -> Tensor:\n    return x\n",
            "the parameters or results of 'aten__relu' are not those of aten::relu(Tensor self) -> Tensor");
        row("a view", "def aten__t(self: Tensor) -> Tensor:\n    return self.permute([1, 0])\n",
            "returns a view of its argument, or writes into it");
        row("a gradient of aten's",
            "def aten__relu(self: Tensor) -> Tensor:\n    return self\n\n"
            "def aten__relu__backward(grad: Tensor) -> Tensor:\n    return grad\n",
            "it defines 'aten__relu__backward'; shapes and gradients of a rule");
        row("unknown operator", head + "return torch.ops.nowhere.nothing(x)\n", "nowhere");
        row("recursion", head + "return badlib__twice(x, factor)\n", "");
        row("twice", head + "return x\n\n" + head + "return x\n", "twice");
        row("large", head + "return x\n" + std::string(2'000'000, '#'), "more than 1 MB");
    }
    void refusedDefinitions() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const QString error = errorOf(optionsFor(callOf("badlib"), text.isEmpty() ? "\n" : text.toStdString()));
        QVERIFY2(!error.isEmpty() && error.contains(message) && !error.contains(QLatin1Char('\n')), qPrintable(error));
    }

    /// A function for an operator of LibTorch's replaces its calls before they are differentiated. Eager runs the
    /// operator.
    void rulesForLibTorchsOperators() {
        const auto counts = [&](const std::string& rule) {
            const auto session =
                Session::open(optionsFor(callOf("rulelib"), definitionText("rulelib") + "\ndef aten__" + rule), {});
            return std::pair(histogram(*tracedJoint(*session->record())), session->check({}).ok);
        };
        const auto [where, equal] =
            counts("relu(self: Tensor) -> Tensor:\n    return torch.where(self > 0, self, 0.0)\n");
        QVERIFY(equal);
        QCOMPARE(where.value(QStringLiteral("aten.relu.default")), 0);
        QCOMPARE(where.value(QStringLiteral("aten.where.self")), 2);
        QVERIFY(!counts("relu__default(self: Tensor) -> Tensor:\n    return self * 2\n").second);
        const auto [itself, kept] = counts("relu(self: Tensor) -> Tensor:\n    return torch.relu(self + 0)\n");
        QVERIFY(kept && itself.value(QStringLiteral("aten.relu.default")) == 1);
        const auto [number, overload] =
            counts("mul__Tensor(self: Tensor, other: Tensor) -> Tensor:\n    return self / (1.0 / other)\n");
        QVERIFY(overload && number.value(QStringLiteral("aten.div.Tensor")) > 0);
    }

    void defaultArguments() {
        std::string text = definitionText("defaultlib");
        text.replace(text.find("factor: float)"), 14, "factor: float = -2.5, more: List[int] = [1, 2])");
        const auto session = Session::open(optionsFor(callOf("defaultlib"), text), {});
        QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
        QVERIFY(session->check({}).ok);
        QCOMPARE(called("defaultlib::twice", {at::full({2}, 3.0), 2.0, c10::List<int64_t>()}).sum().item<double>(),
                 12.0);
        text.replace(text.find("-2.5"), 4, "math.pi * 2");
        const QString error = errorOf(optionsFor(callOf("defaultlib"), text));
        QVERIFY2(error.contains(QStringLiteral("it calls code in the default of 'factor'")), qPrintable(error));
    }

    void endlessDefinitionsEnd() {
        Options options = optionsFor(
            callOf("looplib"),
            "def looplib__twice(x: Tensor, factor: float) -> Tensor:\n    n = 0\n    while n >= 0:\n"
            "        n = n + 1\n    return x + n\n\ndef looplib__twice__fake(x: Tensor, factor: float) -> Tensor:\n"
            "    n = 0\n    while n >= 0:\n        n = n + 1\n    return x\n");
        options.limits.seconds = 0.5;
        const QString error = errorOf(options);
        QVERIFY2(error.contains(QStringLiteral("took more than 0.5 s")), qPrintable(error));
    }

    /// A definition may return its argument; the operator may not.
    void resultsThatAreArguments() {
        const auto session =
            Session::open(optionsFor(callOf("samelib"), definitionText("samelib", "x.contiguous()")), {});
        QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
        QVERIFY(session->check({}).ok);
        const at::Tensor x = at::randn({2}).requires_grad_();
        const at::Tensor same = called("samelib::twice", {x, 3.0});
        QVERIFY(!same.is_alias_of(x) && x.is_leaf());
        QCOMPARE(torch::autograd::grad({same.sum()}, {x})[0][1].item<double>(), 3.0);
    }

    /// What a definition makes is not what the file says.
    void wrongShapes() {
        const auto session =
            Session::open(optionsFor(callOf("shapelib"),
                                     "def shapelib__twice(x: Tensor, factor: float) -> Tensor:\n    return x[0]\n"),
                          {});
        try {
            QVERIFY(!session->check({}).ok);
        } catch (const Error&) {
            // Or it fails as a whole.
        }
    }

    void groupedProducts() {
        builtInDefinitions();
        const at::Tensor rows = at::randn({5, 3}).requires_grad_(), weights = at::randn({3, 3, 2}).requires_grad_();
        const at::Tensor ends = at::tensor({2, 2, 4}, at::kInt);
        for (const auto& [name, defined] : builtInDefinitions()) define(name, defined.definition);
        const at::Tensor result = called("transformers::grouped_mm_fallback", {rows, weights, ends});
        QVERIFY(at::allclose(result.slice(0, 0, 2), at::mm(rows.slice(0, 0, 2), weights[0])));
        QVERIFY(at::allclose(result.slice(0, 2, 4), at::mm(rows.slice(0, 2, 4), weights[2])));
        QCOMPARE(result[4].abs().sum().item<double>(), 0.0);
        const at::Tensor seed = at::randn({5, 2});
        const auto found = torch::autograd::grad({result}, {rows, weights}, {seed});
        QVERIFY(at::allclose(found[0].slice(0, 2, 4), at::mm(seed.slice(0, 2, 4), weights[2].t())));
        QVERIFY(at::allclose(found[1][2], at::mm(rows.slice(0, 2, 4).t(), seed.slice(0, 2, 4))));
        QCOMPARE(found[1][1].abs().sum().item<double>(), 0.0);
    }

    /// Quantization with ranges that were measured, by operators of which several overloads have definitions.
    void quantizedOverloads() {
        const auto tensor = exportedTensor;
        const json least = {{"as_int", -128}}, most = {{"as_int", 127}}, int8 = {{"as_scalar_type", 2}};
        const std::string space = "torch.ops.quantized_decomposed.";
        const json choose = exportedNode(space + "choose_qparams.tensor",
                                         {{"input", tensor("x")},
                                          {"quant_min", least},
                                          {"quant_max", most},
                                          {"eps", {{"as_float", 1e-5}}},
                                          {"dtype", int8}},
                                         json::array({tensor("scale"), tensor("zero")}));
        const auto call = [&](const char* name, const char* input, const char* result) {
            return exportedNode(space + name,
                                {{"input", tensor(input)},
                                 {"scale", tensor("scale")},
                                 {"zero_point", tensor("zero")},
                                 {"quant_min", least},
                                 {"quant_max", most},
                                 {"dtype", int8}},
                                json::array({tensor(result)}));
        };
        ExportedFile file = exportedProgram(json::array({choose, call("quantize_per_tensor.tensor", "x", "q"),
                                                         call("dequantize_per_tensor.tensor", "q", "d")}),
                                            {"q", "d"});
        file.edit(kModel, [](json& j) {
            auto& types = j["graph_module"]["graph"]["tensor_values"];
            types["scale"] = types["zero"] = exportedTensorMeta({1});
            types["scale"]["dtype"] = 8;
            types["zero"]["dtype"] = 5;
            types["q"] = types["d"] = exportedTensorMeta({3, 4});
            types["q"]["dtype"] = 2;
        });
        const auto session = Session::open(optionsFor(file), {});
        QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
        const QString text = q(printGraph(*session->record()->graph(GraphKind::functional)));
        QVERIFY2(text.contains(QStringLiteral("quantized_decomposed.quantize_per_tensor.tensor(")) &&
                     text.contains(QStringLiteral("torch.int8")),
                 qPrintable(text));
        QVERIFY(session->check({}).ok);
    }

    void quantizedValues() {
        for (const auto& [name, defined] : builtInDefinitions()) define(name, defined.definition);
        const at::Tensor x = at::tensor({-100.0f, -0.26f, 0.1f, 0.76f});
        const at::Tensor steps = called("quantized_decomposed::quantize_per_tensor", {x, 0.5, 1, -128, 127, at::kChar});
        QVERIFY(at::equal(steps, at::tensor({-128, 0, 1, 3}, at::kChar)));
        const at::Tensor back =
            called("quantized_decomposed::dequantize_per_tensor", {steps, 0.5, 1, -128, 127, at::kChar, c10::IValue()});
        QVERIFY(at::equal(back, at::tensor({-64.5f, -0.5f, 0.0f, 1.0f})));
        const at::Tensor packed = at::tensor({0x18, 0xf0}, at::kByte).view({1, 2}), scales = at::tensor({2.0f});
        const at::Tensor row = called("quantized_decomposed::embedding_4bit",
                                      {packed, scales, c10::IValue(), -8, 7, at::tensor({0}, at::kLong)});
        QVERIFY(at::equal(row, at::tensor({-14.0f, 0.0f, 14.0f, -16.0f}).view({1, 4})));
        const at::Tensor leaf = at::tensor({-100.0f, 0.3f}).requires_grad_();
        const at::Tensor fake = called("quantized_decomposed::fake_quant_per_channel",
                                       {leaf, at::tensor({0.5f, 0.25f}), at::tensor({0, 0}, at::kInt), 0, -8, 7});
        QVERIFY(at::equal(torch::autograd::grad({fake.sum()}, {leaf})[0], at::tensor({0.0f, 1.0f})));
    }

    void quantizedProducts() {
        for (const auto& [name, defined] : builtInDefinitions()) define(name, defined.definition);
        const at::Tensor x = at::tensor({1.0f, 2.0f}).view({1, 2}), scales = at::tensor({0.5f, 2.0f});
        const at::Tensor weight = at::tensor({1, 2, 3, 4}, at::kChar).view({2, 2});
        const c10::IValue none;
        QVERIFY(at::equal(called("quantized_decomposed::mixed_mm", {x, weight, scales, none}),
                          at::tensor({12.5f, 17.0f}).view({1, 2})));
        QVERIFY(at::equal(called("quantized_decomposed::mixed_linear", {x, weight, scales, none, none}),
                          at::tensor({2.5f, 22.0f}).view({1, 2})));
        const at::Tensor groups = at::tensor({1.0f, 0.5f, 2.0f, 1.0f}).view({2, 2});
        QVERIFY(at::equal(called("quantized_decomposed::mixed_linear", {x, weight, groups, none, at::kDouble}),
                          at::tensor({3.0, 14.0}).view({1, 2})));
    }

    void scalesOfBlocks() {
        for (const auto& [name, defined] : builtInDefinitions()) define(name, defined.definition);
        const at::Tensor x = at::tensor({-51.0f, 2.0f, 25.5f, 0.0f}).view({1, 4});
        const c10::List<int64_t> halves({1, 2});
        const c10::IValue none;
        const auto chosen = [&](const char* mapping, bool keep) {
            return called("torchao::choose_qparams_affine",
                          {x, mapping, halves, at::kChar, none, none, none, none, none, keep});
        };
        QVERIFY(at::equal(chosen("SYMMETRIC", false), at::tensor({0.4f, 0.2f}).view({1, 2})));
        QVERIFY(
            at::equal(chosen("SYMMETRIC_NO_CLIPPING_ERR", true), at::tensor({51.0f / 128, 25.5f / 127}).view({1, 2})));
        QVERIFY(at::equal(chosen("ASYMMETRIC", false), at::tensor({53.0f / 255, 0.1f}).view({1, 2})));
        const at::Tensor scale =
            called("torchao::choose_scale_float8", {x, halves, at::kFloat8_e4m3fn, at::kFloat, none, none});
        QVERIFY(at::equal(scale, at::tensor({51.0f / 448, 25.5f / 448}).view({1, 2})));
    }

    void boxesThatAreKept() {
        for (const auto& [name, defined] : builtInDefinitions()) define(name, defined.definition);
        const at::Tensor boxes =
            at::tensor({0.0, 0.0, 10.0, 10.0, 1.0, 1.0, 10.0, 10.0, 20.0, 20.0, 30.0, 30.0, 0.0, 0.0, 10.0, 5.0})
                .reshape({4, 4});
        const at::Tensor scores = at::tensor({0.8, 0.9, 0.1, 0.7});
        const at::Tensor kept = called("torchvision::nms", {boxes, scores, 0.5});
        QCOMPARE(kept.numel(), 3);  // the first overlaps the second by 81 of 100
        QCOMPARE(kept[0].item<int64_t>(), 1);
        QCOMPARE(kept[1].item<int64_t>(), 3);
        QCOMPARE(kept[2].item<int64_t>(), 2);
        QCOMPARE(called("torchvision::nms", {at::empty({0, 4}), at::empty({0}), 0.5}).numel(), 0);
    }

    /// How many boxes are kept is data: the graphs are those of the example, and guards say so.
    void sizesThatAreData() {
        const json sum =
            exportedNode("torch.ops.aten.sum.dim_IntList", {{"self", exportedTensor("x")}, {"dim", {{"as_ints", {1}}}}},
                         json::array({exportedTensor("sum")}));
        const json kept = exportedNode(
            "torch.ops.torchvision.nms.default",
            {{"dets", exportedTensor("x")}, {"scores", exportedTensor("sum")}, {"iou_threshold", {{"as_float", 0.5}}}},
            json::array({exportedTensor("nms")}));
        const json chosen =
            exportedNode("torch.ops.aten.index_select.default",
                         {{"self", exportedTensor("x")}, {"dim", {{"as_int", 0}}}, {"index", exportedTensor("nms")}},
                         json::array({exportedTensor("chosen")}));
        const json mul = exportedNode("torch.ops.aten.mul.Tensor",
                                      {{"self", exportedTensor("chosen")}, {"other", exportedTensor("p_w")}},
                                      json::array({exportedTensor("mul")}));
        ExportedFile file = exportedProgram(json::array({sum, kept, chosen, mul}), {"mul"});
        file.edit(kModel, [](json& j) {
            auto& types = j["graph_module"]["graph"]["tensor_values"];
            types["sum"] = exportedTensorMeta({3});
            types["nms"] = exportedTensorMeta({1});
            types["nms"]["dtype"] = 5;
            types["nms"]["sizes"][0] = {{"as_expr", {{"expr_str", "u0"}, {"hint", nullptr}}}};
        });
        const auto session = Session::open(optionsFor(file), {});
        QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
        QCOMPARE(histogram(*tracedJoint(*session->record())).value(QStringLiteral("torchvision.nms.default")), 1);
        QVERIFY(session->check({}).ok);
    }

    /// Bilinear samples of a plane are exact.
    void alignedRegions() {
        for (const auto& [name, defined] : builtInDefinitions()) define(name, defined.definition);
        const at::Tensor rows = at::arange(12, at::kDouble).reshape({12, 1}), columns = at::arange(16, at::kDouble);
        const at::Tensor picture = (rows * 2 + columns).expand({1, 2, 12, 16}).contiguous().requires_grad_();
        const at::Tensor region = at::tensor({0.0, 4.0, 2.0, 12.0, 10.0}, at::kDouble).reshape({1, 5});
        for (const std::int64_t ratio : {2, 0}) {
            const at::Tensor result = called("torchvision::roi_align", {picture, region, 1.0, 4, 2, ratio, true});
            QCOMPARE(result.sizes().vec(), (std::vector<std::int64_t>{1, 2, 4, 2}));
            for (int y = 0; y < 4; ++y)
                for (int x = 0; x < 2; ++x) {
                    const double expected = 2 * (2 - 0.5 + 2 * y + 1) + 4 - 0.5 + 4 * x + 2;
                    QVERIFY(std::abs(result[0][1][y][x].item<double>() - expected) < 1e-9);
                }
            const auto gradient = torch::autograd::grad({result.sum()}, {picture});
            QVERIFY(std::abs(gradient[0].sum().item<double>() - 16) < 1e-9);
        }
        const at::Tensor outside = at::tensor({0.0, -30.0, -30.0, -20.0, -20.0}, at::kDouble).reshape({1, 5});
        QCOMPARE(called("torchvision::roi_align", {picture, outside, 1.0, 2, 2, 2, false}).abs().sum().item<double>(),
                 0.0);
    }

    void gradientOfRegions() {
        for (const auto& [name, defined] : builtInDefinitions()) define(name, defined.definition);
        const at::Tensor picture = at::rand({2, 1, 6, 5}, at::kDouble).requires_grad_();
        const at::Tensor regions =
            at::tensor({0.0, 0.3, 0.2, 3.1, 4.9, 1.0, -2.0, 1.0, 4.7, 7.5}, at::kDouble).reshape({2, 5});
        const auto run = [&](const at::Tensor& p) {
            return called("torchvision::roi_align", {p, regions, 0.9, 3, 2, 2, false});
        };
        const at::Tensor result = run(picture), seed = at::rand(result.sizes(), at::kDouble);
        const at::Tensor gradient = torch::autograd::grad({result}, {picture}, {seed})[0];
        const at::Tensor direction = at::rand(picture.sizes(), at::kDouble), base = picture.detach();
        const double step = 1e-3;
        const double numeric =
            ((run(base + direction * step) - run(base - direction * step)) * seed).sum().item<double>() / (2 * step);
        QVERIFY(std::abs(numeric - (gradient * direction).sum().item<double>()) < 1e-8);
    }
};

AOTSCOPE_TEST(TestDefinedOperators)

}  // namespace aotscope::test::defined_operators_test

#include "test_defined_operators.moc"
