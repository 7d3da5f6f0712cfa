// Texts as people paste them: prefixes of lines, and the other forms in which Python prints graphs.

#include "printed_files.h"
#include "test_printed_graphs.h"

#include "ir/printer.h"
#include "load/printed/text_parts.h"
#include "load/trace_log/cache_record.h"
#include "load/trace_log/text_stories.h"
#include "load/trace_log/trace_indexer.h"
#include "load/trace_log/trace_story.h"
#include "support/text.h"

#include <array>
#include <functional>
#include <utility>
#include <vector>

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// All graphs of the first compilation in a text.
QString graphsIn(const QString& path) {
    const auto session = openFile(path);
    if (!session) return u"no graphs"_s;
    QString text = q(session->record()->error);
    for (const auto& [kind, graph] : session->record()->graphs)
        text += q(std::string(name(kind))) + u'\n' + q(printGraph(*graph, Detail::full));
    return text;
}

/// `%1` counts the lines.
constexpr std::array kHeads = {
    "[rank1]:",
    "[rank1]: ",
    "[rank1]:[rank1]:",
    "[default0]:",
    "[1,0]<stderr>:",
    "0: ",
    "(RayWorker pid=12) ",
    "\x1b[36m(RayWorker pid=12)\x1b[0m ",
    "[36m(RayWorker pid=12)[0m ",
    "(EngineCore_DP0 pid=123) ",
    "(Worker_TP0 pid=12) ",
    "2025-08-12T03:18:22.%1Z ",
    "2025-08-12T03:18:22.%1772345Z ",
    "2025-08-12T03:18:22.%1+02:00 ",
    "[2025-08-12 03:18:23.%1] ",
    "03:18:%1 ",
    "[ 12.%1] ",
    "17234.%1 | ",
    "> ",
    "> > ",
    "+ ",
    "| ",
    "    ",
    "worker-0  | ",
    "pod/train-0 pytorch ",
    "INFO:torch:",
    "DEBUG 2025-08-12 03:18:22.%1 - ",
    "[INFO] ",
    "Aug 12 03:18:22 host python[123]: ",
    "<30>1 2025-08-12T03:18:22.%1Z host train 77 - - ",
    "I0812 03:18:22.000%1 77 launcher.py:3] ",
    "test (3.11)\tRun tests\t2025-08-12T03:18:22.%12345Z ",
    "\xef\xbb\xbf",
    "[36mtrain-0 [0m[2025-08-12 03:18:23.%1] ",
    "[1;32m[worker 3][0m ",
    "{pod=\"train-0\"} ",
    "E   ",
    "# ",
    "// ",
    "stderr | ",
    "##[error]",
    "::debug::",
    "2025-08-12 03:18:22,%1 ERROR stderr: ",
    "[gpu03.cluster:12345] ",
    "Trainer(rank=0, local_rank=0) ",
    "\xe2\x94\x82 ",
    "\t",
};

QString behindHeads(const QString& text, const char* head) {
    QString changed;
    int count = 100;
    for (const QString& line : text.split(u'\n')) {
        const QString front = QString::fromUtf8(head);
        changed += (front.contains(u'%') ? front.arg(++count) : front) + line + u'\n';
    }
    return changed;
}

QByteArray wide(const QByteArray& text, const char* encoding, bool marked) {
    QStringEncoder encoder(encoding, marked ? QStringConverter::Flag::WriteBom : QStringConverter::Flag::Default);
    return encoder.encode(QString::fromUtf8(text));
}

/// These insert lines of their own, without a prefix.
const QStringList kBetween = {u"progress bars"_s, u"output of others between"_s};

