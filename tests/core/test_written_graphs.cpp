// Graphs as written by the program: Python, JSON, DOT.

#include "io/dot.h"
#include "io/python/graph.h"
#include "io/python/script.h"
#include "io/report.h"
#include "load/printed/parser.h"
#include "support/golden.h"
#include "support/test_program.h"
#include "support/text.h"

#include <nlohmann/json.hpp>

namespace aotscope::test::written_graphs_test {
namespace {

std::unique_ptr<Graph> smallGraph() {
    return parseSound(
        "graph small\n%x : f32[2, 3]<0, 0, 24, requires_grad> = placeholder(parameter) ; id=0 label=\"a \\\"quoted\\\" "
        "name\"\n"
        "%c : i64[] = constant(c) ; id=1\n"
        "%add : f32[2, 3] = aten.add.Tensor(%x, %c, alpha=2) ; id=5 module=\"layer\" text=\"x + c\"\n"
        "%mul : f32[2, 3] = aten.mul.Tensor(%add, %add) ; id=6 stage=backward\n"
        "return [%mul : output, 3 : output]");
}

}  // namespace

class TestWrittenGraphs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// As print_readable() writes it.
    void pythonOfAGraph() {
        const auto graph = parseSound(
            "graph joint where s0 = 2 in 0..9\n%x : f32[2, 3][1, 2]cuda:0<0, 0, 24> = placeholder(parameter) ; id=0\n"
            "%s0 : Sym(s0) = placeholder ; id=1\n"
            "%c : i64[] = constant(_tensor_constant0) ; id=2\n"
            "%mul : int(4) = operator.mul(%s0, -2) ; id=3\n"
            "%max : (f32[2], i64[2]) = aten.max.dim(%x, 1) ; id=4 file=\"net.py\" line=7 text=\"x.max(1)\"\n"
            "%lambda : f32[2] = operator.getitem(%max, 0) ; id=5 recompute=MUST_SAVE region=3\n"
            "%full : c64[2] = aten.full.default([%mul], complex(1.0, -2.0), dtype=torch.complex64, "
            "device=device(cuda:0), memory_format=torch.channels_last) ; id=6\n"
            "%add : f32[2] = aten.add.Tensor(%lambda, inf, alpha=nan) ; id=7\n"
            "return [%add : output, None : output, %full : output]");
        QCOMPARE(q(pythonModule(*graph, "joint")),
                 u"class joint(torch.nn.Module):\n"
                 "    def forward(self, x: \"f32[2, 3][1, 2]cuda:0\", s0: \"Sym(s0)\"):\n"
                 "        c: \"i64[]\" = self._tensor_constant0;  c = None\n"
                 "        # No stacktrace found for following nodes\n"
                 "        mul: \"int(4)\" = s0 * (-2);  s0 = None\n"
                 "        # File: net.py:7, code: x.max(1)\n"
                 "        max = torch.ops.aten.max.dim(x, 1);  x = None\n"
                 "        # ac_graph_id: 3 - MUST_SAVE\n"
                 "        lambda_: \"f32[2]\" = max[0];  max = None\n"
                 "        # No stacktrace found for following nodes\n"
                 "        full: \"c64[2]\" = torch.ops.aten.full.default([mul], (1.0-2.0j), dtype = torch.complex64, "
                 "device = device(type='cuda', index=0), memory_format = torch.channels_last);  mul = None\n"
                 "        add: \"f32[2]\" = torch.ops.aten.add.Tensor(lambda_, inf, alpha = nan);  lambda_ = None\n"
                 "        return [add, None, full]\n"_s);
    }

    /// Names and comments come from untrusted files.
    void pythonHasOnlyItsOwnLines() {
        Graph graph("g(): import os\nclass x");
        Node* x = graph.addPlaceholder("x", {}, Role::userInput, "a\nimport os");
        Node* y = graph.addCall("aten.sin();import os\n.default", {x, "it's\n\\"}, {{"from", 1}, {"b=1", 2}}, {});
        y->source = std::make_shared<SourceInfo>(SourceInfo{"m\nimport os", "", "f\rimport os", 3, "t\nimport os"});
        graph.setOutput({y}, {{Role::userOutput, "\nimport os"}});
        const std::string text = pythonScript({{graph, "a graph\nimport os", {}}});
        for (const QByteArray& line : QByteArray::fromStdString(text).split('\n')) {
            QVERIFY2(!line.trimmed().startsWith("import os"), line.constData());
            QVERIFY2(!line.contains('\r'), line.constData());
        }
        QVERIFY(text.find("class g____import_os_class_x(torch.nn.Module):\n") != std::string::npos);
        QVERIFY(text.find("torch.ops.aten.sin___import_os_.default(x, 'it\\'s\\n\\\\', **{'from': 1}, b_1 = 2)") !=
                std::string::npos);
    }

