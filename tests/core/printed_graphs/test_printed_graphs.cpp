// Nodes, edges, types and partitions of printed graphs.

#include "test_printed_graphs.h"
#include "printed_files.h"
#include "support/test_program.h"

#include "ir/subgraphs.h"
#include "load/printed/annotation.h"
#include "partition/partition_joint.h"
#include "support/patience.h"
#include "support/program.h"
#include "support/text.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// Python has a node for each of them, with an edge to the operation that runs it.
qint64 subgraphsIn(const Graph& graph) { return static_cast<qint64>(subgraphsOf(graph).size()); }

qint64 edgesOf(const Graph& graph) {
    qint64 edges = subgraphsIn(graph);
    for (const Node* node : graph.nodes()) edges += static_cast<qint64>(node->inputs().size());
    return edges;
}

/// The differences between Python's numbers and ours; empty: none. Counts the compared graphs.
QString compareCounts(const QString& folder, const QString& json, int& compared) {
    const QJsonObject files = readJson(folder + json);
    QStringList wrong;
    for (const QString& file : files.keys()) {
        const QJsonObject ids = files[file].toObject();
        for (const QString& id : ids.keys()) {
            const auto record = openFile(folder + file, id)->record();
            const QJsonObject graphs = ids[id].toObject();
            for (const QString& kind : graphs.keys()) {
                const auto graph = kind.isEmpty() ? record->graphs.begin()->second
                                                  : record->graph(*graphKindFromName(kind.toStdString()));
                const QString where = file + u' ' + id + u' ' + kind + u": "_s;
                if (!graph) {
                    wrong << where + u"no graph"_s;
                    continue;
                }
                const QJsonObject python = graphs[kind].toObject();
                const QList<std::pair<QString, qint64>> ours = {
                    {u"nodes"_s, static_cast<qint64>(graph->size()) + subgraphsIn(*graph)},
                    {u"edges"_s, edgesOf(*graph)},
                    {u"outputs"_s, static_cast<qint64>(graph->outputs().size())}};
                for (const auto& [what, count] : ours)
                    if (python.contains(what) && python[what].toInteger() != count)
                        wrong << where + u"%1 %2, in Python %3"_s.arg(what).arg(count).arg(python[what].toInteger());
                ++compared;
            }
        }
    }
    return wrong.join(u'\n');
}

std::map<std::string, int> opsOf(const Graph& graph) {
    auto ops = opHistogram(graph);
    ops.erase("aten.detach.default");
    return ops;
}

/// Partitions the printed joint graph: empty if that gives the printed forward and backward, else a difference.
QString splitDifference(const QString& path, const QString& id, PartitionAlgorithm algorithm) {
    const auto printed = openFile(path, id)->record();
    const auto ours = repartitioned(path, id, algorithm);
    if (!ours->error.empty()) return q(ours->error);
    for (const auto kind : {GraphKind::forward, GraphKind::backward})
        if (opsOf(*ours->graph(kind)) != opsOf(*printed->graph(kind))) {
            QString text;
            for (const auto& warning : ours->warnings) text += q(warning) + u'\n';
            return text;
        }
    return {};
}

}  // namespace

void TestPrintedGraphs::sameNodesAndEdgesAsPython_data() {
    QTest::addColumn<QString>("json");
    for (const QString& json : QDir(dataFolder()).entryList({u"*.json"_s})) QTest::newRow(qPrintable(json)) << json;
}
void TestPrintedGraphs::sameNodesAndEdgesAsPython() {
    QFETCH(QString, json);
    int compared = 0;
    const QString wrong = compareCounts(dataFolder(), json, compared);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    QVERIFY(compared > 0);
    qInfo("%s: %d graphs, all with Python's nodes and edges", qPrintable(json), compared);
}

