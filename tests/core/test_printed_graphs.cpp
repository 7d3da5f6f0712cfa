// Graphs that Python printed: their text, TORCH_LOGS and TORCH_TRACE logs. The files in tests/data/printed come from
// PyTorch; the JSON files next to them hold the numbers of nodes and edges of Python's graphs.

#include "load/printed/annotation.h"
#include "load/printed/family.h"
#include "session/session_printed.h"
#include "support/patience.h"
#include "support/processor_clock.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/text.h"

#include <QJsonObject>
#include <QProcess>
#include <QtTest>
#include <fstream>

using namespace aotscope;
using namespace aotscope::test;

namespace {

QString dataFolder() { return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/"); }

std::shared_ptr<const Session> openFile(const QString& path, const QString& id = {}) {
    Options options;
    options.model = path.toStdString();
    options.compileId = id.toStdString();
    options.verify = true;
    return openPrinted(options, {}, nullptr);
}

std::shared_ptr<const CompileRecord> recordOf(const char* file, const char* id = "") {
    return openFile(dataFolder() + QLatin1String(file), QLatin1String(id))->record();
}

std::shared_ptr<const CompileRecord> splitAgain(const QString& path, const QString& id, PartitionAlgorithm algorithm) {
    Options options;
    options.model = path.toStdString();
    options.compileId = id.toStdString();
    options.partition.algorithm = algorithm;
    options.splitAgain = true;
    options.verify = true;
    return openPrinted(options, {}, nullptr)->record();
}

qint64 edgesOf(const Graph& graph) {
    qint64 edges = 0;
    for (const Node* node : graph.nodes()) edges += static_cast<qint64>(node->inputs().size());
    return edges;
}

/// The differences between Python's numbers and ours; empty if there are none. Counts the compared graphs.
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
                const QString where = file + u' ' + id + u' ' + kind + QStringLiteral(": ");
                if (!graph) {
                    wrong << where + QStringLiteral("no graph");
                    continue;
                }
                const QJsonObject python = graphs[kind].toObject();
                const QList<std::pair<QString, qint64>> ours = {
                    {QStringLiteral("nodes"), static_cast<qint64>(graph->size())},
                    {QStringLiteral("edges"), edgesOf(*graph)},
                    {QStringLiteral("outputs"), static_cast<qint64>(graph->outputs().size())}};
                for (const auto& [what, count] : ours)
                    if (python.contains(what) && python[what].toInteger() != count)
                        wrong << where + QStringLiteral("%1 %2, in Python %3")
                                             .arg(what)
                                             .arg(count)
                                             .arg(python[what].toInteger());
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

/// Partitions the printed joint graph: empty if that gives the operations of the printed halves, else a difference.
QString splitDifference(const QString& path, const QString& id, PartitionAlgorithm algorithm) {
    const auto printed = openFile(path, id)->record();
    const auto ours = splitAgain(path, id, algorithm);
    if (!ours->error.empty()) return q(ours->error);
    for (const auto kind : {GraphKind::forward, GraphKind::backward})
        if (opsOf(*ours->graph(kind)) != opsOf(*printed->graph(kind))) {
            QString text;
            for (const auto& warning : ours->warnings) text += q(warning) + u'\n';
            return text;
        }
    return {};
}

std::string body(const std::string& lines) {
    return "class G(torch.nn.Module):\n    def forward(self, x: \"f32[2]\"):\n" + lines;
}

std::string statement(const std::string& line) { return body("        " + line + "\n        return (x,)\n"); }

}  // namespace

class TestPrintedGraphs : public QObject {
    Q_OBJECT

    Scratch scratch_;

    std::shared_ptr<const CompileRecord> recordOfText(const std::string& text) const {
        const auto session = openFile(scratch_.write(QStringLiteral("text.txt"), QByteArray::fromStdString(text)));
        return session ? session->record() : nullptr;
    }

private Q_SLOTS:
    void sameNodesAndEdgesAsPython_data() {
        QTest::addColumn<QString>("json");
        for (const QString& json : QDir(dataFolder()).entryList({QStringLiteral("*.json")}))
            QTest::newRow(qPrintable(json)) << json;
    }
    void sameNodesAndEdgesAsPython() {
        QFETCH(QString, json);
        int compared = 0;
        const QString wrong = compareCounts(dataFolder(), json, compared);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        QVERIFY(compared > 0);
        qInfo("%s: %d graphs, all with Python's nodes and edges", qPrintable(json), compared);
    }

