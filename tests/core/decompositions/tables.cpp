// Decomposition tables, and graphs that are decomposed by them.

#include "test_decompositions.h"

#include "aten/convert.h"
#include "ir/printer.h"
#include "ops/decompositions/decomposition.h"
#include "ops/decompositions/decomposition_table.h"
#include "passes/decompose_graph.h"
#include "passes/ir_levels.h"
#include "passes/passes.h"
#include "session/session.h"
#include "support/error.h"
#include "support/models.h"
#include "support/op_histogram.h"
#include "support/scratch.h"
#include "support/text.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

Compiled compiledWith(const ScriptModule& module, const std::string& spec, const std::string& table) {
    return compile(module, spec, {.decompositions = DecompositionTable::load(table)});
}

using Counts = std::map<std::string, int>;

std::shared_ptr<const Graph> beforePartition(const Session& session) {
    for (const PassRecord& pass : session.record()->passes)
        if (pass.id == PassId::deadCode) return pass.graphs.front().second;
    return nullptr;
}

/// Compares with the result of tracing with `options` and of decomposing `plain`, which has no table.
void lowersLikeTracing(const std::shared_ptr<const Session>& plain, const Options& options) {
    const auto traced = Session::open(options, {}, plain);
    QVERIFY2(traced->record()->error.empty(), traced->record()->error.c_str());
    QVERIFY(traced->check({}).ok);
    const auto original = beforePartition(*plain);
    const LoweredGraph lowered = lowerGraph(*original, options.decompositions);
    QCOMPARE(opHistogram(*lowered.graph), opHistogram(*beforePartition(*traced)));
    for (const Node* node : original->nodes())
        if (node->kind() != NodeKind::output) QVERIFY2(lowered.became.contains(node->id()), node->name().c_str());
    for (const Node* node : lowered.graph->nodes()) {
        if (node->kind() == NodeKind::output) continue;
        QVERIFY2(lowered.origin.contains(node->id()), node->name().c_str());
        const Node* from = original->findById(lowered.origin.at(node->id()));
        QCOMPARE(node->stage, from->stage);
        QCOMPARE(node->autograd.function, from->autograd.function);
    }
}

}  // namespace

void TestDecompositions::operations_data() {
    columns<QString, QString, QJsonObject>("text", "table", "expected");
    QFile file(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/decompositions.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    int line = 0;
    for (const QJsonValue entry : QJsonDocument::fromJson(file.readAll()).array()) {
        const QString text = entry["graph"_L1].toString();
        const QString op = text.section(u"= aten."_s, 1).section(u'(', 0, 0);
        for (const char* table : {"core-aten", "inductor"})
            QTest::addRow("%d %s %s", line, qPrintable(op), table)
                << text << table << entry[QLatin1String(table)].toObject();
        ++line;
    }
}
/// Decomposed graphs of one operation against those of PyTorch 2.13.
void TestDecompositions::operations() {
    FETCH(QString, text, table);
    QFETCH(QJsonObject, expected);
    const auto graph = parseSound(text.toStdString());
    DecomposedGraph decomposed = decomposeGraph(*graph, {}, DecompositionTable::load(table.toStdString()));
    eliminateDeadCode(*decomposed.graph);
    Histogram ours = histogram(*decomposed.graph);
    ours.remove(u"operator.getitem"_s);
    const QString found = difference(ours, histogram(expected));
    QVERIFY2(found.isEmpty(), qPrintable(text + found));
}

void TestDecompositions::notebookExample() {
    const auto module = moduleFrom("def forward(self, a: Tensor, b: Tensor) -> Tensor:\n    return a + b\n");
    const auto compiled =
        compiledWith(module, R"([{"shape": [3], "dtype": "float32"}, {"shape": [3, 3], "dtype": "float16"}])", "prims");
    const auto graph = compiled.record().graph(GraphKind::inference);
    QCOMPARE(opHistogram(*graph), (Counts{{"prims.add.default", 1},
                                          {"prims.broadcast_in_dim.default", 1},
                                          {"prims.convert_element_type.default", 1}}));
    QVERIFY(check(compiled).ok);
    const auto& rewrites = compiled.record().rewrites;
    QCOMPARE(rewrites.size(), 2u);
    QCOMPARE(q(rewrites[0].before), u"aten.add.Tensor(%arg0_1, %arg1_1)"_s);
    QCOMPARE(rewrites[0].nodes.size(), 3u);
    QCOMPARE(rewrites[0].results, std::vector<NodeId>{rewrites[0].nodes.back()});
    QCOMPARE(q(rewrites[1].op), u"aten._to_copy.default"_s);
    QCOMPARE(rewrites[1].parent, 0);
}

/// The layer of the notebook, text by text: the weight is permuted, and gelu is taken apart.
void TestDecompositions::notebookMlp() {
    const auto module = moduleFrom(
        "def forward(self, weight: Tensor, bias: Tensor, x: Tensor) -> Tensor:\n"
        "    return torch.gelu(torch.linear(x, weight, bias))\n");
    const std::string spec = R"([{"shape": [64, 32], "requires_grad": true}, {"shape": [64], "requires_grad": true},
                                 {"shape": [5, 32]}])";
    const std::string inputs =
        "graph forward\n"
        "  %primals_1 : f32[64, 32] = placeholder(input)\n"
        "  %primals_2 : f32[64] = placeholder(input)\n"
        "  %primals_3 : f32[5, 32] = placeholder(input)\n";
    const auto forwardWith = [&](const std::string& table) {
        const auto compiled = compiledWith(module, spec, table);
        return check(compiled).ok ? q(printGraph(*compiled.record().graph(GraphKind::forward))) : QString();
    };
    QCOMPARE(forwardWith("core-aten"),
             q(inputs + "  %permute : f32[32, 64][1, 32] = aten.permute.default(%primals_1, [1, 0])\n"
                        "  %addmm : f32[5, 64] = aten.addmm.default(%primals_2, %primals_3, %permute)\n"
                        "  %gelu : f32[5, 64] = aten.gelu.default(%addmm)\n"
                        "  return [%gelu : output \"output 0\", %primals_3 : saved \"primals_3\", "
                        "%addmm : saved \"addmm\"]\n"));
    QCOMPARE(forwardWith("inductor"),
             q(inputs + "  %permute : f32[32, 64][1, 32] = aten.permute.default(%primals_1, [1, 0])\n"
                        "  %addmm : f32[5, 64] = aten.addmm.default(%primals_2, %primals_3, %permute)\n"
                        "  %mul : f32[5, 64] = aten.mul.Tensor(%addmm, 0.5)\n"
                        "  %mul_1 : f32[5, 64] = aten.mul.Tensor(%addmm, 0.7071067811865476)\n"
                        "  %erf : f32[5, 64] = aten.erf.default(%mul_1)\n"
                        "  %add : f32[5, 64] = aten.add.Tensor(%erf, 1)\n"
                        "  %mul_2 : f32[5, 64] = aten.mul.Tensor(%mul, %add)\n"
                        "  return [%mul_2 : output \"output 0\", %primals_3 : saved \"primals_3\", "
                        "%addmm : saved \"addmm\"]\n"));
}