    /// The subgraph of a loop returns a tuple.
    void pythonOfARegionReturnsATuple() {
        const auto graph = parseSound(
            "graph forward\n%x : f32[2] = placeholder(input) ; id=0\n"
            "%loop : ? = higher_order.while_loop(@test, @body, [%x], []) ; id=1\n"
            "%item : f32[2] = operator.getitem(%loop, 0) ; id=2\nreturn [%item : output]\n"
            "graph forward.test\n%a : f32[2] = placeholder ; id=0\n%any : b8[] = aten.any.default(%a) ; id=1\n"
            "return [%any : output]\n"
            "graph forward.body\n%b : f32[2] = placeholder ; id=0\n%sin : f32[2] = aten.sin.default(%b) ; id=1\n"
            "return [%sin : output]\n");
        const std::string text = pythonModule(*graph, "forward");
        for (const char* line : {"return [item]\n", "return any\n", "return (sin,)\n"})
            QVERIFY2(text.find(line) != std::string::npos, text.c_str());
    }

    void pythonSaysWhichLibrariesItNeeds() {
        Graph graph("g");
        Node* x = graph.addPlaceholder("x", {}, Role::userInput);
        Node* y = graph.addCall("torchvision.nms.default", {x}, {}, {});
        graph.setOutput({graph.addCall("elsewhere.scale.default", {y}, {}, {})}, {{Role::userOutput, ""}});
        const std::string text = pythonScript({{graph, "a graph", {}}});
        QVERIFY2(text.find("OPERATORS = [\n    'elsewhere.scale',\n    'torchvision.nms',\n]\n"
                           "with contextlib.suppress(ImportError):\n    import elsewhere\n"
                           "with contextlib.suppress(ImportError):\n    import torchvision\n") != std::string::npos,
                 text.c_str());
        QVERIFY(pythonScript({{*smallGraph(), "the small graph", {}}}).find("OPERATORS") == std::string::npos);
    }

    /// The reader of printed graphs takes the module, and the rest of a script.
    void pythonIsReadAgain() {
        const auto graph = smallGraph();
        const std::string text = pythonScript({{*graph, "the small graph", {}}});
        const auto module = parsePrinted({"repro.py", text, {}}, {});
        QCOMPARE(q(module->className), u"small"_s);
        const std::vector<Node*> before = graph->nodes(), after = module->graph->nodes();
        QCOMPARE(after.size() + 1, before.size());
        for (std::size_t i = 0; i < after.size(); ++i)
            QCOMPARE(q(printNode(*after[i])), q(printNode(*before[i])).replace(u"(parameter)"_s, QString()));
        QCOMPARE(module->outputs.size(), std::size_t{2});
    }

    void graphsAsJsonAndDot() {
        const auto graph = smallGraph();
        QCOMPARE(compareWithGolden(u"io/graph.json"_s, QByteArray::fromStdString(graphJson(*graph).dump(1) + "\n")),
                 QString());
        QCOMPARE(compareWithGolden(u"io/graph.dot"_s, QByteArray::fromStdString(printDot(*graph))), QString());
        QCOMPARE(q(dotString("a\"b\\c\nd")), u"\"a\\\"b\\\\c\\nd\""_s);
    }

    /// A cluster for the operator with one for each of its subgraphs.
    void subgraphsAreClustersInDot() {
        const auto graph = parseSound(
            "graph g\n%x : f32[1] = placeholder ; id=0\n"
            "%c : (f32[1]) = higher_order.cond(%x, @yes, @no, [%x]) ; id=1\nreturn [%c]\n"
            "graph g.yes\n%x : f32[1] = placeholder\n%sin : f32[1] = aten.sin.default(%x)\nreturn [%sin]\n"
            "graph g.no\n%x : f32[1] = placeholder\nreturn [%x]\n");
        const QString dot = q(printDot(*graph));
        const auto at = [&](const char* text) { return dot.indexOf(QLatin1String(text)); };
        QVERIFY2(at("label=\"cond\"") > 0 && at("label=\"cond\"") < at("  n1 [") &&
                     at("  n1 [") < at("label=\"true_fn: yes\"") && at("label=\"true_fn: yes\"") < at("sin\\n") &&
                     at("sin\\n") < at("label=\"false_fn: no\""),
                 qPrintable(dot));
        QCOMPARE(dot.count(u'{'), dot.count(u'}'));
    }
};

AOTSCOPE_TEST(TestWrittenGraphs)

}  // namespace aotscope::test::written_graphs_test

#include "test_written_graphs.moc"
