// Files as other versions, other containers and other libraries write them.

#include "loaded_files.h"
#include "test_exported.h"

#include "aten/convert.h"
#include "support/tensor_files.h"
#include "support/text.h"
#include "verify/model_run.h"

#include <ATen/core/Dict.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/jit/serialization/pickle.h>

using namespace aotscope;
using namespace aotscope::test;
using nlohmann::json;

namespace {

constexpr const char* kTuple = R"("type": "builtins.tuple", "context": "null")";
constexpr const char* kLeaf = R"({"type": null, "context": null, "children_spec": []})";

/// x + y of one argument, a container of this type and context.
ExportedFile sumOf(const json& type, const json& context) {
    const json leaf = json::parse(kLeaf);
    const json container = {{"type", type}, {"context", context}, {"children_spec", json::array({leaf, leaf})}};
    const json node =
        exportedNode("torch.ops.aten.add.Tensor", {{"self", exportedTensor("x")}, {"other", exportedTensor("y")}},
                     json::array({exportedTensor("add")}));
    ExportedFile file = exportedProgram(json::array({node}), {"add"});
    file.edit(kModel, [&](json& j) {
        json& module = j["graph_module"];
        module["graph"]["inputs"].push_back(exportedTensor("y"));
        module["graph"]["tensor_values"]["y"] = exportedTensorMeta({3, 4});
        module["signature"]["input_specs"].push_back(json::object({{"user_input", {{"arg", exportedTensor("y")}}}}));
        json call = json::parse(std::string(R"([1, {)") + kTuple + R"(, "children_spec": [{)" + kTuple +
                                R"(, "children_spec": []}, )" +
                                R"({"type": "builtins.dict", "context": "[]", "children_spec": []}]}])");
        call[1]["children_spec"][0]["children_spec"] = json::array({container});
        module["module_call_graph"][0]["signature"]["in_spec"] = call.dump();
        module["treespec_namedtuple_fields"] = {{"mine.Point", {{"field_names", {"x", "y"}}}}};
    });
    return file;
}

c10::IValue tupleOf(std::vector<c10::IValue> values) { return c10::ivalue::Tuple::create(std::move(values)); }

template <typename Key>
c10::IValue dictOf(std::initializer_list<std::pair<Key, at::Tensor>> entries) {
    c10::impl::GenericDict dict(c10::AnyType::get(), c10::AnyType::get());
    for (const auto& [key, value] : entries) dict.insert(c10::IValue(key), value);
    return dict;
}

std::string pickled(const c10::IValue& value) {
    const auto bytes = torch::jit::pickle_save(value);
    return {bytes.begin(), bytes.end()};
}

}  // namespace