void TestDecompositions::graphs_data() {
    rowsOf("model", {"sample:mlp", "sample:resnet18", "sample:aliasing", "sample:mutations"});
}
/// Decomposing a traced graph gives the same as tracing with the table, and nodes are mapped to their successors.
void TestDecompositions::graphs() {
    QFETCH(QString, model);
    Options options{.model = model.toStdString()};
    if (options.model == "sample:resnet18") options.inputs = parseInputSpec(R"([{"shape":[2,3,32,32]}])", "small");
    const auto plain = Session::open(options, {});
    for (const char* table : {"core-aten", "inductor", "prims"}) {
        options.decompositions = DecompositionTable::load(table);
        lowersLikeTracing(plain, options);
        if (QTest::currentTestFailed()) QFAIL(table);
    }
}

void TestDecompositions::levels() {
    const auto levels = irLevels(Session::open({.model = "sample:mlp"}, {})->record()->graph(GraphKind::joint));
    QCOMPARE(levels.size(), 3u);
    QCOMPARE(q(levels[2].name), u"prims"_s);
    QVERIFY(opHistogram(*levels[0].lowered.graph).contains("aten.t.default"));
    QVERIFY(opHistogram(*levels[1].lowered.graph).contains("aten.permute.default"));
    QVERIFY(opHistogram(*levels[2].lowered.graph).contains("prims.transpose.default"));
    for (const Node* node : levels[0].lowered.graph->nodes()) {
        if (!node->isCall("aten.threshold_backward.default")) continue;
        QCOMPARE(levels[1].lowered.became.at(node->id()).size(), 3u);  // le, scalar_tensor, where
    }
}

void TestDecompositions::printedGraphs() {
    const auto graph = parseSound(
        "graph joint\n  %c : f32[2, 1] = constant(table)\n  %a : f32[2, 3] = placeholder\n"
        "  %x : f32[3, 2] = aten.t.default(%a)\n  %y : f32[3, 1] = aten.mm.default(%x, %c)\n"
        "  return [%y : output]\n");
    const LoweredGraph lowered = lowerGraph(*graph, DecompositionTable::load("core-aten"));
    QCOMPARE(opHistogram(*lowered.graph), (Counts{{"aten.mm.default", 1}, {"aten.permute.default", 1}}));
    const QString error = errorOf([&] {
        (void)lowerGraph(*parseSound("graph g where s0 = 4 in 2..8\n  %a : f32[s0] = placeholder\n"
                                     "  return [%a : output]\n"),
                         DecompositionTable::load("prims"));
    });
    QVERIFY2(error.contains(u"has dynamic shapes"_s), qPrintable(error));
}

