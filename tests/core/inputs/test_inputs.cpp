// Inputs that are described, blank, nested or wrong.

#include "test_inputs.h"

#include "program/inputs/describe_inputs.h"
#include "program/inputs/example_inputs.h"
#include "program/program.h"
#include "program/pytree.h"
#include "session/session.h"
#include "support/models.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/jit/api/module.h>

using namespace aotscope;
using namespace aotscope::test;

// --- described inputs ---

void TestInputs::describedInputs_data() {
    const auto row = columns<QString>("spec");
    row("plain", R"([{"shape":[2,3],"dtype":"float32"},{"shape":[],"dtype":"int64"},{"shape":[0,2],"dtype":"bool"}])");
    row("gradient", R"([{"shape":[2],"dtype":"float64","requires_grad":true}])");
    row("numbers and containers",
        R"({"values":[{"leaf":{"shape":[2],"dtype":"float32"}},{"leaf":{"shape":[3],"dtype":"float32"}}],"inputs":[)"
        R"({"int":3},{"float":0.5},{"bool":true},{"none":true},[{"tensor":0},[{"int":1}]],{"a":{"tensor":1},"b":[]}]})");
    row("strides and shared memory",
        R"({"values":[{"leaf":{"shape":[6],"dtype":"float32"}},{"op":"as_strided","of":0,"args":[[3,2],[1,3],0.0]},)"
        R"({"op":"as_strided","of":0,"args":[[2],[1],4.0]}],"inputs":[{"tensor":1},{"tensor":2}]})");
}
void TestInputs::describedInputs() {
    QFETCH(QString, spec);
    const InputSpec before = parseInputSpec(spec.toStdString(), "spec");
    const InputSpec described = describeInputs(makeInputs(before, {}, 0, kCpu, {}).values);
    QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(printInputSpec(described))),
             QJsonDocument::fromJson(spec.toUtf8()));
}

void TestInputs::blankInputsFitTheDeclarations() {
    const auto program = programOf(
        *moduleFrom(
            "def forward(self, x: Tensor, pair: Tuple[Tensor, float], many: List[Tensor], named: Dict[str, int],\n"
            "            maybe: Optional[Tensor], n: int, flag: bool, last: int = 3) -> Tensor:\n"
            "    return x"),
        ModuleMode::train);
    const InputSpec blank = blankInputs(*program);
    QCOMPARE(blank.inputs.size(), std::size_t{7});
    QCOMPARE(makeInputs(blank, program->inputs(), 0, kCpu, {}).values.size(), std::size_t{7});
}

// --- nested values ---

void TestInputs::nestedInputsTakeTheDeclaredTypes() {
    const auto module = moduleFrom(
        "def forward(self, x: Tensor, pair: Tuple[Tensor, float], many: List[Tensor], named: Dict[str, Tensor],\n"
        "            maybe: Optional[Tensor], n: int, p: float) -> Tensor:\n"
        "    return x + pair[0] * pair[1] + many[0] + named['a'] + n * p");
    const ModelRun modelRun =
        modelRunOf(module, R"({"values":[{"leaf":{"shape":[2],"fill":"ones"}}],"inputs":[{"tensor":0},
            [{"tensor":0},{"int":2}],[{"tensor":0},{"tensor":0}],{"a":{"tensor":0},"b":{"tensor":0}},{"none":true},{"int":3},{"int":4}]})");
    const std::vector<std::string> names = {"x",          "pair[0]",    "pair[1]", "many[0]", "many[1]",
                                            "named['a']", "named['b']", "maybe",   "n",       "p"};
    QCOMPARE(modelRun.function().leafNames(), names);
    const auto result = modelRun.function()(modelRun.arguments(true).leaves);
    QCOMPARE(result.leaves.at(0).toTensor()[0].item<double>(), 1 + 2 + 1 + 1 + 12.0);
}