/// Other changes of a text on its way.
const std::vector<std::pair<const char*, std::function<QByteArray(QByteArray)>>>& ways() {
    static const std::vector<std::pair<const char*, std::function<QByteArray(QByteArray)>>> list = {
        {"Windows", [](QByteArray text) -> QByteArray { return text.replace('\n', "\r\n"); }},
        {"carriage returns", [](QByteArray text) -> QByteArray { return text.replace('\n', '\r'); }},
        {"progress bars",
         [](QByteArray text) -> QByteArray {
             return text.replace("\n", "\n  5%|\xe2\x96\x8c  | 1/20 [00:01<00:20]\r");
         }},
        {"escaped for the web",
         [](QByteArray text) -> QByteArray {
             return text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;");
         }},
        {"blanks that do not break", [](QByteArray text) -> QByteArray { return text.replace("    ", "\xc2\xa0   "); }},
        {"typographic quotes",
         [](QByteArray text) -> QByteArray {
             return text.replace(": \"", ": \xe2\x80\x9c").replace("\" =", "\xe2\x80\x9d =");
         }},
        {"bold", [](QByteArray text) -> QByteArray { return text.replace("torch.ops", "\x1b[1;33mtorch\x1b[0m.ops"); }},
        {"a hole", [](QByteArray text) -> QByteArray { return QByteArray(700, '\0') + text; }},
        {"lines of a container",
         [](const QByteArray& text) -> QByteArray {
             QByteArray lines;
             for (QByteArray line : text.split('\n')) {
                 line.replace('\\', "\\\\").replace('"', "\\\"").replace('\t', "\\t");
                 lines += "{\"log\":\"" + line + "\\n\",\"stream\":\"stderr\",\"time\":\"2025-08-12T03:18:22.772Z\"}\n";
             }
             return lines;
         }},
        {"a notebook",
         [](const QByteArray& text) -> QByteArray {
             QByteArray lines = "{\n \"cells\": [\n  {\"outputs\": [{\"text\": [\n";
             for (QByteArray line : text.split('\n')) {
                 line.replace('\\', "\\\\").replace('"', "\\\"").replace('\t', "\\t");
                 lines += "      \"" + line + "\\n\",\n";
             }
             return lines + "      \"\"\n     ]}]}]}\n";
         }},
        {"PowerShell",
         [](QByteArray text) -> QByteArray { return wide(text.replace('\n', "\r\n"), "UTF-16LE", true); }},
        {"UTF-16, the other order", [](const QByteArray& text) -> QByteArray { return wide(text, "UTF-16BE", true); }},
        {"UTF-16 without a mark", [](const QByteArray& text) -> QByteArray { return wide(text, "UTF-16LE", false); }},
        {"UTF-16 with carriage returns",
         [](QByteArray text) -> QByteArray { return wide(text.replace('\n', '\r'), "UTF-16LE", true); }},
        {"output of others between",
         [](QByteArray text) -> QByteArray { return text.replace("\n", "\nepoch 3: loss 0.25\n"); }},
    };
    return list;
}

}  // namespace

void TestPrintedGraphs::anyHeadGivesTheSameGraphs_data() {
    columns<QString, QByteArray>("file", "text");
    for (const char* file : {"mlp.log", "expanded.txt", "listed.txt", "table.txt"}) {
        const QByteArray text = contentOf(dataFolder() + QLatin1String(file));
        const bool log = QString::fromLatin1(file).endsWith(".log"_L1);
        const auto row = [&](const char* what, const QByteArray& changed) {
            QTest::newRow((QByteArray(file) + ": " + what).constData()) << QString::fromLatin1(file) << changed;
        };
        for (const char* head : kHeads) row(head, behindHeads(QString::fromUtf8(text), head).toUtf8());
        for (const auto& [what, change] : ways())
            if (log || !kBetween.contains(QLatin1String(what))) row(what, change(text));
        if (!log) continue;
        const auto cut = [&](const char* pattern) {
            return QString::fromUtf8(text)
                .remove(QRegularExpression(QLatin1String(pattern), QRegularExpression::MultilineOption))
                .toUtf8();
        };
        row("no date", cut("^I\\S+ \\S+ "));
        row("no process", cut("^I\\S+ \\S+ \\d+ "));
        row("the file without its folder", cut("^I\\S+ \\S+ \\d+ \\S*/(?=\\w+\\.py:)"));
        row("tags alone", cut("^I\\S+ \\S+ \\d+ \\S+\\] "));
        row("the artifact alone", cut("^I\\S+ \\S+ \\d+ \\S+\\] \\[0/0\\] "));
        row("blanks at the end", cut(" +$"));
    }
    const QByteArray trace = contentOf(dataFolder() + u"mlp.trace"_s);
    QTest::newRow("trace: PowerShell") << u"mlp.trace"_s << wide(trace, "UTF-16LE", true);
    QTest::newRow("trace: UTF-16, the other order") << u"mlp.trace"_s << wide(trace, "UTF-16BE", true);
}
void TestPrintedGraphs::anyHeadGivesTheSameGraphs() {
    QFETCH(QString, file);
    QFETCH(QByteArray, text);
    QCOMPARE(graphsIn(scratch_.write(u"text.log"_s, text)), graphsIn(dataFolder() + file));
}

