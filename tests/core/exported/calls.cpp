// Regions, assertions and arithmetic on numbers in exported programs.

#include "loaded_files.h"
#include "test_exported.h"

#include "load/model.h"
#include "ops/number_functions.h"
#include "passes/pipeline.h"
#include "session/session.h"
#include "support/text.h"
#include "verify/model_run.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

#include <algorithm>

using namespace aotscope;
using namespace aotscope::test;
using nlohmann::json;

at::Tensor TestExported::run(const ExportedFile& file, const at::Tensor& x, const LoadSettings& settings) {
    const Model model = load(write(file), settings);
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
    QVERIFY2(error.contains(u"the higher-order operator 'flex_attention' is not supported"_s), qPrintable(error));
}

/// Autocast applies to tensors on one type of device. Those of a program from a GPU are on the CPU here.
void TestExported::autocastIsForItsDevice_data() {
    const auto row = columns<QString, QString, bool>("tensors", "regions", "effect");
    row("the CPU's", "cpu", "cpu", true);
    row("another's", "cpu", "cuda", false);
    row("one that is unknown here", "cpu", "gadget", false);
    row("the GPU's, which is missing", "cuda", "cuda", true);
    row("the CPU's, where nothing was", "cuda", "cpu", false);
}
void TestExported::autocastIsForItsDevice() {
    FETCH(QString, tensors, regions);
    QFETCH(bool, effect);
    const auto matmul =
        exportedNode("torch.ops.aten.matmul.default", {{"self", exportedTensor("a")}, {"other", exportedTensor("b")}},
                     json::array({exportedTensor("inner")}));
    const json body = {{"inputs", {exportedTensor("a"), exportedTensor("b")}},
                       {"outputs", json::array({exportedTensor("inner")})},
                       {"nodes", json::array({matmul})},
                       {"tensor_values", json::object()}};
    ExportedFile file =
        exportedProgram(json::array({exportedNode("torch.ops.higher_order.wrap_with_autocast",
                                                  {{"#0", {{"as_string", regions.toStdString()}}},
                                                   {"#1", {{"as_scalar_type", 13}}},
                                                   {"#2", {{"as_bool", true}}},
                                                   {"#3", {{"as_bool", false}}},
                                                   {"#graph", {{"as_graph", {{"name", "submod"}, {"graph", body}}}}},
                                                   {"#x", exportedTensor("x")},
                                                   {"#w", exportedTensor("p_w")}},
                                                  json::array({exportedTensor("out")}))}),
                        {"out"});
    for (auto& [name, content] : file.records) {
        QString text = QString::fromLatin1(content.data(), static_cast<qsizetype>(content.size()));
        if (name.ends_with(".json"))
            content = text.replace(u"\"type\":\"cpu\""_s, u"\"type\":\"%1\""_s.arg(tensors)).toStdString();
    }
    QCOMPARE(run(file, at::ones({3, 4})).scalar_type(), effect ? at::kBFloat16 : at::kFloat);
    const auto& warnings = load(write(file)).warnings;
    const std::string warning = "the program was exported for device 'cuda'; it runs on the CPU here";
    QCOMPARE(std::ranges::count(warnings, warning), tensors == u"cuda"_s ? 1 : 0);
}