void TestInputs::wrongInputs_data() {
    const auto row = columns<QString, QString>("inputs", "message");
    row("too few", R"([{"tensor":0}])",
        "the model takes 3 inputs (x, xs, n), the input spec gives 1; give one entry for each");
    row("too many", R"([{"tensor":0},[],{"int":1},{"int":1}])",
        "the model takes 3 inputs (x, xs, n), the input spec gives 4");
    row("number for a tensor", R"([{"int":1},[],{"int":1}])",
        "input 'x' of the model is of type Tensor, the input spec gives a Int");
    row("tensor for a list", R"([{"tensor":0},{"tensor":0},{"int":1}])",
        "input 'xs' of the model is of type List[Tensor]");
    row("number in a list", R"([{"tensor":0},[{"int":1}],{"int":1}])", "input 'xs' of the model is of type");
    row("tensor for a number", R"([{"tensor":0},[],{"tensor":0}])", "input 'n' of the model is of type int");
    row("none for a tensor", R"([{"none":true},[],{"int":1}])", "input 'x' of the model is of type Tensor");
}
void TestInputs::wrongInputs() {
    FETCH(QString, inputs, message);
    const auto module =
        moduleFrom("def forward(self, x: Tensor, xs: List[Tensor], n: int) -> Tensor:\n    return x + n");
    const QString error = errorOf(
        [&] { modelRunOf(module, R"({"values":[{"leaf":{"shape":[2]}}],"inputs":)" + inputs.toStdString() + "}"); });
    QVERIFY2(error.contains(message), qPrintable(error));
}

void TestInputs::placesInResults() {
    const at::Tensor t = at::ones({2});
    const auto placesOf = [](const c10::IValue& value) {
        std::vector<c10::IValue> leaves;
        return flatten(value, leaves, "a value").placeNames();
    };
    QCOMPARE(placesOf(t), std::vector<std::string>{"0"});
    const auto fields =
        c10::TupleType::createNamed(c10::QualifiedName("Output"), std::vector<std::string>{"logits", "states"},
                                    {c10::TensorType::get(), c10::ListType::ofTensors()});
    const c10::IValue named = c10::ivalue::Tuple::createNamed({t, c10::List<at::Tensor>({t, t})}, fields);
    QCOMPARE(placesOf(named), (std::vector<std::string>{"logits", "states.0", "states.1"}));
    // Keys from files: one line, cut off, and never those of another place.
    c10::impl::GenericDict dict(c10::StringType::get(), c10::TensorType::get());
    dict.insert("a.b", t);
    dict.insert("", t);
    dict.insert("x\ny", t);
    dict.insert(std::string(100'000, 'k'), t);
    QCOMPARE(placesOf(dict), (std::vector<std::string>{"'a.b'", "''", "x\\ny", "'" + std::string(100, 'k') + "...'"}));
    c10::IValue deep = t;
    for (int i = 0; i < 300; ++i) deep = c10::ivalue::Tuple::create({deep});
    QCOMPARE(placesOf(deep), std::vector<std::string>{""});
}

void TestInputs::flattenAndUnflatten() {
    const at::Tensor t = at::ones({2});
    c10::impl::GenericDict dict(c10::StringType::get(), c10::ListType::ofTensors());
    dict.insert("k", c10::List<at::Tensor>({t, t}));
    const c10::IValue value =
        c10::ivalue::Tuple::create({dict, c10::ivalue::Tuple::create({1, 2.5, c10::IValue()}), true, "text"});
    std::vector<c10::IValue> leaves;
    const Structure structure = flatten(value, leaves, "a value");
    const std::vector<std::string> names = {"v[0]['k'][0]", "v[0]['k'][1]", "v[1][0]", "v[1][1]",
                                            "v[1][2]",      "v[2]",         "v[3]"};
    QCOMPARE(structure.leafNames("v"), names);
    const std::vector<std::string> places = {"0.k.0", "0.k.1", "1.0", "1.1", "1.2", "2", "3"};
    QCOMPARE(structure.placeNames(), places);
    QCOMPARE(leaves.size(), names.size());
    std::size_t next = 0;
    const c10::IValue again = unflatten(structure, leaves, next);
    QCOMPARE(next, leaves.size());
    QVERIFY(*again.type() == *value.type());
    QVERIFY(again.toTupleRef().elements()[0].toGenericDict().at("k").toTensorVector()[1].is_same(t));

    leaves.clear();
    const QString error =
        errorOf([&] { flatten(moduleFrom("def f(self, x: int):\n    return x")->_ivalue(), leaves, "this"); });
    QVERIFY2(error.startsWith(u"this is of type '"_s), qPrintable(error));
}

AOTSCOPE_TEST(TestInputs)
#include "test_inputs.moc"
