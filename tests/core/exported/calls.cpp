// Regions, assertions and arithmetic on numbers in exported programs.

#include "loaded_files.h"
#include "test_exported.h"

#include "load/model.h"
#include "ops/number_functions.h"
#include "session/session.h"
#include "support/text.h"

#include <ATen/ops/ones.h>

using namespace aotscope;
using namespace aotscope::test;
using nlohmann::json;

at::Tensor TestExported::run(const ExportedFile& file, const at::Tensor& x) {
    const Model model = load(write(file));
    std::vector<c10::IValue> state;
    for (const auto& tensor : model.program->state()) state.emplace_back(tensor.value);
    return model.program->call(state, {x}, nullptr).toTupleRef().elements()[0].toTensor();
}

void TestExported::regionsRunUnderTheirState() {
    const json body = {
        {"inputs", {exportedTensor("a"), exportedTensor("b")}},
        {"outputs", json::array({exportedTensor("inner")})},
        {"nodes", json::array({exportedNode("torch.ops.aten.mul.Tensor",
                                            {{"self", exportedTensor("a")}, {"other", exportedTensor("b")}},
                                            json::array({exportedTensor("inner")}))})},
        {"tensor_values", json::object()}};
    const json graph = {{"as_graph", {{"name", "submod"}, {"graph", body}}}};
    const auto region = [&](const std::string& name, nlohmann::ordered_json inputs) {
        inputs["#graph"] = graph;
        inputs["#x"] = exportedTensor("x");
        inputs["#w"] = exportedTensor("p_w");
        return exportedProgram(
            json::array({exportedNode("torch.ops.higher_order." + name, inputs, json::array({exportedTensor("out")}))}),
            {"out"});
    };
    const at::Tensor x = at::ones({3, 4});
    QVERIFY(!run(region("wrap_with_set_grad_enabled", {{"#0", {{"as_bool", false}}}}), x).requires_grad());
    QVERIFY(run(region("wrap_with_set_grad_enabled", {{"#0", {{"as_bool", true}}}}), x).requires_grad());
    QCOMPARE(run(region("wrap", nlohmann::ordered_json::object()), x).sum().item<double>(), 30.0);
    const QString error = loadError(region("flex_attention", nlohmann::ordered_json::object()));
    QVERIFY2(error.contains(QStringLiteral("the higher-order operator 'flex_attention' is not supported")),
             qPrintable(error));
}

/// An assertion on a tensor's values has no result. It is traced without running, and stays in the forward.
void TestExported::assertionsOnValuesStay() {
    const auto node = [](const std::string& target, nlohmann::ordered_json inputs, const char* result) {
        return exportedNode("torch.ops.aten." + target, inputs,
                            result ? json::array({exportedTensor(result)}) : json::array());
    };
    const auto asserted = [&](double limit) {
        return exportedProgram(
            json::array(
                {node("lt.Scalar", {{"self", exportedTensor("x")}, {"other", {{"as_float", limit}}}}, "lt"),
                 node("all.default", {{"self", exportedTensor("lt")}}, "all"),
                 node("_assert_async.msg",
                      {{"self", exportedTensor("all")}, {"assert_msg", {{"as_string", "x is small"}}}}, nullptr),
                 mulNode()}),
            {"mul"});
    };
    QVERIFY(errorOf([&] { run(asserted(1), at::ones({3, 4})); }).contains(QStringLiteral("x is small")));
    Options options;
    options.model = write(asserted(100));
    options.inputs = parseInputSpec(R"([{"shape": [3, 4]}])", "the test");
    options.verify = true;
    const auto session = Session::open(options, {});
    QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
    QVERIFY(session->record()->fallbacks.empty());
    QCOMPARE(opHistogram(*session->record()->graph(GraphKind::forward)).count("aten._assert_async.msg"),
             std::size_t(1));
    QCOMPARE(opHistogram(*session->record()->graph(GraphKind::backward)).count("aten._assert_async.msg"),
             std::size_t(0));
    QVERIFY(session->check({}).ok);
}

void TestExported::numbersAreComputed() {
    const json nodes = json::array(
        {exportedNode("torch.ops.aten.sym_size.int", {{"self", exportedTensor("x")}, {"dim", {{"as_int", 0}}}},
                      json::array({json::object({{"as_sym_int", {{"as_name", "n"}}}})})),
         exportedNode("_operator.floordiv", {{"a", {{"as_int", -7}}}, {"b", {{"as_sym_int", {{"as_name", "n"}}}}}},
                      json::array({json::object({{"as_sym_int", {{"as_name", "q"}}}})})),
         exportedNode("torch.ops.aten.add.Tensor",
                      {{"self", exportedTensor("x")}, {"other", {{"as_sym_int", {{"as_name", "q"}}}}}},
                      json::array({exportedTensor("sum")}))});
    QCOMPARE(run(exportedProgram(nodes, {"sum"}), at::ones({3, 4})).min().item<double>(), -2.0);
    QCOMPARE(run(exportedProgram(nodes, {"sum"}), at::ones({2, 4})).min().item<double>(), -3.0);
}

void TestExported::infinityIsANumber() {
    const json nodes = json::array({exportedNode(
        "torch.ops.aten.mul.Tensor", {{"self", exportedTensor("x")}, {"other", {{"as_float", "-Infinity"}}}},
        json::array({exportedTensor("y")}))});
    QCOMPARE(run(exportedProgram(nodes, {"y"}), at::ones({1})).item<double>(),
             -std::numeric_limits<double>::infinity());
}

void TestExported::arithmetic_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<double>("a");
    QTest::addColumn<double>("b");
    QTest::addColumn<double>("expected");
    QTest::newRow("floordiv") << "_operator.floordiv" << -7.0 << 2.0 << -4.0;
    QTest::newRow("mod") << "_operator.mod" << -7.0 << 3.0 << 2.0;
    QTest::newRow("pow") << "_operator.pow" << 3.0 << 4.0 << 81.0;
    QTest::newRow("truediv") << "_operator.truediv" << 7.0 << 2.0 << 3.5;
    QTest::newRow("max") << "torch.sym_max" << 7.0 << 2.0 << 7.0;
    QTest::newRow("min") << "torch.sym_min" << 7.0 << 2.0 << 2.0;
    QTest::newRow("rshift") << "_operator.rshift" << 9.0 << 1.0 << 4.0;
}
void TestExported::arithmetic() {
    QFETCH(QString, target);
    QFETCH(double, a);
    QFETCH(double, b);
    QFETCH(double, expected);
    const NumberFunction function = findNumberFunction(target.toStdString());
    QVERIFY(function);
    const c10::IValue result = function({static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)});
    QCOMPARE(result.toScalar().toDouble(), expected);
}

void TestExported::undefinedArithmetic() {
    const auto most = std::numeric_limits<std::int64_t>::max();
    QVERIFY(errorOf([&] { findNumberFunction("_operator.mul")({most, 2}); }).contains(QStringLiteral("larger")));
    QVERIFY(errorOf([] { findNumberFunction("_operator.floordiv")({1, 0}); }).contains(QStringLiteral("by zero")));
    QVERIFY(!findNumberFunction("_operator.getitem"));
}