/// Whatever the text contains, the parts stay few and lose nothing.
void TestPrintedGraphs::partsBetweenCommas() {
    const std::vector<std::string_view> parts = {"a", "f(b, [c, {d, e}])", "'g, )'", "h"};
    QCOMPARE(splitOutside("a, f(b, [c, {d, e}]),\n'g, )' , h,"), parts);
    const std::string many(3'000'000, ',');
    const auto bounded = splitOutside(many);
    QCOMPARE(bounded.size(), kMostParts);
    QCOMPARE(bounded.back().size(), many.size() - kMostParts + 1);
}

void TestPrintedGraphs::listsAndTablesAreTheSameGraph() {
    const auto listedRecord = recordOf("listed.txt"), tableRecord = recordOf("table.txt");
    const auto listed = listedRecord->graph(GraphKind::inference);
    const auto table = tableRecord->graph(GraphKind::inference);
    QVERIFY(listed && table);
    QCOMPARE(listed->callCount(), std::size_t(7));
    QCOMPARE(q(printGraph(*table, Detail::full)), q(printGraph(*listed, Detail::full)));
    const Node* gelu = listed->findByName("gelu");
    QCOMPARE(gelu->kwargs().size(), std::size_t(1));
    QVERIFY(gelu->kwargs()[0].second == Argument("tanh"));
    // Graphs captured by TorchDynamo call modules, methods and functions.
    const auto source = recordOfText(
        "graph():\n"
        "    %x : [#users=2] = placeholder[target=x]\n"
        "    %w : [#users=1] = get_attr[target=layers.0.weight]\n"
        "    %l : [num_users=1] = call_module[target=layers.0](args = (%x,), kwargs = {})\n"
        "    %relu : torch.Tensor [num_users=1] = call_function[target=torch.nn.functional.relu](args = (%l,), kwargs "
        "= "
        "{inplace: False})\n"
        "    %sum_1 : [num_users=1] = call_method[target=sum](args = (%relu, -1), kwargs = {})\n"
        "    %getitem : [num_users=1] = call_function[target=operator.getitem](args = (%x, (slice(None, None, None), "
        "0)), "
        "kwargs = {})\n"
        "    %add : [num_users=1] = call_function[target=operator.add](args = (%sum_1, %getitem), kwargs = {})\n"
        "    return add");
    const auto graph = source->graph(GraphKind::source);
    QVERIFY(graph);
    QCOMPARE(graph->callCount(), std::size_t(5));
    QCOMPARE(q(graph->findByName("sum_1")->op()), u"Tensor.sum"_s);
    QCOMPARE(q(graph->findByName("w")->op()), u"layers.0.weight"_s);
    QVERIFY(errorOf([&] {
                recordOfText("graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %y : nonsense\n");
            }).contains(u"line 3: expected a node of the printed graph, found '%y : nonsense'"_s));
}