void TestDecompositions::userTables() {
    const Scratch scratch;
    const auto table = [&](const std::string& text) {
        return DecompositionTable::load(scratch.write(u"t.json"_s, QByteArray::fromStdString(text)).toStdString());
    };
    const auto kept = table(R"({"base": "core-aten", "ops": {"aten.gelu_backward": "keep", "aten.gelu": "inductor"}})");
    const ChosenDecompositions chosen(*kept);
    QVERIFY(!chosen.find("aten.gelu_backward.default"));
    QVERIFY(chosen.find("aten.gelu.default"));
    QVERIFY(chosen.find("aten.t.default"));
    const auto few = table(R"({"ops": {"aten.add": "prims", "aten.expand.default": "prims"}})");
    const auto entries = few->entries(allDecompositionRules());
    QCOMPARE(entries.size(), 3u);  // two overloads of add
    QCOMPARE(q(entries.front().set), u"prims"_s);
}

/// A table can be read without its rules; what does not fit them is refused before anything is traced.
void TestDecompositions::tablesAreReadWithoutRules() {
    const Scratch scratch;
    const auto table = DecompositionTable::load(
        scratch.write(u"t.json"_s, R"({"base": "core-aten", "ops": {"aten.mmm": "keep"}})").toStdString());
    QCOMPARE(q(table->choices.at("aten.mmm")), u"keep"_s);
    QVERIFY(table->entries({}).empty());
    QCOMPARE(table->entries(allDecompositionRules()).size(),
             DecompositionTable::load("core-aten")->entries(allDecompositionRules()).size());
    const QString error = errorOf([&] { (void)Session::open({.model = "sample:mlp", .decompositions = table}, {}); });
    QVERIFY2(error.contains(u"keeps 'aten.mmm', which its base does not decompose"_s), qPrintable(error));
}

/// Whatever rules are chosen, the written table has them.
void TestDecompositions::writtenTables() {
    const Scratch scratch;
    const auto& rules = allDecompositionRules();
    for (const std::string& base : DecompositionTable::names()) {
        std::map<std::string, DecompositionEntry> chosen;
        for (std::size_t i = 0; i < rules.size(); i += 2)
            chosen[rules[i].op] = {rules[i].op, rules[i].rule, rules[i].sets.back()};
        std::vector<DecompositionEntry> entries;
        for (const auto& [op, entry] : chosen) entries.push_back(entry);
        const std::string text = DecompositionTable::text(base, entries, rules);
        const auto table =
            DecompositionTable::load(scratch.write(u"t.json"_s, QByteArray::fromStdString(text)).toStdString());
        QCOMPARE(q(table->base), q(base));
        QCOMPARE(table->entries(rules).size(), entries.size());
        for (const DecompositionEntry& entry : table->entries(rules))
            QCOMPARE(q(entry.rule), q(chosen.at(entry.op).rule));
        const auto plain = DecompositionTable::text(base, DecompositionTable{base, base, {}}.entries(rules), rules);
        QVERIFY2(q(plain).contains(u"\"ops\": {}"_s), plain.c_str());
    }
}

void TestDecompositions::wrongTables_data() {
    const auto row = columns<QString, QString>("text", "message");
    row("no object", "[]", "is not a JSON object");
    row("no JSON", "{", "is not a JSON object");
    row("key", R"({"bases": 1})", "has the key 'bases'");
    row("base", R"({"base": "all"})", "has the base \"all\"; expected one of 'none', 'core-aten'");
    row("ops", R"({"ops": []})", "'ops' that are not an object");
    row("value", R"({"ops": {"aten.t": "none"}})", "gives 'aten.t' the value \"none\"");
    row("kept", R"({"ops": {"aten.t": "keep"}})", "keeps 'aten.t', which its base does not decompose");
    row("rule", R"({"ops": {"aten.mmm": "inductor"}})", "takes 'aten.mmm' from inductor, which has no");
}
void TestDecompositions::wrongTables() {
    FETCH(QString, text, message);
    const Scratch scratch;
    try {
        DecompositionTable::load(scratch.write(u"t.json"_s, text.toUtf8()).toStdString())
            ->requireFit(allDecompositionRules());
        QFAIL("accepted");
    } catch (const Error& e) {
        QVERIFY2(q(e.what()).contains(message), e.what());
    }
}

/// Attention by rule has other strides than the kernel: a result that is contiguous after one is not after the other.
void TestDecompositions::inferenceCopiesAsDecomposed() {
    const auto module = moduleFrom(
        "def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:\n"
        "    y = torch.scaled_dot_product_attention(q, k, v, None, 0.0, True)\n"
        "    return y.transpose(1, 2).contiguous().view([2, 8, 12])");
    const std::string tensor = R"({"shape":[2,3,8,4]})";
    const Compiled compiled = compile(module, "[" + tensor + "," + tensor + "," + tensor + "]",
                                      {.inference = true, .decompositions = DecompositionTable::load("core-aten")});
    QVERIFY2(compiled.compilation.function, compiled.record().error.c_str());
    QVERIFY(check(compiled).ok);
}