/// Contexts are texts of JSON, bare names, or objects.
void TestExported::containersOfAllKinds_data() {
    columns<QByteArray, QByteArray, QString>("type", "context", "names");
    const auto row = [](const char* type, const char* context, const char* names) {
        QTest::addRow("%s %s", type, context) << QByteArray(type) << QByteArray(context) << QString::fromUtf8(names);
    };
    row("collections.namedtuple", R"("mine.Point")", "arg0[0], arg0[1]");
    row("collections.defaultdict", R"({"default_factory_module": "builtins", "dict_context": ["b", "a"]})",
        "arg0['b'], arg0['a']");
    row("collections.deque", R"("3")", "arg0[0], arg0[1]");
    row("collections.OrderedDict", R"("[\"b\", \"a\"]")", "arg0['b'], arg0['a']");
    row("builtins.dict", R"("[1, 2]")", "arg0[1], arg0[2]");
    row("collections.OrderedDict", R"("[[1, [\"a\", true]], null]")", "arg0['(1, ('a', True))'], arg0['None']");
    row("mine.Mixed", R"("[1, \"a\"]")", "arg0['1'], arg0['a']");
    row("mine.Truth", R"("[true, false]")", "arg0[true], arg0[false]");
    row("mine.Data", R"("[[\"a\", \"c\"], [\"b\"]]")", "arg0[0], arg0[1]");
    row("mine.Unknown", R"({"anything": 1})", "arg0[0], arg0[1]");
}
void TestExported::containersOfAllKinds() {
    FETCH(QByteArray, type, context);
    QFETCH(QString, names);
    const ExportedFile file = sumOf(type.toStdString(), json::parse(context.toStdString()));
    const Model model = load(write(file));
    // As given by an input spec: lists, and dicts with texts as keys.
    QVERIFY(model.suggestedSpec);
    const Options options{.inputs = *model.suggestedSpec};
    const ModelRun modelRun(model, options);
    QStringList found;
    for (const auto& name : modelRun.function().leafNames()) found << q(name);
    QCOMPARE(found.join(u", "_s), u"w, "_s + names);
    QCOMPARE(modelRun.function()(modelRun.arguments(true).leaves).leaves.size(), std::size_t{1});
}

/// Recorded as in Python.
void TestExported::recordedContainers() {
    const at::Tensor one = at::ones({3, 4}), two = one * 2;
    const auto sum = [&](ExportedFile file, const c10::IValue& container) {
        file.records["data/sample_inputs/model.pt"] = pickled(
            tupleOf({tupleOf({container}), c10::impl::GenericDict(c10::StringType::get(), c10::AnyType::get())}));
        const Model model = load(write(file));
        if (model.recordedInputs.empty()) return std::string(model.whyNoInputs);
        const auto result = model.program->call({model.program->state()[0].value}, model.recordedInputs, nullptr);
        return std::to_string(result.toTupleRef().elements()[0].toTensor()[0][0].item<int>());
    };
    QCOMPARE(q(sum(sumOf("builtins.dict", "[1, 2]"), dictOf<std::int64_t>({{1, one}, {2, two}}))), u"3"_s);
    QCOMPARE(q(sum(sumOf("mine.Data", R"([["a", "c"], []])"), dictOf<const char*>({{"a", one}, {"c", two}}))), u"3"_s);
    const QString lacks = q(sum(sumOf("mine.Data", R"([["a", "c"], []])"), dictOf<const char*>({{"a", one}})));
    QVERIFY2(lacks.contains(u"gives no 'the saved call[0][0].c'"_s), qPrintable(lacks));
}

/// Torch 2.8 saves all weights by one torch.save.
void TestExported::weightsSavedTogether() {
    const at::Tensor w = at::arange(1, 5, at::kFloat);
    ExportedFile file = product();
    file.records.erase(kWeights);
    file.records.erase("data/weights/weight_0");
    file.records["data/weights/model.pt"] = pickled(dictOf<const char*>({{"w", w}}));
    const Model model = load(write(file));
    QCOMPARE(model.program->state().size(), std::size_t(1));
    QCOMPARE(run(file, at::ones({3, 4})).sum().item<double>(), 30.0);
    file.records["data/weights/model.pt"] = pickled(tupleOf({w}));
    QVERIFY2(loadError(file).startsWith(u"its record 'data/weights/model.pt' cannot be read (expected a "
                                        "dict of tensors)"_s),
             qPrintable(loadError(file)));
    file.records["data/weights/model.pt"] = pickled(dictOf<const char*>({{"other", w}}));
    QVERIFY2(loadError(file).startsWith(u"tensor 'w' is missing"_s), qPrintable(loadError(file)));
}

/// Only keyword arguments have names there.
void TestExported::edgeDialect() {
    const json node = exportedNode("executorch.exir.dialects.edge._ops.aten.mul.Tensor",
                                   {{"#0", exportedTensor("x")}, {"#1", exportedTensor("p_w")}},
                                   json::array({exportedTensor("mul")}));
    const json copy = exportedNode(
        "executorch.exir.dialects.edge._ops.dim_order_ops._to_dim_order_copy.default",
        {{"#0", exportedTensor("mul")}, {"dtype", {{"as_scalar_type", 8}}}, {"dim_order", {{"as_ints", {0, 1}}}}},
        json::array({exportedTensor("copy")}));
    ExportedFile file = exportedProgram(json::array({node, copy}), {"copy"});
    file.edit(kModel, [](json& j) {
        json& types = j["graph_module"]["graph"]["tensor_values"];
        types["mul"] = types["copy"] = exportedTensorMeta({3, 4});
        types["copy"]["dtype"] = 8;
    });
    const at::Tensor result = run(file, at::ones({3, 4}));
    QCOMPARE(result.sum().item<double>(), 30.0);
    QVERIFY(result.scalar_type() == at::kDouble);
}

/// Every dtype of the schema that LibTorch has.
void TestExported::dtypesOfTheSchema() {
    for (const int number : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 28, 29, 30, 31, 32, 33, 34, 35}) {
        const json to = exportedNode("torch.ops.aten.to.dtype",
                                     {{"self", exportedTensor("x")}, {"dtype", {{"as_scalar_type", number}}}},
                                     json::array({exportedTensor("to")}));
        const at::Tensor result = run(exportedProgram(json::array({to}), {"to"}), at::ones({3, 4}));
        QVERIFY(dtypeFromExport(number) == toDType(result.scalar_type()));
    }
}

void TestExported::unusableInputsSayWhy() {
    ExportedFile file = product();
    writeArchive(scratch_.at(u"sparse.pt"_s).toStdString(), "ctorch._utils\n_rebuild_sparse_tensor\n)R.", {});
    file.records["data/sample_inputs/model.pt"] = contentOf(scratch_.at(u"sparse.pt"_s)).toStdString();
    const QString error = errorOf([&] { const ModelRun modelRun(load(write(file)), {}); });
    QVERIFY2(error.contains(u"the example inputs in"_s) &&
                 error.contains(u"it holds a sparse tensor; expected dense"_s) &&
                 error.contains(u"give --inputs SPEC.json"_s),
             qPrintable(error));
}

/// As zip tools pack them by default: read as if they were stored, within limits.
void TestExported::deflatedArchives() {
    ExportedFile file = product();
    file.records[kModel] += std::string(100'000, ' ');
    const QString path = file.write(scratch_.at(u"deflated.pt2"_s), true);
    QVERIFY(QFileInfo(path).size() < 50'000);
    const Model model = load(path.toStdString()), stored = load(write(file));
    const c10::IValue x = at::arange(12, at::kFloat).view({3, 4});
    const auto product = [&](const Model& of) {
        return of.program->call({of.program->state()[0].value}, {x}, nullptr).toTupleRef().elements()[0].toTensor();
    };
    QVERIFY(at::equal(product(model), product(stored)));
    file.records["extra/zeros"] = std::string(100'000'000, '\0');
    file.write(scratch_.at(u"deflated.pt2"_s), true);
    const QString error = errorOf([&] { load(path.toStdString()); });
    QVERIFY2(error.contains(u"grow too much when unpacked; store them (zip -0)"_s), qPrintable(error));
}

/// Python has operators in the namespace prims; unknown ones are opaque here.
void TestExported::primsOfPython() {
    const auto of = [](const char* name, nlohmann::ordered_json arguments) {
        arguments["a"] = exportedTensor("x");
        ExportedFile file =
            exportedProgram(json::array({exportedNode(std::string("torch.ops.prims.") + name + ".default", arguments,
                                                      json::array({exportedTensor("made")}))}),
                            {"made"});
        file.edit(kModel,
                  [](json& j) { j["graph_module"]["graph"]["tensor_values"]["made"] = exportedTensorMeta({12}); });
        return file;
    };
    const at::Tensor x = at::arange(12, at::kFloat).view({3, 4});
    const json both = {{"as_ints", {0, 1}}}, zero = {{"as_int", 0}}, one = {{"as_int", 1}}, three = {{"as_int", 3}};
    QCOMPARE(run(of("collapse", {{"start", zero}, {"end", one}}), x).sizes(), at::IntArrayRef({12}));
    QCOMPARE(run(of("collapse_view", {{"start", zero}, {"end", one}}), x).is_alias_of(x), true);
    QCOMPARE(run(of("split_dim", {{"dim", zero}, {"outer_length", three}}), x).sizes(), at::IntArrayRef({3, 1, 4}));
    QCOMPARE(run(of("rev", {{"dims", both}}), x)[0][0].item<int>(), 11);
    QCOMPARE(run(of("view_of", {}), x).is_alias_of(x), true);
    const Model opaque = load(write(of("of_tomorrow", {})));
    QVERIFY(q(opaque.whyNotRun).contains(u"'prims::of_tomorrow', which has no kernel here"_s));
}