    void partitionsAsPythonDid_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("id");
        QTest::addColumn<PartitionAlgorithm>("algorithm");
        for (const QString& file : QDir(dataFolder()).entryList({QStringLiteral("*.trace"), QStringLiteral("*.log")})) {
            const auto algorithm = file.contains(QLatin1String("default")) ? PartitionAlgorithm::defaultPartition
                                                                           : PartitionAlgorithm::minCut;
            const auto session = openFile(dataFolder() + file);
            for (const auto& id : session->compileIds()) {
                const auto record = openFile(dataFolder() + file, q(id))->record();
                if (!record->graph(GraphKind::joint) || file == QLatin1String("dynamic.log")) continue;
                QTest::addRow("%s %s", qPrintable(file), id.c_str()) << file << q(id) << algorithm;
            }
        }
    }
    void partitionsAsPythonDid() {
        QFETCH(QString, file);
        QFETCH(QString, id);
        QFETCH(PartitionAlgorithm, algorithm);
        const QString difference = splitDifference(dataFolder() + file, id, algorithm);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void largerModels() {
        const QString folder = qEnvironmentVariable("AOTSCOPE_REFERENCE") + QStringLiteral("/zoo/");
        const bool reference = QDir(folder).exists();
        QProcess python;
        if (reference) python.start(QStringLiteral("python3"), {QStringLiteral("-c"), QStringLiteral("import torch")});
        if (!reference || !python.waitForFinished(kPatience) || python.exitCode() != 0)
            QSKIP("SKIPPED: larger models need AOTSCOPE_REFERENCE with zoo/*.pt2 and a python3 with torch");
        int compared = 0;
        for (const char* name :
             {"resnet18_tiny", "gpt2_tiny", "lstm_tiny", "transformer_encoder_tiny", "t_tied_weights"}) {
            const QString file = QLatin1String(name);
            python.start(QStringLiteral("python3"), {dataFolder() + QStringLiteral("make.py"), scratch_.path(), file,
                                                     folder + file + QStringLiteral(".pt2")});
            QVERIFY(python.waitForFinished(kPatience));
            QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
            const QString wrong = compareCounts(scratch_.path() + u'/', file + QStringLiteral(".json"), compared);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
            const QString difference =
                splitDifference(scratch_.at(file + QStringLiteral(".log")), {}, PartitionAlgorithm::minCut);
            QVERIFY2(difference.isEmpty(), qPrintable(difference));
        }
        qInfo("%d graphs of larger models, all with Python's nodes and edges", compared);
    }

    // --- reading ---

    void rolesStagesAndSlots() {
        const auto record = recordOf("mlp.trace");
        const auto joint = record->graph(GraphKind::joint);
        QCOMPARE(joint->forwardOutputCount(), std::size_t(1));
        QCOMPARE(joint->outputs().size(), std::size_t(6));
        QCOMPARE(q(joint->outputSlots()[1].label), QStringLiteral("0.weight"));
        const Node* weight = joint->findByName("primals_1");
        QVERIFY(weight->role == Role::parameter);
        QCOMPARE(q(weight->label), QStringLiteral("0.weight"));
        QVERIFY(joint->findByName("tangents_1")->role == Role::tangent);
        QVERIFY(joint->findByName("addmm_1")->stage == Stage::forward);
        QVERIFY(joint->findByName("mm")->stage == Stage::backward);

        const auto backward = record->graph(GraphKind::backward);
        QVERIFY(backward->outputSlots()[0].role == Role::gradient);
        for (const Node* node : backward->nodes()) {
            const Node* same = joint->findByName(node->name());
            if (same) QCOMPARE(node->id(), same->id());
            if (node->kind() == NodeKind::placeholder)
                QVERIFY(node->role == Role::saved || node->role == Role::tangent);
        }
        const auto forward = record->graph(GraphKind::forward);
        QVERIFY(forward->outputSlots()[0].role == Role::userOutput);
        QVERIFY(forward->outputSlots()[1].role == Role::saved);
        QVERIFY(record->partition->algorithm == PartitionAlgorithm::printed);
        QCOMPARE(record->partition->saved.size(), forward->outputs().size() - 1);
        QVERIFY(!record->partition->recomputed.empty());
    }

    void sourceLinesLinkTheHalves() {
        const auto record = recordOf("batch_norm.log");
        const auto joint = record->graph(GraphKind::joint);
        const Node* norm = joint->findByName("native_batch_norm_backward");
        QVERIFY(norm->source && norm->source->line > 0);
        QVERIFY(norm->source->file.ends_with(".py"));
        QCOMPARE(q(joint->findById(norm->autograd.forward)->op()),
                 QStringLiteral("aten._native_batch_norm_legit_functional.default"));
        const Node* relu = joint->findByName("threshold_backward");
        QCOMPARE(q(joint->findById(relu->autograd.forward)->op()), QStringLiteral("aten.relu.default"));
    }

    void mutationsAndAliasesFromTheMetadata() {
        const auto& metadata = *recordOf("batch_norm.log")->metadata;
        QCOMPARE(metadata.inputs.size(), std::size_t(9));
        QVERIFY(std::any_of(metadata.inputs.begin(), metadata.inputs.end(),
                            [](const InputInfo& i) { return i.mutatesData && i.mutation == MutationType::inGraph; }));
        QVERIFY(std::any_of(metadata.outputs.begin(), metadata.outputs.end(),
                            [](const OutputInfo& o) { return o.type == OutputType::aliasOfInput && o.base; }));
    }

    void argumentsKeepTheirKind() {
        const auto graph = recordOf("values.txt")->graph(GraphKind::inference);
        const Node* zeros = graph->findByName("zeros");
        QCOMPARE(q(printNode(*zeros)), QStringLiteral("%zeros : c64[2] = aten.zeros.default([2], "
                                                      "dtype=torch.complex64, device=device(cpu), pin_memory=False)"));
        QCOMPARE(q(printArguments(*graph->findByName("mul"))), QStringLiteral("%zeros, complex(1.0, 2.0)"));
        QCOMPARE(q(printType(graph->findByName("_to_copy")->type)), QStringLiteral("bf16[1, 2, 6, 6][72, 1, 12, 2]"));
        QVERIFY(printArguments(*graph->findByName("new_full")).find("nan") != std::string::npos);
        QVERIFY(printArguments(*graph->findByName("full")).find("-inf") != std::string::npos);
        QCOMPARE(q(graph->findByName("empty")->type.tensor()->device.name), QStringLiteral("meta"));
        const Node* split = graph->findByName("split");
        QVERIFY(split->type.tuple() && split->type.tuple()->size() == 3);
        QCOMPARE(graph->findByName("getitem")->type.tensor()->storage,
                 (*graph->placeholders()[0]).type.tensor()->storage);
    }

    void symbolsTakeTheirTracedValues() {
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
        const auto split = splitAgain(dataFolder() + QStringLiteral("dynamic.log"), {}, PartitionAlgorithm::minCut);
        QVERIFY2(split->error.find("symbols without a value") != std::string::npos, split->error.c_str());
        QVERIFY(split->graph(GraphKind::joint));
    }

    void sizes_data() {
        QTest::addColumn<QString>("annotation");
        QTest::addColumn<QString>("type");
        const auto row = [](const char* annotation, const char* type) {
            QTest::newRow(annotation) << annotation << type;
        };
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
    void sizes() {
        QFETCH(QString, annotation);
        QFETCH(QString, type);
        const SymbolHints hints = {{"s0", 6}, {"s1", 8}};
        ValueType read = readAnnotation(annotation.toStdString(), hints).type;
        if (auto* tensor = read.tensor()) tensor->symbolic = nullptr;
        if (auto* scalar = std::get_if<ScalarType>(&read.data)) scalar->expression.reset();
        QCOMPARE(q(printType(read)), type);
    }

    void sizesKeepTheirExpressions() {
        const SymbolHints hints = {{"s0", 6}, {"s1", 8}};
        const auto shown = [&](std::string_view text) { return q(printType(readAnnotation(text, hints).type)); };
        QCOMPARE(shown("b8[s0, 2*s1]"), QStringLiteral("b8[s0, 2*s1]"));
        QCOMPARE(shown("f32[4, s1//2][s1//2, 1]cpu"), QStringLiteral("f32[4, s1//2]"));
        QCOMPARE(shown("Sym(s0)"), QStringLiteral("Sym(s0)"));
        // A function that expressions do not support leaves plain numbers.
        QCOMPARE(shown("f32[Max(1, s0)]"), QStringLiteral("f32[6]"));
        QVERIFY(readAnnotation("f32[Max(1, s0)]", hints).symbolic &&
                !readAnnotation("f32[Max(1, s0)]", hints).expressed);
    }

    void controlFlowKeepsItsGraphs() {
        const auto record = recordOf("control_flow.log");
        const auto& log = record->passes.front().log;
        QVERIFY(std::any_of(log.begin(), log.end(),
                            [](const std::string& l) { return l == "nested graph true_graph_0: 1 operations"; }));
        QCOMPARE(q(record->graph(GraphKind::joint)->findByName("cond")->op()), QStringLiteral("higher_order.cond"));
    }

    // --- logs ---

    void severalCompilations() {
        for (const char* file : {"several.log", "several.trace"}) {
            const auto session = openFile(dataFolder() + QLatin1String(file));
            QCOMPARE(session->compileIds(), (std::vector<std::string>{"0/0", "1/0", "1/1", "2/0"}));
            QCOMPARE(q(session->options().compileId), QStringLiteral("0/0"));
            const auto list = summarizePrinted((dataFolder() + QLatin1String(file)).toStdString(), {});
            QCOMPARE(list.size(), std::size_t(4));
            QCOMPARE(q(list[3].graphs.back().first), QStringLiteral("inference"));
        }
        QCOMPARE(errorOf([] { openFile(dataFolder() + QStringLiteral("several.log"), QStringLiteral("7/7")); }),
                 QStringLiteral(
                     "--compile-id 7/7: 'several.log' has 0/0, 1/0, 1/1, 2/0; list them with 'aotscope compiles'"));
    }

    void aSecondSessionUsesTheIndexAgain() {
        const auto first = openFile(dataFolder() + QStringLiteral("several.trace"));
        Options options = first->options();
        options.compileId = "1/1";
        const auto second = openPrinted(options, {}, first);
        QCOMPARE(q(second->record()->model.name), QStringLiteral("several [1/1]"));
        QVERIFY(second->record()->graph(GraphKind::backward));
    }

    void nothingIsExecuted() {
        const auto session = openFile(dataFolder() + QStringLiteral("mlp.log"));
        QVERIFY(session->whyNotExecutable().find("not run") != std::string::npos);
        QCOMPARE(errorOf([&] { session->check({}); }), q(session->whyNotExecutable()));
        QCOMPARE(errorOf([&] { session->time({3}, {}); }), q(session->whyNotExecutable()));
    }

    void formsOfLogs_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("compiles");
        QFile file(dataFolder() + QStringLiteral("mlp.log"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString log = QString::fromUtf8(file.readAll());
        QTest::newRow("as written") << log << 1;
        QTest::newRow("windows line ends") << QString(log).replace(u'\n', QStringLiteral("\r\n")) << 1;
        QString ranks = log, noisy, raw;
        ranks.replace(QRegularExpression(QStringLiteral("^"), QRegularExpression::MultilineOption),
                      QStringLiteral("[rank0]:"));
        QTest::newRow("ranks") << ranks << 1;
        const QStringList lines = log.split(u'\n');
        for (const QString& line : lines) noisy += line + QStringLiteral("\nepoch 3: loss 0.25\n");
        QTest::newRow("other lines between") << noisy << 1;
        // Two processes write at once; the second has another number.
        const QString process = lines[0].section(u' ', 2, 2);
        QString two;
        for (const QString& line : lines)
            two += line + u'\n' + QString(line).replace(u' ' + process + u' ', QStringLiteral(" 77777 ")) + u'\n';
        QTest::newRow("two processes") << two << 2;
        // Older versions of PyTorch put the prefix in front of a message's first line only.
        const QRegularExpression prefix(QStringLiteral("^I.*?__aot\\w+\\] "));
        for (const QString& line : lines) {
            const QString text = QString(line).remove(prefix);
            raw += (text == QLatin1String("TRACED GRAPH")
                        ? QStringLiteral("[2023-11-21 17:12:46,592] [0/0] torch._functorch.x.__aot_graphs: [INFO] ")
                        : QString()) +
                   text + u'\n';
        }
        QTest::newRow("prefix in front of the first line only") << raw << 1;
    }
    void formsOfLogs() {
        QFETCH(QString, text);
        QFETCH(int, compiles);
        const auto session = openFile(scratch_.write(QStringLiteral("form.log"), text.toUtf8()));
        QVERIFY(session);
        QCOMPARE(static_cast<int>(session->compileIds().size()), compiles);
        QCOMPARE(q(session->compileIds()[0]), QStringLiteral("0/0"));
        QCOMPARE(session->record()->graph(GraphKind::joint)->callCount(), std::size_t(22));
        QCOMPARE(session->record()->graph(GraphKind::backward)->callCount(), std::size_t(18));
    }

    void graphsWithoutHeadingsArePaired() {
        const auto record = recordOf("mlp.log");
        const auto text = [&](const char* heading) {
            QFile file(dataFolder() + QStringLiteral("mlp.log"));
            if (!file.open(QIODevice::ReadOnly)) return QString();
            QString all = QString::fromUtf8(file.readAll());
            all.remove(QRegularExpression(QStringLiteral("^I.*?__aot\\w+\\] "), QRegularExpression::MultilineOption));
            const auto at = all.indexOf(QLatin1String(heading));
            const auto start = all.indexOf(u'\n', at) + 1;
            return all.mid(start, all.indexOf(QLatin1String("TRACED GRAPH"), start) - start);
        };
        const QString pasted = text("Joint graph") + text("Forward graph") + text("Backward graph");
        const auto session = openFile(scratch_.write(QStringLiteral("pasted.txt"), pasted.toUtf8()));
        QCOMPARE(session->compileIds().size(), std::size_t(1));
        for (const auto kind : {GraphKind::joint, GraphKind::forward, GraphKind::backward})
            QCOMPARE(session->record()->graph(kind)->size(), record->graph(kind)->size());
    }

    void otherFilesAreRefused() {
        QVERIFY(!openFile(scratch_.write(QStringLiteral("a.txt"), "hello\nworld\n")));
        QVERIFY(!openFile(
            scratch_.write(QStringLiteral("b.pt"), QByteArray("PK\x03\x04 class G(torch.nn.Module):\n", 32))));
        QVERIFY(!openFile(scratch_.write(QStringLiteral("c.bin"), QByteArray(5000, '\0'))));
        QVERIFY(!openFile(scratch_.write(QStringLiteral("empty"), "")));
        QVERIFY(!openFile(scratch_.path()));
        QVERIFY(!openFile(QStringLiteral("sample:mlp")));
        const QString trace = scratch_.write(QStringLiteral("t.log"),
                                             "V1121 17:12:46.602000 1 x.py:1] {\"str\": [\"a\", 1]}\nV1121 "
                                             "17:12:46.602000 1 x.py:1] {\"str\": [\"b\", 2]}\n");
        QVERIFY(errorOf([&] { openFile(trace); }).contains(QStringLiteral("TORCH_TRACE log without graphs")));
    }

    // --- errors ---

    void errors_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const std::string& text, const char* message) {
            QTest::newRow(name) << q(text) << q(message);
        };
        row("no return", body("        y = torch.ops.aten.sin.default(x)\n"),
            "line 3: expected a 'return' at the end of forward(), found the end of the graph");
        row("no forward", "class G(torch.nn.Module):\n    pass\n",
            "line 2: expected 'def forward(...)' or a nested class, found 'pass'");
        row("undefined value", statement("y = torch.ops.aten.sin.default(x, z[0])"),
            "line 3: expected ',' or ')', found '[0])'");
        row("undefined operand", statement("y = z * 2"), "line 3: expected '(', found '* 2'");
        row("unclosed call", statement("y = torch.ops.aten.sin.default(x"),
            "line 4: expected ',' or ')', found 'return (x,)'");
        row("unclosed text", statement("y: \"f32[2] = torch.ops.aten.sin.default(x)"),
            "line 3: expected a closing quote in this line");
        row("no operation", statement("y = 3"), "line 3: expected an operation, found the end of the line");
        row("text behind", statement("y = torch.ops.aten.sin.default(x) 17"),
            "line 3: expected the end of the statement, found '17'");
        row("no equals sign", statement("y torch"), "line 3: expected '=' after 'y', found 'torch'");
        row("no statement", statement("%y = 3"), "line 3: expected a statement, found '%y = 3'");
        row("cut signature", "class G(torch.nn.Module):\n    def forward(self, x: \"f32[2]\"",
            "line 2: expected ',' or ')', found the end of the graph");
        row("twice", "class G(torch.nn.Module):\n    def forward(self, x, x):\n        return x\n",
            "expected a parameter 'x' only once");
        row("deep", statement("y = torch.ops.aten.sin.default(" + std::string(100'000, '[') + ")"),
            "line 3: expected brackets nested at most 200 deep");
        row("deep return", body("        return " + std::string(100'000, '(')),
            "line 3: expected brackets nested at most 200 deep");
        row("deep attribute",
            statement("y = " +
                      [] {
                          std::string s;
                          for (int i = 0; i < 100'000; ++i) s += "getattr(";
                          return s;
                      }() +
                      "self"),
            "line 3: expected");
    }
    void errors() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const QString error = errorOf([&] { recordOfText(text.toStdString()); });
        QVERIFY2(error.startsWith(QStringLiteral("text.txt, line ")), qPrintable(error));
        QVERIFY2(error.contains(message), qPrintable(error));
    }

    void deepModulesAreRefused() {
        std::string text;
        for (int i = 0; i < 1000; ++i)
            text += std::string(static_cast<std::size_t>(i), ' ') + "class G(torch.nn.Module):\n";
        QVERIFY(errorOf([&] { recordOfText(text); }).contains(QStringLiteral("expected")));
    }

    /// Truncated and overwritten files give a graph or an error, nothing else.
    void damagedFilesAreRefused() {
        for (const char* name :
             {"control_flow.log", "mlp.trace", "expanded.txt", "symbolic_trace.txt", "dynamic.trace"}) {
            const QByteArray whole = contentOf(dataFolder() + QLatin1String(name));
            for (qsizetype cut = 1; cut < whole.size(); cut += whole.size() / 60 + 1) {
                QByteArray changed = whole;
                changed[cut] = "([{\"'#\n="[cut % 8];
                for (const QByteArray& text : {whole.left(cut), changed}) {
                    const QString path = scratch_.write(QStringLiteral("damaged.log"), text);
                    const QString error = errorOf([&] {
                        if (openFile(path)) splitAgain(path, {}, PartitionAlgorithm::minCut);
                    });
                    QVERIFY2(!error.startsWith(QLatin1String("not an Error")), qPrintable(error));
                }
            }
        }
    }

    // --- speed ---

    void tenThousandOperations() {
        std::string text =
            "class G(torch.nn.Module):\n    def forward(self, a: \"f32[64, 64][64, 1]cpu\"):\n        v0 = "
            "torch.ops.aten.sin.default(a)\n";
        for (int i = 1; i < 10'000; ++i) {
            const std::string name = "v" + std::to_string(i), before = "v" + std::to_string(i - 1);
            text += "        # File: /m.py:" + std::to_string(i / 3) + " in forward, code: x = f(x)\n        " + name +
                    ": \"f32[64, 64][64, 1]cpu\" = torch.ops.aten.add.Tensor(" + before + ", a);  " + before +
                    " = None\n";
        }
        text += "        return (v9999,)\n";
        const ProcessorClock clock;
        const auto record = recordOfText(text);
        const double ms = clock.milliseconds();
        QCOMPARE(record->graph(GraphKind::inference)->callCount(), std::size_t(10'000));
        qInfo("10,000 operations in %.0f ms", ms);
        QVERIFY2(ms < 10'000,
                 qPrintable(QString::number(ms)));  // 150 on a quiet machine; quadratic time would be minutes
    }

    void manyOutputsStayLinear() {
        std::string parameters, names;
        for (int i = 0; i < 50'000; ++i)
            parameters += ", p" + std::to_string(i), names += "p" + std::to_string(i) + ", ";
        const auto record = recordOfText("class G(torch.nn.Module):\n    def forward(self" + parameters +
                                         "):\n        return (" + names + ")\n");
        QCOMPARE(record->graphs.begin()->second->outputs().size(), std::size_t(50'000));
    }

    void largeLogsAreStreamed() {
        const auto resident = [] {
            std::ifstream file("/proc/self/statm");
            qint64 total = 0, pages = 0;
            file >> total >> pages;
            return pages * 4096;
        };
        const QByteArray once = contentOf(dataFolder() + QStringLiteral("several.trace"));
        constexpr qint64 megabytes = 200;
        const QString path = scratch_.at(QStringLiteral("large.log"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        while (file.size() < megabytes * 1'000'000) file.write(once);
        file.close();
        const qint64 before = resident();
        const ProcessorClock clock;
        const LogIndex index = indexLog(path.toStdString(), {});
        const double seconds = clock.milliseconds() / 1000;
        const qint64 grown = (resident() - before) / 1'000'000;
        QCOMPARE(static_cast<qint64>(index.compiles.size()), 4 * (file.size() / once.size()));
        qInfo("%lld MB in %.2f s, %lld MB more memory", static_cast<long long>(megabytes), seconds,
              static_cast<long long>(grown));
        QVERIFY2(grown < 60, qPrintable(QString::number(grown)));
        QVERIFY(seconds < 20);  // half a second on a quiet machine
        file.remove();
    }
};

QTEST_GUILESS_MAIN(TestPrintedGraphs)
#include "test_printed_graphs.moc"