/// Regions with activation checkpointing are numbered as they run, and their operations are recomputed.
void TestExported::checkpointedRegions() {
    const auto node = [](const char* op, const nlohmann::ordered_json& inputs, const char* result) {
        return exportedNode(std::string("torch.ops.aten.") + op, inputs, json::array({exportedTensor(result)}));
    };
    const json body = {
        {"inputs", {exportedTensor("a"), exportedTensor("b")}},
        {"outputs", json::array({exportedTensor("inner")})},
        {"nodes",
         json::array({node("sigmoid.default", {{"self", exportedTensor("a")}}, "s"),
                      node("mul.Tensor", {{"self", exportedTensor("s")}, {"other", exportedTensor("b")}}, "inner")})},
        {"tensor_values", json::object()}};
    const auto region = [&](const char* from, const char* to) {
        return exportedNode("torch.ops.higher_order.tag_activation_checkpoint",
                            {{"#graph", {{"as_graph", {{"name", "body"}, {"graph", body}}}}},
                             {"#x", exportedTensor(from)},
                             {"#w", exportedTensor("p_w")}},
                            json::array({exportedTensor(to)}));
    };
    Options options;
    options.model =
        write(exportedProgram(json::array({region("x", "first"), region("first", "second"),
                                           node("sin.default", {{"self", exportedTensor("second")}}, "out")}),
                              {"out"}));
    options.inputs = parseInputSpec(R"([{"shape":[3,4]}])", "spec");
    const auto session = Session::open(options, {});
    const CompileRecord& record = *session->record();
    QVERIFY2(record.error.empty(), record.error.c_str());
    QStringList tags, again;
    for (const Node* call : record.graph(GraphKind::joint)->nodes())
        if (call->kind() == NodeKind::call && call->stage == Stage::forward && !call->isCall("aten.detach.default"))
            tags << q(call->name()) + u" %1"_s.arg(call->checkpoint.region);
    QCOMPARE(tags, QStringList({u"sigmoid 0"_s, u"mul 0"_s, u"sigmoid_1 1"_s, u"mul_1 1"_s, u"sin -1"_s}));
    for (const RecomputedValue& value : record.partition->recomputed) again << q(value.name);
    again.sort();
    QCOMPARE(again, QStringList({u"mul_1"_s, u"sigmoid"_s, u"sigmoid_1"_s}));
    const auto border = std::ranges::find(record.partition->saved, "mul", &SavedValue::name);
    QVERIFY(border != record.partition->saved.end());
    QCOMPARE(q(border->reason), u"cannot recompute: border between two checkpointed regions"_s);
    QVERIFY(std::ranges::any_of(record.warnings, [](const std::string& text) {
        return text.find("a policy that saves some of them is not in the file") != std::string::npos;
    }));
    QVERIFY(session->check({}).ok);
}

/// An assertion on a tensor's values has no result. It is traced without running, and stays in the forward.
void TestExported::assertionsOnValuesStay() {
    const auto node = [](const std::string& target, const nlohmann::ordered_json& inputs, const char* result) {
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
    QVERIFY(errorOf([&] { run(asserted(1), at::ones({3, 4})); }).contains(u"x is small"_s));
    Options options{
        .model = write(asserted(100)), .inputs = parseInputSpec(R"([{"shape": [3, 4]}])", "the test"), .verify = true};
    const auto session = Session::open(options, {});
    QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
    QVERIFY(session->record()->fallbacks.empty());
    QCOMPARE(opHistogram(*session->record()->graph(GraphKind::forward)).count("aten._assert_async.msg"),
             std::size_t(1));
    QCOMPARE(opHistogram(*session->record()->graph(GraphKind::backward)).count("aten._assert_async.msg"),
             std::size_t(0));
    QVERIFY(session->check({}).ok);
    for (const char* compiler : {"interpreter", "torchscript", "fused"}) {
        options.compilers.forward = compiler;
        const ModelRun modelRun(load(options.model), options);
        const auto compiled = compileFunction(modelRun.function(), options, {}, {}).function;
        std::vector<c10::IValue> leaves = modelRun.arguments(/*ownState=*/true).leaves;
        leaves.back() = at::full({3, 4}, 1000);
        const QString error = errorOf([&] { compiled->run(leaves, {}); });
        QVERIFY2(error.contains(u"x is small"_s), compiler);
    }
}

/// A draw whose numbers nothing uses determines the following ones.
void TestExported::drawsThatNothingUsesAreMade() {
    const auto node = [](const std::string& target, const nlohmann::ordered_json& inputs, const char* result) {
        return exportedNode("torch.ops.aten." + target, inputs, json::array({exportedTensor(result)}));
    };
    Options options;
    options.model = write(exportedProgram(
        json::array({node("bernoulli.p", {{"self", exportedTensor("x")}, {"p", {{"as_float", 0.5}}}}, "unused"),
                     node("bernoulli.p", {{"self", exportedTensor("x")}, {"p", {{"as_float", 0.5}}}}, "drawn"),
                     node("mul.Tensor", {{"self", exportedTensor("drawn")}, {"other", exportedTensor("p_w")}}, "mul")}),
        {"mul"}));
    options.inputs = parseInputSpec(R"([{"shape": [3, 4]}])", "the test");
    for (const char* compiler : {"interpreter", "torchscript", "fused"}) {
        options.compilers.forward = compiler;
        QVERIFY2(Session::open(options, {})->check({}).ok, compiler);
    }
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
    columns<QString, double, double, double>("target", "a", "b", "expected");
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
    FETCH(double, a, b, expected);
    const NumberFunction function = findNumberFunction(target.toStdString());
    QVERIFY(function);
    const c10::IValue result = function({static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)});
    QCOMPARE(result.toScalar().toDouble(), expected);
}

