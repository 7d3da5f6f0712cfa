// Files of torch.export: reading them, running them, and refusing broken ones.

#include "load/exported_program.h"
#include "load/model.h"
#include "ops/number_functions.h"
#include "passes/pipeline.h"
#include "session/session.h"
#include "support/child.h"
#include "support/exported_files.h"
#include "support/scratch.h"
#include "support/text.h"
#include "verify/workload.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <QtTest>

#include <random>

using namespace aotscope;
using namespace aotscope::test;
using nlohmann::json;

namespace {

constexpr const char* kModel = "models/model.json";
constexpr const char* kWeights = "data/weights/model_weights_config.json";

Model load(const std::string& path, const LoadSettings& settings = {}) {
    return loadModel(path, ModuleMode::train, settings);
}

json mulNode() {
    return exportedNode("torch.ops.aten.mul.Tensor", {{"self", exportedTensor("x")}, {"other", exportedTensor("p_w")}},
                        json::array({exportedTensor("mul")}));
}

ExportedFile product() { return exportedProgram(json::array({mulNode()}), {"mul"}); }

}  // namespace

class TestExported : public QObject {
    Q_OBJECT

    Scratch scratch_;

    std::string write(const ExportedFile& file, const char* name = "file.pt2") {
        return file.write(scratch_.at(QLatin1String(name))).toStdString();
    }
    at::Tensor run(const ExportedFile& file, const at::Tensor& x) {
        const Model model = load(write(file));
        std::vector<c10::IValue> state;
        for (const auto& tensor : model.program->state()) state.emplace_back(tensor.value);
        return model.program->call(state, {x}, nullptr).toTupleRef().elements()[0].toTensor();
    }
    QString loadError(const ExportedFile& file) {
        const std::string path = write(file);
        const QString error = errorOf([&] { load(path); });
        const QString prefix = QStringLiteral("cannot open '%1': ").arg(q(path));
        return error.startsWith(prefix) ? error.mid(prefix.size()) : QStringLiteral("without its path: ") + error;
    }

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }

    // --- what is in a file ---

    void stateAndInputs() {
        const Model model = load(exportedPath("one_of_everything"));
        QCOMPARE(q(model.kind), QStringLiteral("exported program"));
        QStringList state;
        for (const auto& tensor : model.program->state())
            state << q(tensor.name) + (tensor.role == Role::parameter ? QStringLiteral(" p") : QStringLiteral(" b")) +
                         (tensor.value.requires_grad() ? QStringLiteral(" g") : QString());
        QCOMPARE(state, QStringList({QStringLiteral("tied p g"), QStringLiteral("lin.bias p g"),
                                     QStringLiteral("bn.weight p g"), QStringLiteral("bn.bias p g"),
                                     QStringLiteral("scale b"), QStringLiteral("bn.running_mean b"),
                                     QStringLiteral("bn.running_var b"), QStringLiteral("bn.num_batches_tracked b")}));
        QCOMPARE(model.recordedInputs.size(), std::size_t(2));
        QVERIFY(model.recordedInputs[1].isGenericDict());
        QStringList names;
        for (const auto& input : model.program->inputs()) names << q(input.name);
        QCOMPARE(names, QStringList({QStringLiteral("x"), QStringLiteral("opts")}));
    }

    void dynamicDimensions() {
        const Model model = load(exportedPath("dynamic_batch"));
        QCOMPARE(model.dynamicDimensions.size(), std::size_t(1));
        const DynamicDimension& only = model.dynamicDimensions[0];
        QCOMPARE(q(only.symbol), QStringLiteral("s77"));
        QCOMPARE(only.leaf, std::size_t(0));
        QCOMPARE(only.dimension, std::int64_t(0));
        QCOMPARE(only.min, std::int64_t(2));
        QCOMPARE(only.max, std::int64_t(1024));
    }

    void tiedWeightsAreOneTensor() {
        const Model model = load(exportedPath("tied_weights"));
        QCOMPARE(model.program->state().size(), std::size_t(1));
        QCOMPARE(q(model.program->state()[0].name), QStringLiteral("e.weight"));
    }

    void containersComeBack() {
        const Model model = load(exportedPath("pytree"));
        const Workload workload(model, {});
        const auto result = workload.function()(workload.arguments(true).leaves);
        QCOMPARE(result.leaves.size(), std::size_t(6));
        QCOMPARE(result.structure.leafNames("out"),
                 std::vector<std::string>({"out['sum']", "out['parts'][0]", "out['parts'][1][0]", "out['parts'][1][1]",
                                           "out['none']", "out['k']"}));
        QVERIFY(result.leaves[4].isNone());
        QCOMPARE(result.leaves[5].toInt(), std::int64_t(3));
        QCOMPARE(workload.function().leafNames(), std::vector<std::string>({"w", "d['a']", "d['b']", "t[0]", "t[1]"}));
    }

    void provenanceAndSource() {
        const Model model = load(exportedPath("one_of_everything"));
        const Graph& source = *model.program->source();
        const Node* linear = source.findByName("linear");
        QVERIFY(linear && linear->source);
        QCOMPARE(q(linear->op()), QStringLiteral("aten.linear.default"));
        QCOMPARE(q(linear->source->module), QStringLiteral("lin"));
        QCOMPARE(q(linear->source->moduleType), QStringLiteral("Linear"));
        QCOMPARE(linear->source->line, 10);
        QCOMPARE(q(linear->source->text), QStringLiteral("h = F.dropout(F.relu(s.bn(s.lin(x))), 0.25, s.training)"));
        QVERIFY2(source.findByName("abs_1"), "the region without gradients stands in line");
    }

    /// torch.tensor(0.) in the source is not an input of the graphs.
    void literalsAreConstants() {
        const Model model = load(exportedPath("inplace_on_clone"));
        QCOMPARE(model.program->state().size(), std::size_t(1));
        const Node* literal = model.program->source()->findByName("c_lifted_tensor_0");
        QVERIFY(literal && literal->kind() == NodeKind::constant);
    }
    /// Constants that the program mutates, and those without values, are inputs.
    void otherConstantsAreInputs() {
        const std::string target = "torch.ops.aten.lift_fresh_copy.default";
        auto file = ExportedFile::read(exportedPath("inplace_on_clone"));
        file.edit(kModel, [&](json& model) {
            for (auto& node : model["graph_module"]["graph"]["nodes"])
                if (node["target"] == target) node["target"] = "torch.ops.aten.alias.default";
        });
        QCOMPARE(load(write(file)).program->state().size(), std::size_t(2));
        file = ExportedFile::read(exportedPath("inplace_on_clone"));
        file.records.at("data/constants/tensor_0").clear();
        QCOMPARE(load(write(file)).program->state().size(), std::size_t(2));
    }

    /// A program that returns its mutated buffers runs like the original module.
    void batchNormUpdatesItsStatistics() {
        Options options;
        options.model = exportedPath("functional_batch_norm");
        const auto record = Session::open(options, {})->record();
        QVERIFY2(record->error.empty(), record->error.c_str());
        std::map<std::string, int> ops = opHistogram(*record->graph(GraphKind::joint));
        QCOMPARE(ops["aten._native_batch_norm_legit_functional.default"], 1);
        QCOMPARE(ops["aten.native_batch_norm_backward.default"], 1);
        QCOMPARE(ops["aten.clone.default"], 0);
        QStringList mutated;
        for (const auto& input : record->metadata->inputs)
            if (input.mutatesData) mutated << q(input.name);
        QCOMPARE(mutated, QStringList({QStringLiteral("bn.running_mean"), QStringLiteral("bn.running_var"),
                                       QStringLiteral("bn.num_batches_tracked")}));
    }

    void missingBackwardIsReported() {
        const Model model = load(exportedPath("custom_autograd"));
        QCOMPARE(model.warnings.size(), std::size_t(1));
        QVERIFY2(q(model.warnings[0]).contains(QStringLiteral("(SquareFn.apply at ")), model.warnings[0].c_str());
        QVERIFY(load(exportedPath("dynamic_batch")).warnings.empty());
    }

    void checkedAgainstEager_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"pytree", "tied_weights", "mut_nograd", "dynamic_batch", "custom_autograd",
                                 "inplace_on_clone", "functional_batch_norm", "functional_mutation"})
            QTest::newRow(name) << name;
    }
    void checkedAgainstEager() {
        QFETCH(QString, name);
        Options options;
        options.model = exportedPath(name.toStdString());
        options.verify = true;
        const auto session = Session::open(options, {});
        QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
        QVERIFY(session->check({}).ok);
    }

    // --- weights ---

    void missingInputsAreSuggested() {
        const std::string path = write(product());
        try {
            const Workload workload(load(path), {});
            QFAIL("inputs came from nowhere");
        } catch (const InputsNeeded& e) {
            const auto& leaf = std::get<LeafSpec>(e.suggestion.values.at(0));
            QCOMPARE(leaf.shape, std::vector<std::int64_t>({3, 4}));
        }
    }

    void fileIsNeverChanged() {
        const std::string path = write(product());
        const QByteArray before = contentOf(q(path));
        {
            const Model model = load(path);
            const at::NoGradGuard noGrad;
            at::Tensor w = model.program->state()[0].value;
            QCOMPARE(w.sum().item<double>(), 10.0);
            w.zero_();
        }
        QCOMPARE(contentOf(q(path)), before);
    }

    void missingWeightsAreRandomAndTheSame() {
        ExportedFile file = product();
        file.records["data/weights/weight_0"].clear();
        file.edit(kWeights, [](json& j) {
            j["config"]["w"]["tensor_meta"]["sizes"] =
                json::array({json::object({{"as_int", 2}}), json::object({{"as_int", 2}})});
            j["config"]["w"]["tensor_meta"]["strides"] =
                json::array({json::object({{"as_int", 2}}), json::object({{"as_int", 1}})});
        });
        const std::string path = write(file);
        const Model model = load(path);
        QCOMPARE(model.warnings.size(), std::size_t(1));
        QVERIFY2(q(model.warnings[0]).contains(QStringLiteral("the file has no weights: random values")),
                 model.warnings[0].c_str());
        const at::Tensor w = model.program->state()[0].value;
        QVERIFY(w.requires_grad());
        QVERIFY(w.count_nonzero().item<int64_t>() == 0);
        model.program->materializeState();
        QVERIFY(w.count_nonzero().item<int64_t>() == 4);
        const Model again = load(path);
        again.program->materializeState();
        QVERIFY(at::allclose(again.program->state()[0].value, w));
    }

    void givenWeightsReplaceThoseOfTheFile() {
        c10::Dict<std::string, at::Tensor> dict;
        dict.insert("w", at::ones({4}) * 7);
        const auto bytes = torch::jit::pickle_save(dict);
        const QString good =
            scratch_.write(QStringLiteral("good.pt"), {bytes.data(), static_cast<qsizetype>(bytes.size())});
        const std::string path = write(product());
        const Model model = load(path, {good.toStdString(), ""});
        QCOMPARE(model.program->state()[0].value.sum().item<double>(), 28.0);
        QVERIFY(model.program->state()[0].value.requires_grad());

        c10::Dict<std::string, at::Tensor> other;
        other.insert("v", at::ones({4}));
        const auto wrong = torch::jit::pickle_save(other);
        const QString bad =
            scratch_.write(QStringLiteral("bad.pt"), {wrong.data(), static_cast<qsizetype>(wrong.size())});
        const QString error = errorOf([&] { load(path, {bad.toStdString(), ""}); });
        QVERIFY2(error.contains(QStringLiteral("the given weights do not fit the model: w is missing (float32 [4])")),
                 qPrintable(error));
    }

    // --- running ---

    void regionsRunUnderTheirState() {
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
            return exportedProgram(json::array({exportedNode("torch.ops.higher_order." + name, inputs,
                                                             json::array({exportedTensor("out")}))}),
                                   {"out"});
        };
        const at::Tensor x = at::ones({3, 4});
        QVERIFY(!run(region("wrap_with_set_grad_enabled", {{"#0", {{"as_bool", false}}}}), x).requires_grad());
        QVERIFY(run(region("wrap_with_set_grad_enabled", {{"#0", {{"as_bool", true}}}}), x).requires_grad());
        QCOMPARE(run(region("wrap", nlohmann::ordered_json::object()), x).sum().item<double>(), 30.0);
        const QString error = loadError(region("scan", nlohmann::ordered_json::object()));
        QVERIFY2(error.contains(QStringLiteral("the higher-order operator 'scan' has no straight-line form")),
                 qPrintable(error));
    }

    /// An assertion on a tensor's values has no result. It is traced without running, and stays in the forward.
    void assertionsOnValuesStay() {
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

    void numbersAreComputed() {
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

    void infinityIsANumber() {
        const json nodes = json::array({exportedNode(
            "torch.ops.aten.mul.Tensor", {{"self", exportedTensor("x")}, {"other", {{"as_float", "-Infinity"}}}},
            json::array({exportedTensor("y")}))});
        QCOMPARE(run(exportedProgram(nodes, {"y"}), at::ones({1})).item<double>(),
                 -std::numeric_limits<double>::infinity());
    }

    void arithmetic_data() {
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
    void arithmetic() {
        QFETCH(QString, target);
        QFETCH(double, a);
        QFETCH(double, b);
        QFETCH(double, expected);
        const NumberFunction function = findNumberFunction(target.toStdString());
        QVERIFY(function);
        const c10::IValue result = function({static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)});
        QCOMPARE(result.toScalar().toDouble(), expected);
    }

    void undefinedArithmetic() {
        const auto most = std::numeric_limits<std::int64_t>::max();
        QVERIFY(errorOf([&] { findNumberFunction("_operator.mul")({most, 2}); }).contains(QStringLiteral("larger")));
        QVERIFY(errorOf([] { findNumberFunction("_operator.floordiv")({1, 0}); }).contains(QStringLiteral("by zero")));
        QVERIFY(!findNumberFunction("_operator.getitem"));
    }

    // --- broken and hostile files ---

    void refused_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("message");
        for (const auto& [what, message] : {
                 std::pair("major", "its schema has version 9.20 (torch ), version 8.x is expected"),
                 std::pair("operator", "operator 'mylib::twice' is unknown; give the library"),
                 std::pair("argument", "argument 'other': a list is given where Tensor is expected"),
                 std::pair("unknown name", "argument 'other': it uses 'nothing', which is made nowhere before"),
                 std::pair("twice", "'mul' is made twice"),
                 std::pair("custom object", "the custom object 'obj' of class 'my.Class', which exists in Python only"),
                 std::pair("too large", "tensor 'w' needs 400 bytes, its record 'data/weights/weight_0' has 16"),
                 std::pair("overflow", "tensor 'w' has impossible sizes or strides"),
                 std::pair("dtype", "the number of a supported dtype is expected, found 99"),
                 std::pair("no weights", "tensor 'w' is missing"),
                 std::pair("format", "its archive_format is 'pt3', 'pt2' is expected"),
                 std::pair("byteorder", "its byteorder is 'big', 'little' is expected"),
                 std::pair("wrong type", "graph_module.graph.nodes: a list is expected, found 3"),
                 std::pair("no JSON", "is not JSON"),
                 std::pair("deep", "nests its values more than 100 levels deep"),
             })
            QTest::newRow(what) << what << message;
    }
    void refused() {
        QFETCH(QString, what);
        QFETCH(QString, message);
        ExportedFile file = product();
        const auto weight = [&](const char* key, const json& value) {
            file.edit(kWeights, [&](json& j) { j["config"]["w"]["tensor_meta"][key] = value; });
        };
        const auto node = [&](auto&& change) {
            file.edit(kModel, [&](json& j) { change(j["graph_module"]["graph"]["nodes"]); });
        };
        if (what == QLatin1String("major")) file.edit(kModel, [](json& j) { j["schema_version"]["major"] = 9; });
        if (what == QLatin1String("operator")) node([](json& n) { n[0]["target"] = "torch.ops.mylib.twice.default"; });
        if (what == QLatin1String("argument")) node([](json& n) { n[0]["inputs"][1]["arg"] = {{"as_ints", {1, 2}}}; });
        if (what == QLatin1String("unknown name"))
            node([](json& n) { n[0]["inputs"][1]["arg"] = exportedTensor("nothing"); });
        if (what == QLatin1String("twice")) node([](json& n) { n.push_back(n[0]); });
        if (what == QLatin1String("custom object"))
            node([](json& n) {
                n[0]["inputs"][1]["arg"] = {{"as_custom_obj", {{"name", "obj"}, {"class_fqn", "my.Class"}}}};
            });
        if (what == QLatin1String("too large")) weight("sizes", json::array({json::object({{"as_int", 100}})}));
        if (what == QLatin1String("overflow")) {
            weight("sizes", json::array({json::object({{"as_int", std::int64_t{1} << 62}})}));
            weight("strides", json::array({json::object({{"as_int", std::int64_t{1} << 62}})}));
        }
        if (what == QLatin1String("dtype")) weight("dtype", 99);
        if (what == QLatin1String("no weights")) file.records.erase(kWeights);
        if (what == QLatin1String("format")) file.records["archive_format"] = "pt3";
        if (what == QLatin1String("byteorder")) file.records["byteorder"] = "big";
        if (what == QLatin1String("wrong type")) node([](json& n) { n = 3; });
        if (what == QLatin1String("no JSON")) file.records[kModel] = "{\"graph_module\": ";
        if (what == QLatin1String("deep")) file.records[kModel] = std::string(100000, '[') + std::string(100000, ']');
        const QString error = loadError(file);
        QVERIFY2(error.contains(message) && !error.contains(QLatin1Char('\n')), qPrintable(error));
    }

    void severalModels() {
        ExportedFile file = product();
        for (const char* name : {"first", "second"})
            for (const std::string record : {"models/model.json", "data/weights/model_weights_config.json",
                                             "data/constants/model_constants_config.json"}) {
                std::string renamed = record;
                renamed.replace(renamed.rfind("model"), std::string_view("model").size(), name);
                file.records[renamed] = file.records.at(record);
            }
        file.records.erase(kModel);
        QVERIFY(loadError(file).startsWith(
            QStringLiteral("it holds several models; choose one of 'first', 'second' with --model-name")));
        QCOMPARE(load(write(file), {{}, "second"}).program->state().size(), std::size_t(1));
        QVERIFY(errorOf([&] {
                    load(write(file), {{}, "third"});
                }).contains(QStringLiteral("it holds no model 'third'")));
    }

    void newerMinorVersionIsReported() {
        ExportedFile file = product();
        file.edit(kModel, [](json& j) { j["schema_version"]["minor"] = 99; });
        QCOMPARE(load(write(file)).warnings.size(), std::size_t(1));
    }

    void recognisedByContent() {
        const std::string path = write(product(), "renamed.pt");
        QCOMPARE(q(load(path).kind), QStringLiteral("exported program"));
    }

    void truncated_data() {
        QTest::addColumn<int>("length");
        const int size = static_cast<int>(contentOf(q(exportedPath("pytree"))).size());
        for (int length = 0; length < size; length += 331) QTest::addRow("%d", length) << length;
        QTest::addRow("%d", size - 1) << size - 1;
    }
    void truncated() {
        QFETCH(int, length);
        const QString path =
            scratch_.write(QStringLiteral("truncated.pt2"), contentOf(q(exportedPath("pytree"))).left(length));
        const QString error = errorOf([&] { load(path.toStdString()); });
        QVERIFY2(error.startsWith(QStringLiteral("cannot open '%1': ").arg(path)), qPrintable(error));
    }

    /// A damaged file is refused with an Error, or gives a program that compiles or reports why it does not.
    void damaged_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<unsigned>("seed");
        for (const char* name : {"pytree", "one_of_everything", "dynamic_batch"})
            for (unsigned seed = 1; seed <= 150; ++seed) QTest::addRow("%s %u", name, seed) << name << seed;
    }
    void damaged() {
        QFETCH(QString, name);
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        QByteArray content = contentOf(q(exportedPath(name.toStdString())));
        for (unsigned flips = 1 + seed % 4; flips > 0; --flips) {
            const auto at = static_cast<qsizetype>(random() % static_cast<unsigned>(content.size()));
            content[at] = static_cast<char>(content[at] ^ static_cast<char>(1 + random() % 255));
        }
        const QString path = scratch_.write(QStringLiteral("damaged.pt2"), content);
        const QString error = inChild([&] {
            return errorOf([&] {
                const Workload workload(load(path.toStdString()), {});
                compileFunction(workload.function(), {}, {}, {});
            });
        });
        QVERIFY2(!error.startsWith(QStringLiteral("killed")) && !error.startsWith(QStringLiteral("not an Error")),
                 qPrintable(error));
    }
};

QTEST_GUILESS_MAIN(TestExported)
#include "test_exported.moc"
