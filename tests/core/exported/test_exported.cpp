// The contents of exported files, and their weights.

#include "test_exported.h"
#include "loaded_files.h"
#include "support/test_program.h"

#include "ir/printer.h"
#include "load/exported/sympy_text.h"
#include "load/model.h"
#include "program/inputs/short_inputs.h"
#include "session/session.h"
#include "support/child.h"
#include "support/resident_memory.h"
#include "support/text.h"
#include "verify/model_run.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <unistd.h>

using namespace aotscope;
using namespace aotscope::test;
using nlohmann::json;

std::string TestExported::write(const ExportedFile& file, const char* name) {
    return file.write(scratch_.at(QLatin1String(name))).toStdString();
}

QString TestExported::loadError(const ExportedFile& file) {
    const std::string path = write(file);
    const QString error = errorOf([&] { load(path); });
    const QString prefix = u"cannot open '%1': "_s.arg(q(path));
    return error.startsWith(prefix) ? error.mid(prefix.size()) : u"without its path: "_s + error;
}

// --- what is in a file ---

void TestExported::stateAndInputs() {
    const Model model = load(exportedPath("one_of_everything"));
    QCOMPARE(q(model.kind), u"exported program"_s);
    QStringList state;
    for (const auto& tensor : model.program->state())
        state << q(tensor.name) + (tensor.role == Role::parameter ? u" p"_s : u" b"_s) +
                     (tensor.value.requires_grad() ? u" g"_s : QString());
    QCOMPARE(state, QStringList({u"tied p g"_s, u"lin.bias p g"_s, u"bn.weight p g"_s, u"bn.bias p g"_s, u"scale b"_s,
                                 u"bn.running_mean b"_s, u"bn.running_var b"_s, u"bn.num_batches_tracked b"_s}));
    QCOMPARE(model.recordedInputs.size(), std::size_t(2));
    QVERIFY(model.recordedInputs[1].isGenericDict());
    QStringList names;
    for (const auto& input : model.program->inputs()) names << q(input.name);
    QCOMPARE(names, QStringList({u"x"_s, u"opts"_s}));
}

void TestExported::dynamicDimensions() {
    const Model model = load(exportedPath("dynamic_batch"));
    QCOMPARE(model.dynamicDimensions.size(), std::size_t(1));
    const DynamicDimension& only = model.dynamicDimensions[0];
    QCOMPARE(q(only.symbol), u"s77"_s);
    QCOMPARE(only.leaf, std::size_t(0));
    QCOMPARE(only.dimension, std::int64_t(0));
    QCOMPARE(only.min, std::int64_t(2));
    QCOMPARE(only.max, std::int64_t(1024));
}

void TestExported::sourcesHaveTheSizesOfTheRun() {
    const auto typesFor = [](const std::string& inputs, bool fixed) {
        Options options{.model = exportedPath("dynamic_batch"), .staticShapes = fixed};
        if (!inputs.empty()) options.inputs = parseShortInputs(inputs, "inputs");
        const auto source = Session::open(options, {})->record()->graph(GraphKind::source);
        QStringList types;
        for (const char* name : {"x", "linear", "mul", "reshape"})
            types << q(printType(source->findByName(name)->type, Detail::types));
        return types.join(u' ');
    };
    QCOMPARE(typesFor("", false), u"f32[s77, 8] f32[s77, 16] Sym(2*s77) f32[2*s77, 8]"_s);
    QCOMPARE(typesFor("", true), u"f32[6, 8] f32[6, 16] int(12) f32[12, 8]"_s);
    QCOMPARE(typesFor("f32[4, 8]", true), u"f32[4, 8] f32[4, 16] int(8) f32[8, 8]"_s);
    const Options typed{.model = "script:def f(x): return x.sin()", .inputs = parseShortInputs("f32[4, 5]", "inputs")};
    const auto record = Session::open(typed, {})->record();
    QCOMPARE(q(printType(record->graph(GraphKind::source)->findByName("x")->type, Detail::types)),
             q(printType(record->graph(GraphKind::preFunctionalization)->placeholders()[0]->type, Detail::types)));
}

