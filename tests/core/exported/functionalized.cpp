// Calls of operators that write to their arguments, made functional by PyTorch (auto_functionalized_v2).

#include "loaded_files.h"
#include "test_exported.h"

#include "session/session.h"
#include "support/op_histogram.h"
#include "support/reference_files.h"
#include "support/text.h"

#include <ATen/ops/ones.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

using Inputs = nlohmann::ordered_json;

const Inputs kWhole = {{"_x_base_index", {{"as_int", 0}}}};
const Inputs kFirstRow = {{"_x_base_index", {{"as_int", 0}}},
                          {"_x_slice_dim", {{"as_int", 0}}},
                          {"_x_slice_start", {{"as_int", 0}}},
                          {"_x_slice_end", {{"as_int", 1}}}};
const Inputs kSecondRow = {{"_x_base_index", {{"as_int", 0}}},
                           {"_x_size", {{"as_ints", {4}}}},
                           {"_x_stride", {{"as_ints", {1}}}},
                           {"_x_storage_offset", {{"as_int", 4}}}};

json call(const std::string& op, const Inputs& written, json results = json::array({{{"as_none", true}}}),
          const std::string& number = "by") {
    Inputs inputs = {{"#op", {{"as_operator", "torch.ops." + op}}}, {number, {{"as_float", 2.0}}}};
    inputs.update(written);
    inputs["_all_bases"] = {{"as_tensors", json::array({{{"name", "mul"}}})}};
    results.push_back(exportedTensor("changed"));
    return exportedNode("torch.ops.higher_order.auto_functionalized_v2", inputs, results);
}

/// x * w, which `call` writes to, is added to what it was before.
ExportedFile program(const json& call) {
    const json add = exportedNode("torch.ops.aten.add.Tensor",
                                  {{"self", exportedTensor("changed")}, {"other", exportedTensor("mul")}},
                                  json::array({exportedTensor("add")}));
    ExportedFile file = exportedProgram(json::array({mulNode(), call, add}), {"add"});
    file.edit(kModel, [](json& j) {
        auto& types = j["graph_module"]["graph"]["tensor_values"];
        for (const char* name : {"mul", "changed", "add", "result"}) types[name] = exportedTensorMeta({3, 4});
    });
    return file;
}

/// Each row of x * w is 1, 2, 3, 4.
double sumOf(const at::Tensor& result) { return result.sum().item<double>(); }

}  // namespace

void TestExported::functionalizedCalls() {
    const auto of = [this](Inputs written) {
        Inputs renamed;
        for (const auto& [name, value] : written.items()) renamed["_self" + name.substr(2)] = value;
        const json results = json::array({exportedTensor("result")});
        return sumOf(run(program(call("aten.mul_.Scalar", renamed, results, "other")), at::ones({3, 4})));
    };
    QCOMPARE(of(kWhole), 60.0 + 30.0);
    QCOMPARE(of(kFirstRow), 40.0 + 30.0);
    QCOMPARE(of(kSecondRow), 40.0 + 30.0);
}

/// A definition returns the new values of written arguments.
void TestExported::functionalizedCallsOfDefinedOperators() {
    LoadSettings settings;
    settings.definitions =
        scratch_.write(u"define.py"_s, "def writer__scale_(x: Tensor, by: float) -> Tensor:\n    return x * by\n")
            .toStdString();
    for (const auto& [written, sum] :
         {std::pair{kWhole, 90.0}, std::pair{kFirstRow, 70.0}, std::pair{kSecondRow, 70.0}})
        QCOMPARE(sumOf(run(program(call("writer.scale_.default", written)), at::ones({3, 4}), settings)), sum);
}

void TestExported::functionalizedCallsAreDifferentiated() {
    for (const Inputs& written : {kWhole, kFirstRow}) {
        Options options;
        options.model = write(program(call("trainer.scale_.default", written)));
        options.inputs = parseInputSpec(R"([{"shape":[3,4]}])", "spec");
        options.verify = true;
        options.definitions = scratch_
                                  .write(u"trained.py"_s,
                                         "def trainer__scale_(x: Tensor, by: float) -> Tensor:\n    return x * by\n\n"
                                         "def trainer__scale___backward(grad: Tensor, by: float) -> Tensor:\n"
                                         "    return grad * by\n")
                                  .toStdString();
        const auto session = Session::open(options, {});
        QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
        const auto result = session->check({});
        QVERIFY2(result.ok && result.backwardRun, result.details.empty() ? "" : result.details.front().c_str());
    }
}