/// repro.py and similar files state what their graphs run on.
void TestPrintedGraphs::scriptsForReportsHaveTypes() {
    const auto record = recordOf("repro.py");
    const auto graph = record->graph(GraphKind::inference);
    QVERIFY(graph);
    const TensorType* input = graph->findByName("arg2_1")->type.tensor();
    QVERIFY(input && input->symbolic);
    QCOMPARE(input->sizes, (std::vector<std::int64_t>{5, 4}));
    const TensorType* result = graph->findByName("sigmoid")->type.tensor();
    QVERIFY(result);
    QCOMPARE(result->dtype, DType::f16);
    QCOMPARE(result->sizes, (std::vector<std::int64_t>{5, 6}));
    // Until PyTorch 2.0, including what the class creates.
    const auto older = recordOfText(
        "class Repro(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.register_buffer('_tensor_constant0', torch.randn([4, 5], dtype=torch.float32).to(\"cuda:0\"))\n"
        "    def forward(self, arg0_1, arg1_1):\n        _tensor_constant0 = self._tensor_constant0\n"
        "        add = torch.ops.aten.add.Tensor(arg1_1, _tensor_constant0)\n        return (add, arg0_1)\n\n"
        "args = [((3,), (1,), torch.int64, 'cpu'), ((4, 5), (1, 4), torch.float32, 'cuda')]\n"
        "args = [rand_strided(sh, st, dt, dev) for (sh, st, dt, dev) in args]\nmod = make_fx(Repro())(*args)\n");
    const auto added = older->graph(GraphKind::inference);
    QVERIFY(added);
    QCOMPARE(added->findByName("arg0_1")->type.tensor()->dtype, DType::i64);
    QCOMPARE(added->findByName("arg1_1")->type.tensor()->strides, (std::vector<std::int64_t>{1, 4}));
    QCOMPARE(q(added->findByName("_tensor_constant0")->type.tensor()->device.name), u"cuda:0"_s);
    QVERIFY(added->findByName("add")->type.tensor());
}

void TestPrintedGraphs::valuesAreDefinedAbove() {
    QVERIFY(errorOf([&] {
                recordOfText(
                    "class G(torch.nn.Module):\n    def forward(self, x: \"f32[2]\"):\n"
                    "        y = torch.ops.aten.add.Tensor(x, z)\n        z = torch.ops.aten.sin.default(x)\n"
                    "        return (y, z)\n");
            }).contains(u"line 3: expected a value that is defined above, found 'z)'"_s));
    QVERIFY(errorOf([&] {
                recordOfText(
                    "class G(torch.nn.Module):\n    def forward(self, x: \"f32[2]\"):\n"
                    "        y = torch.ops.aten.sin.default(y)\n        return (y,)\n");
            }).contains(u"line 3: expected a value that is defined above, found 'y)'"_s));
}

/// Python writes "x[0] = 1" and "x += 1" as statements, and names their results after them.
void TestPrintedGraphs::statementsThatWrite() {
    const auto record = recordOfText(
        "class GraphModule(torch.nn.Module):\n    def forward(self, L_x_: \"f32[4]\", L_y_: \"f32[4]\"):\n"
        "        l_x_ = L_x_\n        l_y_ = L_y_\n"
        "        l_x_[1] = 3;  setitem = l_x_;  setitem = None\n"
        "        l_x_[(slice(None, 2, None), None)] = l_y_;  setitem_1 = l_x_;  setitem_1 = None\n"
        "        l_x_ *= 2;  imul: \"f32[4]\" = l_x_;  l_x_ = None\n"
        "        mul: \"f32[4]\" = imul * l_y_;  imul = l_y_ = None\n        return (mul,)\n");
    const auto graph = record->graph(GraphKind::inference);
    QVERIFY2(graph, record->error.c_str());
    QStringList operations;
    for (const Node* node : graph->nodes())
        if (node->kind() == NodeKind::call) operations << q(node->op());
    QCOMPARE(operations.join(u' '), u"operator.setitem operator.setitem operator.imul operator.mul"_s);
    QCOMPARE(graph->findByName("setitem_1")->args().size(), std::size_t(3));
    QVERIFY(graph->findByName("imul")->type.tensor());
}