void TestExported::expressionsOfFiles() {
    const auto text = [](const char* written) {
        const auto read = readSympy(written);
        return read ? q(read->text()) : u"nothing"_s;
    };
    QCOMPARE(text("Symbol('s77', positive=True, integer=True)"), u"s77"_s);
    QCOMPARE(text("Add(Mul(Integer(2), Symbol('s0')), Integer(-1))"), u"2*s0 - 1"_s);
    QCOMPARE(text("FloorDiv(Symbol('s0'), Integer(2))"), u"s0//2"_s);
    QCOMPARE(text("Pow(Symbol('s0'), Integer(2))"), u"s0*s0"_s);
    for (const char* other : {"", "Max(Integer(1), Symbol('s0'))", "Symbol('s0'", "Symbol('s0') ", "Integer(1)x",
                              "Pow(Symbol('s0'), Integer(-1))", "Integer(99999999999999999999)",
                              "Mul(Integer(9223372036854775807), Integer(2))", "Add()", "Symbol(s0)"})
        QCOMPARE(text(other), u"nothing"_s);
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += "Add(";
    QVERIFY(!readSympy(deep));
}

void TestExported::tiedWeightsAreOneTensor() {
    const Model model = load(exportedPath("tied_weights"));
    QCOMPARE(model.program->state().size(), std::size_t(1));
    QCOMPARE(q(model.program->state()[0].name), u"e.weight"_s);
}

void TestExported::containersComeBack() {
    const Model model = load(exportedPath("pytree"));
    const ModelRun modelRun(model, {});
    const auto result = modelRun.function()(modelRun.arguments(true).leaves);
    QCOMPARE(result.leaves.size(), std::size_t(6));
    QCOMPARE(result.structure.leafNames("out"),
             std::vector<std::string>({"out['sum']", "out['parts'][0]", "out['parts'][1][0]", "out['parts'][1][1]",
                                       "out['none']", "out['k']"}));
    QCOMPARE(result.structure.placeNames(),
             std::vector<std::string>({"sum", "parts.0", "parts.1.0", "parts.1.1", "none", "k"}));
    QStringList labels;
    for (const OutputSlot& slot : model.program->source()->outputSlots()) labels << q(slot.label);
    QCOMPARE(labels, u"sum parts.0 parts.1.0 parts.1.1 none k"_s.split(u' '));
    QVERIFY(result.leaves[4].isNone());
    QCOMPARE(result.leaves[5].toInt(), std::int64_t(3));
    QCOMPARE(modelRun.function().leafNames(), std::vector<std::string>({"w", "d['a']", "d['b']", "t[0]", "t[1]"}));
}

void TestExported::provenanceAndSource() {
    const Model model = load(exportedPath("one_of_everything"));
    const Graph& source = *model.program->source();
    const Node* linear = source.findByName("linear");
    QVERIFY(linear && linear->source);
    QCOMPARE(q(linear->op()), u"aten.linear.default"_s);
    QCOMPARE(q(linear->source->module), u"lin"_s);
    QCOMPARE(q(linear->source->moduleType), u"Linear"_s);
    QCOMPARE(linear->source->line, 10);
    QCOMPARE(q(linear->source->text), u"h = F.dropout(F.relu(s.bn(s.lin(x))), 0.25, s.training)"_s);
    QVERIFY2(source.findByName("abs_1"), "the region without gradients stands in line");
}

/// torch.tensor(0.) in the source is not an input of the graphs.
void TestExported::literalsAreConstants() {
    const Model model = load(exportedPath("inplace_on_clone"));
    QCOMPARE(model.program->state().size(), std::size_t(1));
    const Node* literal = model.program->source()->findByName("c_lifted_tensor_0");
    QVERIFY(literal && literal->kind() == NodeKind::constant);
}