void TestPrintedGraphs::partitionsAsPythonDid_data() {
    columns<QString, QString, PartitionAlgorithm>("file", "id", "algorithm");
    for (const QString& file : QDir(dataFolder()).entryList({u"*.trace"_s, u"*.log"_s})) {
        const auto algorithm =
            file.contains("default"_L1) ? PartitionAlgorithm::defaultPartition : PartitionAlgorithm::minCut;
        const auto session = openFile(dataFolder() + file);
        for (const auto& id : session->compileIds()) {
            const auto record = openFile(dataFolder() + file, q(id))->record();
            if (!record->graph(GraphKind::joint) || file == "dynamic.log"_L1) continue;
            QTest::addRow("%s %s", qPrintable(file), id.c_str()) << file << q(id) << algorithm;
        }
    }
}
void TestPrintedGraphs::partitionsAsPythonDid() {
    FETCH(QString, file, id);
    QFETCH(PartitionAlgorithm, algorithm);
    const QString difference = splitDifference(dataFolder() + file, id, algorithm);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

void TestPrintedGraphs::largerModels() {
    const QString folder = qEnvironmentVariable("AOTSCOPE_REFERENCE") + u"/zoo/"_s;
    const bool reference = QDir(folder).exists();
    QProcess python;
    if (reference) python.start(u"python3"_s, {u"-c"_s, u"import torch"_s});
    if (!reference || !python.waitForFinished(kPatience) || python.exitCode() != 0)
        QSKIP("SKIPPED: larger models need AOTSCOPE_REFERENCE with zoo/*.pt2 and a python3 with torch");
    int compared = 0;
    for (const char* name : {"resnet18_tiny", "gpt2_tiny", "lstm_tiny", "transformer_encoder_tiny", "t_tied_weights"}) {
        const QString file = QLatin1String(name);
        python.start(u"python3"_s, {dataFolder() + u"make.py"_s, scratch_.path(), file, folder + file + u".pt2"_s});
        QVERIFY(python.waitForFinished(kPatience));
        QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
        const QString wrong = compareCounts(scratch_.path() + u'/', file + u".json"_s, compared);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        const QString difference = splitDifference(scratch_.at(file + u".log"_s), {}, PartitionAlgorithm::minCut);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
    qInfo("%d graphs of larger models, all with Python's nodes and edges", compared);
}

// --- reading ---

void TestPrintedGraphs::rolesStagesAndSlots() {
    const auto record = recordOf("mlp.trace");
    const auto joint = record->graph(GraphKind::joint);
    QCOMPARE(joint->forwardOutputCount(), std::size_t(1));
    QCOMPARE(joint->outputs().size(), std::size_t(6));
    QCOMPARE(q(joint->outputSlots()[1].label), u"0.weight"_s);
    const Node* weight = joint->findByName("primals_1");
    QVERIFY(weight->role == Role::parameter);
    QCOMPARE(q(weight->label), u"0.weight"_s);
    QVERIFY(joint->findByName("tangents_1")->role == Role::tangent);
    QVERIFY(joint->findByName("addmm_1")->stage == Stage::forward);
    QVERIFY(joint->findByName("mm")->stage == Stage::backward);

    const auto backward = record->graph(GraphKind::backward);
    QVERIFY(backward->outputSlots()[0].role == Role::gradient);
    for (const Node* node : backward->nodes()) {
        const Node* same = joint->findByName(node->name());
        if (same) QCOMPARE(node->id(), same->id());
        if (node->kind() == NodeKind::placeholder) QVERIFY(node->role == Role::saved || node->role == Role::tangent);
    }
    const auto forward = record->graph(GraphKind::forward);
    QVERIFY(forward->outputSlots()[0].role == Role::userOutput);
    QVERIFY(forward->outputSlots()[1].role == Role::saved);
    QVERIFY(record->partition->algorithm == PartitionAlgorithm::printed);
    QCOMPARE(record->partition->saved.size(), forward->outputs().size() - 1);
    QVERIFY(!record->partition->recomputed.empty());
}

void TestPrintedGraphs::sourceLinesLinkTheHalves() {
    const auto record = recordOf("batch_norm.log");
    const auto joint = record->graph(GraphKind::joint);
    const Node* norm = joint->findByName("native_batch_norm_backward");
    QVERIFY(norm->source && norm->source->line > 0);
    QVERIFY(norm->source->file.ends_with(".py"));
    QCOMPARE(q(joint->findById(norm->autograd.forward)->op()), u"aten._native_batch_norm_legit_functional.default"_s);
    const Node* relu = joint->findByName("threshold_backward");
    QCOMPARE(q(joint->findById(relu->autograd.forward)->op()), u"aten.relu.default"_s);
}

void TestPrintedGraphs::mutationsAndAliasesFromTheMetadata() {
    const auto record = recordOf("batch_norm.log");
    const auto& metadata = *record->metadata;
    QCOMPARE(metadata.inputs.size(), std::size_t(9));
    QVERIFY(std::any_of(metadata.inputs.begin(), metadata.inputs.end(),
                        [](const InputInfo& i) { return i.mutatesData && i.mutation == MutationType::inGraph; }));
    QVERIFY(std::any_of(metadata.outputs.begin(), metadata.outputs.end(),
                        [](const OutputInfo& o) { return o.type == OutputType::aliasOfInput && o.base; }));
}

void TestPrintedGraphs::argumentsKeepTheirKind() {
    const auto graph = recordOf("values.txt")->graph(GraphKind::inference);
    const Node* zeros = graph->findByName("zeros");
    QCOMPARE(q(printNode(*zeros)),
             u"%zeros : c64[2] = aten.zeros.default([2], "
             "dtype=torch.complex64, device=device(cpu), pin_memory=False)"_s);
    QCOMPARE(q(printArguments(*graph->findByName("mul"))), u"%zeros, complex(1.0, 2.0)"_s);
    QCOMPARE(q(printType(graph->findByName("_to_copy")->type)), u"bf16[1, 2, 6, 6][72, 1, 12, 2]"_s);
    QVERIFY(printArguments(*graph->findByName("new_full")).find("nan") != std::string::npos);
    QVERIFY(printArguments(*graph->findByName("full")).find("-inf") != std::string::npos);
    QCOMPARE(q(graph->findByName("empty")->type.tensor()->device.name), u"meta"_s);
    const Node* split = graph->findByName("split");
    QVERIFY(split->type.tuple() && split->type.tuple()->size() == 3);
    QCOMPARE(graph->findByName("getitem")->type.tensor()->storage, (*graph->placeholders()[0]).type.tensor()->storage);
}

void TestPrintedGraphs::symbolsTakeTheirTracedValues() {
    const auto trace = recordOf("dynamic.trace")->graph(GraphKind::joint);
    const TensorType* exact = trace->findByName("view")->type.tensor();
    QVERIFY(exact);
    QVERIFY(exact->sizes == std::vector<std::int64_t>({6, 4, 2}));
    QVERIFY(exact->symbolic && !(exact->symbolic->sizes[1] == exact->symbolic->sizes[0]));
    QVERIFY(!trace->symbols().empty());
    QCOMPARE(exact->symbolic->sizes[0].kind(), SymExpr::Kind::symbol);
    // Without their values, no sizes are invented.
    const auto log = recordOf("dynamic.log")->graph(GraphKind::joint);
    QVERIFY(!log->findByName("view")->type.known());
    QVERIFY(log->findByName("floordiv")->type.scalar());
    const auto split = repartitioned(dataFolder() + u"dynamic.log"_s, {}, PartitionAlgorithm::minCut);
    QVERIFY2(split->error.find("symbols without a value") != std::string::npos, split->error.c_str());
    QVERIFY(split->graph(GraphKind::joint));
}

/// Python prints no type for them. The type of a used input must be known.
void TestPrintedGraphs::inputsThatAreNoneNeedNoType() {
    const auto split = [&](const char* name, const char* factor) {
        QByteArray text = R"(===== Joint graph 0 =====
class joint(torch.nn.Module):
    def forward(self, primals_1: "f32[4][1]cpu", primals_2, tangents_1: "f32[4][1]cpu"):
        exp: "f32[4][1]cpu" = torch.ops.aten.exp.default(primals_1)
        mul: "f32[4][1]cpu" = torch.ops.aten.mul.Tensor(tangents_1, %1)
        return (exp, mul, None)
)";
        text.replace("%1", factor);
        return repartitioned(scratch_.write(QLatin1String(name), text), {}, PartitionAlgorithm::minCut);
    };
    const auto none = split("none.txt", "exp");
    QVERIFY2(none->error.empty(), none->error.c_str());
    QCOMPARE(none->partition->saved.size(), std::size_t{1});
    QVERIFY(split("unknown.txt", "primals_2")->error.find("symbols without a value") != std::string::npos);
}

void TestPrintedGraphs::sizes_data() {
    const auto row = columns<QString, QString>("annotation", "type");
    row("f32[4, 3][3, 1]cpu", "f32[4, 3]");
    row("f32[3, 4][1, 3]cuda:0", "f32[3, 4][1, 3]cuda:0");
    row("i64[]", "i64[]");
    row("i64[][]cpu", "i64[]");
    row("b8[s0, 2*s1]", "b8[6, 16]");
    row("f32[s0, (s1//3)][Max(1, (s1//3)), 1]", "f32[6, 2]");
    row("f32[s0*s1, Mod(s1, 3), s0**2, CeilDiv(s1, 3)]", "f32[48, 2, 36, 3]");
    row("f32[s0 + s1 - 1]", "f32[13]");
    row("f32[u0]", "?");
    row("f32[s0/4]", "?");
    row("f32[99999999999, 99999999999, 99999999999]", "?");
    row("f32[2][1, 2]", "?");
    row("DTensor(f32[4, 3][3, 1]cpu, S(0))", "f32[4, 3]");
    row("Sym(s0)", "int(6)");
    row("Sym(Eq(s0, 6))", "bool(False)");
    row("Sym(IntTrueDiv(s0, 2))", "float(0.0)");
    row("typing.List[int]", "?");
    row("f99[2]", "?");
}
void TestPrintedGraphs::sizes() {
    FETCH(QString, annotation, type);
    const SymbolHints hints = {{"s0", 6}, {"s1", 8}};
    ValueType read = readAnnotation(annotation.toStdString(), hints).type;
    if (auto* tensor = read.tensor()) tensor->symbolic = nullptr;
    if (auto* scalar = std::get_if<ScalarType>(&read.data)) scalar->expression.reset();
    QCOMPARE(q(printType(read)), type);
}

void TestPrintedGraphs::sizesKeepTheirExpressions() {
    const SymbolHints hints = {{"s0", 6}, {"s1", 8}};
    const auto shown = [&](std::string_view text) { return q(printType(readAnnotation(text, hints).type)); };
    QCOMPARE(shown("b8[s0, 2*s1]"), u"b8[s0, 2*s1]"_s);
    QCOMPARE(shown("f32[4, s1//2][s1//2, 1]cpu"), u"f32[4, s1//2]"_s);
    QCOMPARE(shown("Sym(s0)"), u"Sym(s0)"_s);
    // A function that expressions do not support leaves plain numbers.
    QCOMPARE(shown("f32[Max(1, s0)]"), u"f32[6]"_s);
    QVERIFY(readAnnotation("f32[Max(1, s0)]", hints).symbolic && !readAnnotation("f32[Max(1, s0)]", hints).expressed);
}

void TestPrintedGraphs::controlFlowKeepsItsGraphs() {
    const auto record = recordOf("control_flow.log");
    const auto& log = record->passes.front().log;
    QVERIFY(std::any_of(log.begin(), log.end(),
                        [](const std::string& l) { return l == "nested graph true_graph_0: 1 operation"; }));
    const Node* cond = record->graph(GraphKind::joint)->findByName("cond");
    QCOMPARE(q(cond->op()), u"higher_order.cond"_s);
    const auto subgraphs = subgraphsOf(*cond);
    QCOMPARE(subgraphs.size(), std::size_t{2});
    QCOMPARE(q(subgraphs[0]->name()), u"true_graph_0"_s);
    QVERIFY(subgraphs[0]->findByName("sin") && subgraphs[1]->findByName("cos"));
    QVERIFY(!record->graph(GraphKind::joint)->findByName("true_graph_0"));
    QVERIFY(verifyGraph(*record->graph(GraphKind::joint)).empty());
}

/// Triton and flex attention take dictionaries and functions; the graph around them is drawn and partitioned.
void TestPrintedGraphs::kernelsThatOnlyPythonHasStayOpaque() {
    const std::string text =
        "class joint(torch.nn.Module):\n"
        "    def forward(self, primals_1: \"f32[8][1]cuda:0\", primals_2: \"f32[8][1]cuda:0\", "
        "tangents_1: \"f32[8][1]cuda:0\"):\n"
        "        empty: \"f32[8][1]cuda:0\" = torch.ops.aten.empty_like.default(primals_1, pin_memory = False)\n"
        "        proxy = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = "
        "0, "
        "grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'in_ptr': primals_1, 'out_ptr': empty, 'n': 8}, "
        "tensors_to_clone = ['out_ptr'])\n"
        "        getitem: \"f32[8][1]cuda:0\" = proxy['out_ptr']\n"
        "        flex = torch.ops.higher_order.flex_attention(getitem, primals_2, primals_2, sdpa_score0, (8, 8, "
        "primals_2, None, sdpa_mask0), 0.25, {'BACKEND': 'AUTO', 'PRESCALE_QK': False}, (), ())\n"
        "        getitem_1: \"f32[8][1]cuda:0\" = flex[0]\n"
        "        mul: \"f32[8][1]cuda:0\" = torch.ops.aten.mul.Tensor(tangents_1, getitem_1)\n"
        "        return (getitem_1, mul, None)\n";
    const auto record = recordOfText(text);
    const auto joint = record->graph(GraphKind::joint);
    QVERIFY(joint && verifyGraph(*joint).empty());
    const Node* triton = joint->findByName("proxy");
    QVERIFY(triton && !triton->type.known());
    QCOMPARE(triton->inputs().size(), std::size_t{2});
    PartitionOptions options;
    const Partition partition = partitionJoint(*joint, options);
    QCOMPARE(partition.saved.size(), std::size_t{1});
    QCOMPARE(q(partition.saved.front().name), u"getitem_1"_s);
}

/// Graphs made by others may or may not be functional.
void TestPrintedGraphs::printedGraphsMayMutate() {
    const auto record = recordOfText(
        "def forward(self, arg0_1: \"f32[4][1]cpu\"):\n"
        "    sin: \"f32[4][1]cpu\" = torch.ops.aten.sin.default(arg0_1)\n"
        "    cos: \"f32[4][1]cpu\" = torch.ops.aten.cos.default(arg0_1)\n"
        "    copy_: \"f32[4][1]cpu\" = torch.ops.aten.copy_.default(sin, cos)\n"
        "    return (copy_,)\n");
    QVERIFY(record->error.empty());
    QVERIFY(record->graph(GraphKind::inference)->findByName("copy_"));
}

/// A graph that is only viewed may contain what could never run.
void TestPrintedGraphs::nothingIsExecuted() {
    const auto record = recordOfText(
        "def forward(self, arg0_1: \"f32[1000000000, 1000][1000, 1]cpu\"):\n"
        "    from_file: \"f32[4][1]cpu\" = torch.ops.aten.from_file.default('/nowhere', True, 4)\n"
        "    mul: \"f32[1000000000, 1000][1000, 1]cpu\" = torch.ops.aten.mul.Tensor(arg0_1, 2)\n"
        "    return (from_file, mul)\n");
    QVERIFY(record->error.empty());
    QCOMPARE(record->graph(GraphKind::inference)->callCount(), std::size_t{2});
}

AOTSCOPE_TEST(TestPrintedGraphs)
#include "test_printed_graphs.moc"
