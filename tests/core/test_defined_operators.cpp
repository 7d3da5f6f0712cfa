// Operators that exported programs call and no library registers: opaque, and with definitions from a file (--define).

#include "core/called_operator.h"
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
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <torch/csrc/autograd/autograd.h>

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

}  // namespace

class TestDefinedOperators : public QObject {
    Q_OBJECT

    Scratch scratch_;

    Options optionsFor(const ExportedFile& file, const std::string& definitions = {}) {
        Options options{.model = file.write(scratch_.at(u"model.pt2"_s)).toStdString(),
                        .inputs = parseInputSpec(R"([{"shape": [3, 4]}])", "inputs")};
        if (!definitions.empty())
            options.definitions = scratch_.write(u"define.py"_s, QByteArray::fromStdString(definitions)).toStdString();
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
    void opaqueIsTracedAndPartitioned() {
        const auto session = Session::open(optionsFor(callOf("opaquelib")), {});
        const CompileRecord& record = *session->record();
        QVERIFY2(record.error.empty(), record.error.c_str());
        const Graph& joint = *tracedJoint(record);
        QCOMPARE(histogram(joint).value(u"opaquelib.twice.default"_s), 1);
        QVERIFY(std::any_of(record.fellBack.begin(), record.fellBack.end(), [](const std::string& w) {
            return w.find("operator 'opaquelib::twice' is unknown here") != std::string::npos;
        }));
        for (const Node* node : joint.nodes())
            if (node->isCall("opaquelib.twice.default"))
                QCOMPARE(node->type.tensor()->sizes, (std::vector<std::int64_t>{3, 4}));
    }

    void opaqueIsNotRun() {
        const auto session = Session::open(optionsFor(callOf("opaquelib")), {});
        QVERIFY(q(session->whyNotExecutable()).contains(u"'opaquelib::twice', which has no kernel here"_s));
        try {
            session->check({});
            QFAIL("it ran");
        } catch (const Error& e) {
            QVERIFY2(q(e.what()).contains(u"--define"_s), e.what());
        }
    }

    void opaqueTypesAreChecked() {
        const QString none = errorOf(optionsFor(callOf("opaquelib", "other")));
        QVERIFY2(none.contains(u"'opaquelib::twice' is unknown: one of its results is not a tensor"_s),
                 qPrintable(none));
        ExportedFile file = callOf("opaquelib");
        file.edit(kModel, [&](json& j) {
            j["graph_module"]["graph"]["tensor_values"]["twice"]["sizes"][0]["as_int"] = std::int64_t{1} << 62;
        });
        const QString error = errorOf(optionsFor(file));
        QVERIFY2(error.contains(u"impossible sizes or strides for 'twice'"_s), qPrintable(error));
        ExportedFile ranks = callOf("opaquelib");
        ranks.edit(kModel, [&](json& j) { j["graph_module"]["graph"]["tensor_values"]["twice"]["strides"].erase(0); });
        QVERIFY(!errorOf(optionsFor(ranks)).isEmpty());
    }

    /// A second file may call it differently.
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
        QVERIFY2(error.contains(u"operator 'aten::twice' is unknown; give the library"_s), qPrintable(error));
        const QString odd = errorOf(optionsFor(callOf("odd lib")));
        QVERIFY2(odd.contains(u"is not the name of an operator"_s), qPrintable(odd));
    }

    void definedRunsAndTrains() {
        const auto session = Session::open(optionsFor(callOf("deflib"), definitionText("deflib")), {});
        QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
        const Histogram joint = histogram(*tracedJoint(*session->record()));
        QCOMPARE(joint.value(u"deflib.twice.default"_s), 1);
        QCOMPARE(joint.value(u"aten.threshold_backward.default"_s), 1);
        QCOMPARE(joint.value(u"aten.mul.Tensor"_s),
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
        const auto row = columns<QString, QString>("text", "message");
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
            "the parameter 'y' of 'badlib__twice__backward' is not a parameter of the operator");
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
        FETCH(QString, text, message);
        const QString error = errorOf(optionsFor(callOf("badlib"), text.isEmpty() ? "\n" : text.toStdString()));
        QVERIFY2(!error.isEmpty() && error.contains(message) && !error.contains(u'\n'), qPrintable(error));
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
        QCOMPARE(where.value(u"aten.relu.default"_s), 0);
        QCOMPARE(where.value(u"aten.where.self"_s), 2);
        QVERIFY(!counts("relu__default(self: Tensor) -> Tensor:\n    return self * 2\n").second);
        const auto [itself, kept] = counts("relu(self: Tensor) -> Tensor:\n    return torch.relu(self + 0)\n");
        QVERIFY(kept && itself.value(u"aten.relu.default"_s) == 1);
        const auto [number, overload] =
            counts("mul__Tensor(self: Tensor, other: Tensor) -> Tensor:\n    return self / (1.0 / other)\n");
        QVERIFY(overload && number.value(u"aten.div.Tensor"_s) > 0);
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
        QVERIFY2(error.contains(u"it calls code in the default of 'factor'"_s), qPrintable(error));
    }

    void endlessDefinitionsEnd() {
        Options options = optionsFor(
            callOf("looplib"),
            "def looplib__twice(x: Tensor, factor: float) -> Tensor:\n    n = 0\n    while n >= 0:\n"
            "        n = n + 1\n    return x + n\n\ndef looplib__twice__fake(x: Tensor, factor: float) -> Tensor:\n"
            "    n = 0\n    while n >= 0:\n        n = n + 1\n    return x\n");
        options.limits.seconds = 0.5;
        const QString error = errorOf(options);
        QVERIFY2(error.contains(u"took more than 0.5 s"_s), qPrintable(error));
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

    /// The results of a definition differ from those in the file.
    void wrongShapes() {
        const auto session =
            Session::open(optionsFor(callOf("shapelib"),
                                     "def shapelib__twice(x: Tensor, factor: float) -> Tensor:\n    return x[0]\n"),
                          {});
        try {
            QVERIFY(!session->check({}).ok);
        } catch (const Error&) {
            // Or it fails completely.
        }
    }
};

AOTSCOPE_TEST(TestDefinedOperators)

}  // namespace aotscope::test::defined_operators_test

#include "test_defined_operators.moc"