/// TORCH_LOGS=recompiles,graph_breaks,dynamic without any graph.
void TestPrintedGraphs::textsTellOfCompilations() {
    const QByteArray place = "V1128 02:37:05.496000 29439 torch/_dynamo/";
    const auto broken = [&](const char* id, const char* first) -> QByteArray {
        const QByteArray head = place + "symbolic_convert.py:5124] [" + id + "] [__graph_breaks] ";
        return head + first + "\n" + head + "Graph Break Reason: a call that is not traced\n" + head + "\n" + head +
               "Failed to trace builtin operator\n" + head + "  Hint: avoid it\n";
    };
    const QByteArray again = place + "guards.py:5396] [0/1] [__recompiles] ";
    const QByteArray text =
        broken("0/0", "Graph break in user code at /src/m.py:6") + again + "Recompiling function f in /src/m.py:3\n" +
        again + "    triggered by the following guard failure(s):\n" + again +
        "    - 0/0: tensor 'x' size mismatch at index 0. expected 2, actual 3\n" +
        broken("0/1", "Graph break (user stack suppressed due to duplicate graph break) in user code at /src/m.py:6") +
        "I1128 02:37:05.496000 29439 torch/fx/experimental/symbolic_shapes.py:4606] [0/1] create_symbol s77 = 3 for "
        "L['x'].size()[0] [2, int_oo] f(x)\n";
    const QString path = scratch_.write(u"text.log"_s, text);
    const TextStories told = readTextStories(path.toStdString(), {});
    QCOMPARE(told.stories.size(), std::size_t(2));
    QCOMPARE(q(told.log.compiles[0].id), u"0/0"_s);
    QCOMPARE(q(told.log.compiles[0].code.function), u"f"_s);
    for (const CompileStory& story : told.stories) {
        QCOMPARE(story.breaks.size(), std::size_t(1));
        QCOMPARE(q(shortPlace(story.breaks[0].place)), u"m.py:6"_s);
        QCOMPARE(q(story.breaks[0].reason), u"Failed to trace builtin operator"_s);
    }
    const CompileStory& second = told.stories[1];
    QCOMPARE(second.recompiledFor.size(), std::size_t(1));
    QCOMPARE(q(second.recompiledFor[0].earlier), u"0/0"_s);
    QCOMPARE(q(second.recompiledFor[0].check), u"tensor 'x' size mismatch at index 0. expected 2, actual 3"_s);
    QCOMPARE(second.symbols.size(), std::size_t(1));
    QCOMPARE(q(second.symbols[0].range), u"[2, int_oo]"_s);
    QCOMPARE(q(second.symbols[0].source), u"L['x'].size()[0]"_s);
}

/// The closest miss of a lookup is one of the same function and direction; the first differing lines are shown.
void TestPrintedGraphs::missesAreComparedWithTheirLike() {
    const auto lookup = [](int frame, const char* function, bool backward, const char* body) -> QByteArray {
        const QByteArray where =
            QByteArray(R"(, "frame_id": )") + QByteArray::number(frame) + R"(, "frame_compile_id": 0, "attempt": 0)";
        const QByteArray head = "V1126 10:00:00.000000 4711 torch/x.py:1] ";
        return head + R"({"dynamo_start": {"stack": [{"line": 1, "name": ")" + function +
               R"(", "filename": "/src/m.py"}]})" + where + "}\n" + head +
               R"({"artifact": {"name": "fx_graph_cache_miss", "encoding": "json"})" + where +
               R"(, "has_payload": "x"})" + "\n\t" + R"({"key": "k", "components": ["[a] gm: def f():\n)" + body +
               R"(", "[b] fx_kwargs[is_backward]: )" + (backward ? "True" : "False") + R"("]})" + "\n";
    };
    const QByteArray text = lookup(0, "f", false, R"(  a\n  b\n  c)") + lookup(1, "f", true, R"(  a\n  b\n  d)") +
                            lookup(2, "other", false, R"(  a\n  b\n  d)") + lookup(3, "f", false, R"(  a\n  b\n  d)") +
                            lookup(4, "third", false, R"(  a\n  b\n  d)");
    const TraceLog log = indexTrace(scratch_.write(u"misses.log"_s, text).toStdString(), {});
    const auto missed = [&](std::size_t i) {
        const CompileStory story = readStory(log, log.compiles.at(i), {}, {LogTopic::caches});
        return whyMissed(log, log.compiles.at(i), story.caches.at(0).line);
    };
    QCOMPARE(log.compiles.size(), std::size_t(5));
    const auto found = missed(3);
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(q(found[0].part), u"gm"_s);
    QCOMPARE(q(found[0].earlier), u"c"_s);
    QCOMPARE(q(found[0].now), u"d"_s);
    QVERIFY(missed(4).empty());
}