void TestExported::functionalizedCallsOfUnknownOperators() {
    const auto session = Session::open({.model = write(program(call("stranger.scale_.default", kFirstRow))),
                                        .inputs = parseInputSpec(R"([{"shape":[3,4]}])", "spec")},
                                       {});
    QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
    const Histogram joint = histogram(*tracedJoint(*session->record()));
    QCOMPARE(joint.value(u"stranger.scale_.functional"_s), 1);
    QCOMPARE(joint.value(u"aten.slice_scatter.default"_s), 2);  // the second is of the gradient
    QVERIFY(q(session->whyNotExecutable()).contains(u"'stranger::scale_'"_s));
}

namespace {

/// A call of an operator that may write to x * w, in a program as it was written.
ExportedFile asWritten(const std::string& op, bool returns) {
    const json node = exportedNode("torch.ops." + op, {{"x", exportedTensor("mul")}, {"by", {{"as_float", 2.0}}}},
                                   returns ? json::array({exportedTensor("result")}) : json::array());
    ExportedFile file = exportedProgram(json::array({mulNode(), node}), {"mul"});
    file.edit(kModel, [](json& j) {
        j["verifiers"] = {"TRAINING"};
        auto& types = j["graph_module"]["graph"]["tensor_values"];
        for (const char* name : {"mul", "result"}) types[name] = exportedTensorMeta({3, 4});
    });
    return file;
}

}  // namespace

void TestExported::unknownWritesAreRefused_data() {
    columns<QString, bool, QString>("op", "returns", "message");
    QTest::newRow("nothing") << q("stranger.note.default") << false << q("returns nothing");
    QTest::newRow("name") << q("stranger.change_.default") << true << q("has a name that ends in '_'");
    QTest::newRow("none") << q("stranger.proj_out.default") << true << QString();
}
void TestExported::unknownWritesAreRefused() {
    FETCH(QString, op, message);
    QFETCH(bool, returns);
    const QString error = errorOf([&] { load(write(asWritten(op.toStdString(), returns))); });
    if (message.isEmpty()) QCOMPARE(error, QString());
    else QVERIFY2(error.contains(message) && error.contains("run_decompositions()"_L1), qPrintable(error));
}

void TestExported::definitionsOfCallsThatWrite() {
    LoadSettings settings;
    settings.definitions =
        scratch_.write(u"written.py"_s, "def plainwriter__scale_(x: Tensor, by: float) -> Tensor:\n    return x * by\n")
            .toStdString();
    const QString error = errorOf([&] { load(write(asWritten("plainwriter.scale_.default", false)), settings); });
    QVERIFY2(error.contains(u"run_decompositions()"_s), qPrintable(error));
}

void TestExported::damagedFunctionalizedCalls_data() {
    columns<QString, QString, QString>("name", "value", "message");
    const auto row = [](const char* name, const char* value, const char* message) {
        QTest::addRow("%s %s", name, value)
            << QString::fromUtf8(name) << QString::fromUtf8(value) << QString::fromUtf8(message);
    };
    row("", R"({"as_int":1})", "its operator is missing");
    row("", R"({"as_operator":"os.system"})", "'os.system' is not an operator");
    row("_all_bases", R"({"as_int":1})", "its tensors are not a list");
    row("_all_bases", R"({"as_ints":[1]})", "one of its tensors is not a tensor");
    row("_x_base_index", R"({"as_int":7})", "argument 'x' is a view of a tensor that it does not have");
    row("_x_base_index", R"({"as_int":-1})", "argument 'x' is a view of a tensor that it does not have");
    row("_x_slice_dim", R"({"as_int":9})", "along a dimension that its tensor does not have");
    row("_x_slice_end", R"({"as_string":"all"})", "a view whose sizes vary");
    row("_x_length", R"({"as_int":1099511627776})", "an element of argument 'x' is missing");
}
void TestExported::damagedFunctionalizedCalls() {
    FETCH(QString, name, value, message);
    json node = call("stranger.scale_.default", kFirstRow);
    bool found = false;
    for (json& input : node["inputs"])
        if (input["name"] == name.toStdString()) input["arg"] = json::parse(value.toStdString()), found = true;
    if (!found)
        node["inputs"].push_back(
            {{"name", name.toStdString()}, {"arg", json::parse(value.toStdString())}, {"kind", 1}});
    const QString error = loadError(program(node));
    QVERIFY2(error.contains(message), qPrintable(error));
}