/// They are in the graph, as in Python, even if the literal is changed later.
void TestExported::operationsOnLiteralsStay() {
    auto file = ExportedFile::read(exportedPath("inplace_on_clone"));
    file.edit(kModel, [](json& model) {
        json& graph = model["graph_module"]["graph"];
        const json literal = exportedTensor("lift_fresh_copy");
        graph["tensor_values"]["root"] = graph["tensor_values"]["tripled"] = graph["tensor_values"]["lift_fresh_copy"];
        json nodes = json::array();
        for (auto& node : graph["nodes"]) {
            if (node["target"] == "torch.ops.aten.fill_.Tensor") node["inputs"][1]["arg"] = exportedTensor("root");
            if (node["target"] == "torch.ops.aten.add_.Tensor") node["inputs"][1]["arg"] = exportedTensor("tripled");
            nodes.push_back(node);
            if (node["target"] != "torch.ops.aten.lift_fresh_copy.default") continue;
            nodes.push_back(
                exportedNode("torch.ops.aten.exp.default", {{"self", literal}}, json::array({exportedTensor("root")})));
            nodes.push_back(exportedNode("torch.ops.aten.mul_.Tensor",
                                         {{"self", literal}, {"other", {{"as_float", 3.0}}}},
                                         json::array({exportedTensor("tripled")})));
        }
        graph["nodes"] = nodes;
    });
    for (const Dialect dialect : {Dialect::python, Dialect::libtorch}) {
        const auto session = Session::open({.model = write(file), .dialect = dialect}, {});
        QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
        const auto functional = session->record()->graph(GraphKind::functional);
        const auto count =
            std::ranges::count_if(functional->nodes(), [](const Node* n) { return n->isCall("aten.exp.default"); });
        QCOMPARE(count, dialect == Dialect::python ? 1 : 0);
        QVERIFY(session->check({}).ok);
    }
}

/// A fake shares no memory with a constant, as the real view does.
void TestExported::viewsOfLiteralsPassTheCrossCheck() {
    auto file = ExportedFile::read(exportedPath("inplace_on_clone"));
    file.edit(kModel, [](json& model) {
        json& graph = model["graph_module"]["graph"];
        graph["tensor_values"]["same"] = graph["tensor_values"]["lift_fresh_copy"];
        json nodes = json::array();
        for (auto& node : graph["nodes"]) {
            if (node["target"] == "torch.ops.aten.fill_.Tensor") node["inputs"][1]["arg"] = exportedTensor("same");
            nodes.push_back(node);
            if (node["target"] == "torch.ops.aten.lift_fresh_copy.default")
                nodes.push_back(exportedNode("torch.ops.aten.alias.default",
                                             {{"self", exportedTensor("lift_fresh_copy")}},
                                             json::array({exportedTensor("same")})));
        }
        graph["nodes"] = nodes;
    });
    const auto record = Session::open({.model = write(file), .crossCheckFake = true}, {})->record();
    QVERIFY2(record->error.empty(), record->error.c_str());
    const auto functional = record->graph(GraphKind::functional);
    QVERIFY(std::ranges::any_of(functional->nodes(), [](const Node* n) { return n->isCall("aten.alias.default"); }));
    QVERIFY2(record->crossCheck->mismatches.empty(), record->warnings.empty() ? "" : record->warnings[0].c_str());
}