void TestExported::undefinedArithmetic() {
    const auto most = std::numeric_limits<std::int64_t>::max();
    QVERIFY(errorOf([&] { findNumberFunction("_operator.mul")({most, 2}); }).contains(u"larger"_s));
    QVERIFY(errorOf([] { findNumberFunction("_operator.floordiv")({1, 0}); }).contains(u"by zero"_s));
    QVERIFY(!findNumberFunction("_operator.getitem"));
}

namespace {

json positional(const std::string& target, const std::vector<json>& values, const json& outputs) {
    nlohmann::ordered_json inputs = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < values.size(); ++i) inputs["#" + std::to_string(i)] = values[i];
    return exportedNode("torch._functorch.predispatch." + target, inputs, outputs);
}

json number(std::int64_t value) { return {{"as_int", value}}; }
json word(const std::string& value) { return {{"as_string", value}}; }
const json kNothing = json::array({json::object({{"as_none", true}})});

std::vector<json> enterVmap(std::int64_t size, const std::string& randomness = "error") {
    return {positional("lazy_load_decompositions", {}, kNothing),
            positional("_vmap_increment_nesting", {number(size), word(randomness)}, kNothing)};
}
json leaveVmap() { return positional("_vmap_decrement_nesting", {}, kNothing); }
json hide(const std::string& name, std::int64_t dimension, const std::string& result, int level = 1) {
    return positional("_add_batch_dim", {exportedTensor(name), number(dimension), number(level)},
                      json::array({exportedTensor(result)}));
}
json shown(const std::string& name, std::int64_t size, std::int64_t dimension, const std::string& result) {
    return positional("_remove_batch_dim", {exportedTensor(name), number(1), number(size), number(dimension)},
                      json::array({exportedTensor(result)}));
}
json aten(const std::string& target, const nlohmann::ordered_json& inputs, const std::string& result) {
    return exportedNode("torch.ops.aten." + target, inputs, json::array({exportedTensor(result)}));
}

ExportedFile vmapProgram(std::vector<json> nodes, const std::vector<json>& more, const std::string& output) {
    nodes.insert(nodes.end(), more.begin(), more.end());
    return exportedProgram(nodes, {output});
}

}  // namespace

/// sum over i of x[:, i] * w, for each row of x.
void TestExported::vmapRunsOnAllOfTheBatch() {
    const at::Tensor x = at::arange(12, at::kFloat).reshape({3, 4});
    const ExportedFile rows = vmapProgram(
        enterVmap(3),
        {hide("x", 0, "row"),
         aten("mul.Tensor", {{"self", exportedTensor("row")}, {"other", exportedTensor("p_w")}}, "mul"),
         aten("sum.default", {{"self", exportedTensor("mul")}}, "sum"), shown("sum", 3, 0, "all"), leaveVmap()},
        "all");
    const at::Tensor result = run(rows, x);
    QCOMPARE(result.sizes().vec(), std::vector<std::int64_t>{3});
    QCOMPARE(result[1].item<double>(), 4.0 + 10 + 18 + 28);

    const auto session =
        Session::open({.model = write(rows), .inputs = parseInputSpec(R"([{"shape": [3, 4]}])", "inputs")}, {});
    QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
    QVERIFY(session->check({}).ok);
}

/// As in associative_scan: empty for an empty input.
void TestExported::vmapOfNothing() {
    ExportedFile file =
        vmapProgram(enterVmap(0),
                    {hide("none", 0, "row"),
                     aten("mul.Tensor", {{"self", exportedTensor("row")}, {"other", exportedTensor("p_w")}}, "mul"),
                     shown("mul", 0, 0, "all"), leaveVmap()},
                    "all");
    file.edit(kModel, [](json& j) {
        json& graph = j["graph_module"]["graph"];
        graph["nodes"].insert(graph["nodes"].begin(), aten("slice.Tensor",
                                                           {{"self", exportedTensor("x")},
                                                            {"dim", {{"as_int", 0}}},
                                                            {"start", {{"as_int", 3}}},
                                                            {"end", {{"as_int", 3}}}},
                                                           "none"));
    });
    QCOMPARE(run(file, at::ones({3, 4})).sizes().vec(), (std::vector<std::int64_t>{0, 4}));
}