/// Constants that the program mutates, and those without values, are inputs.
void TestExported::otherConstantsAreInputs() {
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
void TestExported::batchNormUpdatesItsStatistics() {
    const auto record = Session::open({.model = exportedPath("functional_batch_norm")}, {})->record();
    QVERIFY2(record->error.empty(), record->error.c_str());
    std::map<std::string, int> ops = opHistogram(*record->graph(GraphKind::joint));
    QCOMPARE(ops["aten._native_batch_norm_legit_functional.default"], 1);
    QCOMPARE(ops["aten.native_batch_norm_backward.default"], 1);
    QCOMPARE(ops["aten.clone.default"], 0);
    QStringList mutated;
    for (const auto& input : record->metadata->inputs)
        if (input.mutatesData) mutated << q(input.name);
    QCOMPARE(mutated, QStringList({u"bn.running_mean"_s, u"bn.running_var"_s, u"bn.num_batches_tracked"_s}));
}

void TestExported::missingBackwardIsReported() {
    const Model model = load(exportedPath("custom_autograd"));
    QCOMPARE(model.warnings.size(), std::size_t(1));
    QVERIFY2(q(model.warnings[0]).contains(u"(SquareFn.apply at "_s), model.warnings[0].c_str());
    QVERIFY(load(exportedPath("dynamic_batch")).warnings.empty());
}

void TestExported::checkedAgainstEager_data() {
    rowsOf("name", {"pytree", "tied_weights", "mut_nograd", "dynamic_batch", "custom_autograd", "inplace_on_clone",
                    "functional_batch_norm", "functional_mutation"});
}
void TestExported::checkedAgainstEager() {
    QFETCH(QString, name);
    const auto session = Session::open({.model = exportedPath(name.toStdString()), .verify = true}, {});
    QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
    QVERIFY(session->check({}).ok);
}

// --- weights ---

void TestExported::missingInputsAreSuggested() {
    const std::string path = write(product());
    try {
        const ModelRun modelRun(load(path), {});
        QFAIL("inputs came from nowhere");
    } catch (const InputsNeeded& e) {
        const auto& leaf = std::get<LeafSpec>(e.suggestion.values.at(0));
        QCOMPARE(leaf.shape, std::vector<std::int64_t>({3, 4}));
    }
}

void TestExported::fileIsNeverChanged() {
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

void TestExported::missingWeightsAreRandomAndTheSame() {
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
    QCOMPARE(model.fellBack.size(), std::size_t(1));
    QVERIFY2(q(model.fellBack[0]).contains(u"the file has no weights: random values"_s), model.fellBack[0].c_str());
    const at::Tensor w = model.program->state()[0].value;
    QVERIFY(w.requires_grad());
    QVERIFY(w.count_nonzero().item<int64_t>() == 0);
    model.program->materializeState();
    QVERIFY(w.count_nonzero().item<int64_t>() == 4);
    const Model again = load(path);
    again.program->materializeState();
    QVERIFY(at::allclose(again.program->state()[0].value, w));
}

/// Large models are looked at on small machines.
void TestExported::missingWeightsNeedNoMemory() {
    const std::int64_t elements = availableBytes() + ::sysconf(_SC_PHYS_PAGES) * ::sysconf(_SC_PAGESIZE);
    ExportedFile file = product();
    file.records["data/weights/weight_0"].clear();
    file.edit(kWeights, [&](json& j) { j["config"]["w"]["tensor_meta"]["sizes"][0]["as_int"] = elements; });
    const std::string path = write(file);
    const QString found = inChild([&] {
        limitData();
        return u"%1 elements"_s.arg(load(path).program->state()[0].value.numel());
    });
    QCOMPARE(found, u"%1 elements"_s.arg(elements));
}

void TestExported::givenWeightsReplaceThoseOfTheFile() {
    c10::Dict<std::string, at::Tensor> dict;
    dict.insert("w", at::ones({4}) * 7);
    const auto bytes = torch::jit::pickle_save(dict);
    const QString good = scratch_.write(u"good.pt"_s, {bytes.data(), static_cast<qsizetype>(bytes.size())});
    const std::string path = write(product());
    const Model model = load(path, {.weights = good.toStdString()});
    QCOMPARE(model.program->state()[0].value.sum().item<double>(), 28.0);
    QVERIFY(model.program->state()[0].value.requires_grad());

    c10::Dict<std::string, at::Tensor> other;
    other.insert("v", at::ones({4}));
    const auto wrong = torch::jit::pickle_save(other);
    const QString bad = scratch_.write(u"bad.pt"_s, {wrong.data(), static_cast<qsizetype>(wrong.size())});
    const QString error = errorOf([&] { load(path, {.weights = bad.toStdString()}); });
    QVERIFY2(error.contains(u"the given weights do not fit the model: w is missing (float32 [4])"_s),
             qPrintable(error));
}

AOTSCOPE_TEST(TestExported)
#include "test_exported.moc"