/// A result that is equal for the whole batch is repeated; dimensions may be anywhere.
void TestExported::vmapMovesAndRepeats() {
    const at::Tensor x = at::arange(12, at::kFloat).reshape({3, 4});
    const at::Tensor columns =
        run(vmapProgram(enterVmap(4),
                        {hide("x", -1, "column"), aten("neg.default", {{"self", exportedTensor("column")}}, "neg"),
                         shown("neg", 4, 1, "all"), leaveVmap()},
                        "all"),
            x);
    QVERIFY(columns.equal(-x));
    const at::Tensor repeated =
        run(vmapProgram(enterVmap(3),
                        {hide("x", 0, "row"), aten("neg.default", {{"self", exportedTensor("p_w")}}, "neg"),
                         shown("neg", 3, 1, "all"), leaveVmap()},
                        "all"),
            x);
    QCOMPARE(repeated.sizes().vec(), (std::vector<std::int64_t>{4, 3}));
}

void TestExported::vmapInVmap() {
    const at::Tensor x = at::arange(12, at::kFloat).reshape({3, 4});
    std::vector<json> nodes = enterVmap(3);
    nodes.push_back(hide("x", 0, "row"));
    for (const json& node : enterVmap(4)) nodes.push_back(node);
    const ExportedFile file = vmapProgram(
        nodes,
        {hide("row", 0, "element", 2), hide("p_w", 0, "weight", 2),
         aten("mul.Tensor", {{"self", exportedTensor("element")}, {"other", exportedTensor("weight")}}, "mul"),
         shown("mul", 4, 0, "inner"), leaveVmap(), shown("inner", 3, 0, "all"), leaveVmap()},
        "all");
    QVERIFY(run(file, x).equal(x * at::arange(1, 5)));
}

void TestExported::refusedVmaps_data() {
    columns<QString, QString>("text", "message");
    const json neg = aten("neg.default", {{"self", exportedTensor("row")}}, "neg");
    const auto row = [](const char* name, const ExportedFile& file, const char* message) {
        QTest::newRow(name) << q(file.records.at(kModel)) << QString::fromUtf8(message);
    };
    row("open", vmapProgram(enterVmap(3), {hide("x", 0, "row"), neg}, "neg"), "does not end");
    row("outside", vmapProgram({}, {hide("x", 0, "row")}, "row"), "outside the vmap");
    row("left twice", vmapProgram(enterVmap(3), {leaveVmap(), leaveVmap()}, "x"), "outside the vmap");
    row("used after", vmapProgram(enterVmap(3), {hide("x", 0, "row"), neg, leaveVmap()}, "neg"), "not defined before");
    row("dimension", vmapProgram(enterVmap(3), {hide("x", 7, "row"), shown("row", 3, 0, "all"), leaveVmap()}, "all"),
        "dimension 7 of a tensor with 2 dimensions");
    row("size", vmapProgram(enterVmap(-1), {hide("x", 0, "row"), shown("row", 3, 0, "all"), leaveVmap()}, "all"),
        "size -1, expected 0 or more");
    row("other size",
        vmapProgram(enterVmap(9), {hide("x", 0, "row"), neg, shown("neg", 9, 0, "all"), leaveVmap()}, "all"), "");
    row("randomness", vmapProgram(enterVmap(3, "none"), {leaveVmap()}, "x"), "randomness of a vmap is 'none'");
    row("no arguments", vmapProgram({positional("_vmap_increment_nesting", {}, kNothing)}, {leaveVmap()}, "x"),
        "it takes 2 arguments, the exported program gives 0");
    row("kinds",
        vmapProgram({positional("_vmap_increment_nesting", {word("3"), number(3)}, kNothing)}, {leaveVmap()}, "x"), "");
    row("jvp", vmapProgram({positional("_jvp_increment_nesting", {}, kNothing)}, {}, "x"),
        "derivative in forward mode");
    std::vector<json> deep;
    for (int i = 0; i < 100; ++i) deep.push_back(enterVmap(2)[1]);
    for (int i = 0; i < 100; ++i) deep.push_back(leaveVmap());
    row("deep", vmapProgram(deep, {}, "x"), "nested more deeply");
}
void TestExported::refusedVmaps() {
    FETCH(QString, text, message);
    ExportedFile file = product();
    file.records[kModel] = text.toStdString();
    QString error;
    try {
        run(file, at::ones({3, 4}));
        if (message.isEmpty()) return;
    } catch (const std::exception& e) {
        error = q(e.what());
    }
    QVERIFY2(!error.isEmpty() && error.contains(message), qPrintable(error));
    QCOMPARE(run(product(), at::ones({3, 4})).sum().item<double>(), 30.0);  // nothing is left of it
}
