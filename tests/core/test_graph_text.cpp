// Graphs as text: printing, reading back, and errors of the parser.

#include "support/graph_files.h"
#include "support/test_program.h"
#include "support/text.h"

namespace aotscope::test::graph_text_test {

class TestGraphText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void roundTrip_data() {
        const auto row = columns<QString>("text");
        for (const char* file : {"every_argument", "every_type", "full_detail", "chain"}) row(file, q(graphText(file)));
        row("no nodes", "graph empty\n  return []\n");
        row("names that look generated",
            "graph g\n  %x_1 : f32[1] = placeholder\n  %x : f32[1] = placeholder\n"
            "  %output : f32[1] = aten.x.default(%x_1)\n  return [%output : output, %x : output]\n");
        row("all output roles",
            "graph g\n  %x : f32[1] = placeholder(synthetic_base)\n"
            "  return [%x : mutated_input \"w\", %x : output \"\\\\\", %x : intermediate_base, %x : saved, "
            "%x : saved_symint, %x : gradient]\n");
        row("name with a dash", "graph forward-traced\n  return []\n");
        row("subgraphs of subgraphs, one used twice",
            "graph g\n  %p : b8[] = placeholder\n  %x : f32[1] = placeholder\n"
            "  %c : (f32[1]) = higher_order.cond(%p, @a, @b, [%x])\n"
            "  %d : (f32[1]) = higher_order.cond(%p, @b, @a, [%x])\n  return [%x : output]\n"
            "graph g.a\n  %x : f32[1] = placeholder\n  %m : (f32[1]) = higher_order.map_impl(@a, [%x], [])\n"
            "  return [%x : output]\n"
            "graph g.a.a\n  %y : f32[1] = placeholder\n  return [%y : output]\n"
            "graph g.b\n  %x : f32[1] = placeholder\n  return [%x : output]\n");
        row("largest integer",
            "graph g\n  %n : int(9223372036854775807) = placeholder(input)\n  return [%n : output]\n");
    }
    void roundTrip() {
        QFETCH(QString, text);
        const std::string original = text.toStdString();
        const auto own = original.find("; id=") != std::string::npos ? Detail::full : Detail::types;
        std::unique_ptr<Graph> graph;
        QCOMPARE(errorOf([&] { graph = parseSound(original); }), QString());
        QCOMPARE(q(printGraph(*graph, own)), text);
        for (const Detail detail : {Detail::types, Detail::full}) {
            const std::string once = printGraph(*graph, detail);
            QCOMPARE(q(printGraph(*parseSound(once), detail)), q(once));
        }
    }

    void twoNodesOfOneConstantSurviveTheRoundTrip() {
        Graph graph("g");
        Node* first = graph.addConstant("weight", {TensorType{}});
        Node* second = graph.addConstant("weight", {TensorType{}});
        graph.setOutput({first, second}, {{}, {}});
        const std::string printed = printGraph(graph);
        std::string again;
        QCOMPARE(errorOf([&] { again = printGraph(*parseGraph(printed)); }), QString());
        QCOMPARE(q(again), q(printed));
    }

    void commentsAndBlanksAreSkipped() {
        const auto graph = parseSound(
            "# a comment\n\n graph g # another\n\n%x : f32[2]=placeholder ( input )\n\n\t%y : "
            "f32[2] = aten.add.Tensor( %x , alpha=2 )#\nreturn[%y : output\"a # b\"]\n# end");
        QCOMPARE(q(printGraph(*graph)),
                 u"graph g\n  %x : f32[2] = placeholder(input)\n"
                 "  %y : f32[2] = aten.add.Tensor(%x, alpha=2)\n"
                 "  return [%y : output \"a # b\"]\n"_s);
    }

    void fullTextRestoresEverything() {
        const auto graph = parseSound(graphText("full_detail"));
        const Node* back = graph->findByName("back");
        QCOMPARE(back->id(), 20);
        QVERIFY(back->stage == Stage::backward);
        QCOMPARE(back->autograd.sequence, 12);
        QCOMPARE(q(back->autograd.function), u"ReluBackward0"_s);
        QCOMPARE(back->autograd.forward, 7);
        const Node* relu = graph->findById(7);
        QVERIFY(relu->autograd.savedOutput == SavedOutput::detached);
        QCOMPARE(relu->checkpoint, (CheckpointTag{CheckpointPolicy::preferSave, 2}));
        QCOMPARE(q(relu->source->text), u"return torch.relu(\"x\")"_s);
        QCOMPARE(relu->source->line, 3);
        const TensorType* strided = graph->findByName("strided")->type.tensor();
        QCOMPARE(strided->storageOffset, 1);
        QCOMPARE(strided->storageBytes, 40);
        QVERIFY(strided->requiresGrad);
        QCOMPARE(q(strided->device.name), u"cuda:0"_s);
        QCOMPARE(graph->forwardOutputCount(), std::size_t(1));
        QCOMPARE(q(graph->outputSlots()[1].label), u"layer.weight"_s);
    }

    void checkpointPoliciesHaveNames() {
        QVERIFY(name(CheckpointPolicy::none).empty() && !checkpointPolicyFromName(""));
        for (int i = 1; i < kCheckpointPolicies; ++i)
            QCOMPARE(checkpointPolicyFromName(name(static_cast<CheckpointPolicy>(i))),
                     std::optional(static_cast<CheckpointPolicy>(i)));
        const QString error =
            errorOf([] { parseGraph("graph g\n%x : f32[2] = placeholder ; recompute=SOMETIMES\nreturn [%x]"); });
        QVERIFY2(error.contains(u"a checkpoint policy such as MUST_SAVE"_s), qPrintable(error));
    }

    void parserErrors_data() {
        const auto row = columns<QString, QString>("text", "message");
        row("empty", "", "line 1, column 1: expected 'graph', found the end");
        row("no name", "graph\nreturn []", "line 1, column 6: expected the graph's name, found the end");
        row("no return", "graph g\n", "line 2, column 1: expected 'return', found the end");
        row("text after the end", "graph g\nreturn []\n%x", "line 3, column 1: expected the end of the text");
        row("undefined node", "graph g\n%y : f32[2] = aten.sin.default(%x)\nreturn []",
            "line 2, column 33: expected a node defined above, found 'x)'");
        row("defined twice", "graph g\n%x : ? = placeholder\n%x : ? = placeholder\nreturn []",
            "line 3, column 2: expected a name that is not defined yet, found 'x : ? = placeholder'");
        row("unknown type", "graph g\n%x : f33[2] = placeholder\nreturn []",
            "line 2, column 6: expected a type such as f32[2, 3], found 'f33[2] = placeholder'");
        row("type without sizes", "graph g\n%x : f32 = placeholder\nreturn []", "line 2, column 6: expected a type");
        row("negative size", "graph g\n%x : f32[-1] = placeholder\nreturn []", "expected sizes of at least 0");
        row("too few strides", "graph g\n%x : f32[2, 3][1] = placeholder\nreturn []",
            "expected as many strides as sizes");
        row("too few strides of a storage", "graph g\n%x : f32[2, 3]<0, 0, 24, [1]> = placeholder\nreturn []",
            "expected as many strides as sizes");
        row("size out of range", "graph g\n%x : f32[99999999999999999999] = placeholder\nreturn []",
            "line 2, column 10: expected an integer");
        row("no equals sign", "graph g\n%x : f32[2] placeholder\nreturn []", "line 2, column 13: expected '='");
        row("unknown role", "graph g\n%x : f32[2] = placeholder(weights)\nreturn []",
            "line 2, column 27: expected a role such as parameter, found 'weights)'");
        row("unknown output role", "graph g\n%x : f32[2] = placeholder\nreturn [%x : result]",
            "line 3, column 14: expected a role such as output or gradient, found 'result]'");
        row("unclosed call", "graph g\n%x : ? = aten.a.b(1\nreturn []",
            "line 2, column 20: expected ')', found the end");
        row("unclosed text", "graph g\n%x : ? = aten.a.b(\"abc\nreturn []", "expected a closing '\"'");
        row("unclosed escape", "graph g\n%x : ? = aten.a.b(\"abc\\", "expected a closing '\"', found the end");
        row("bad argument", "graph g\n%x : ? = aten.a.b(hello)\nreturn []",
            "line 2, column 19: expected an argument, found 'hello)'");
        row("bad torch constant", "graph g\n%x : ? = aten.a.b(torch.float99)\nreturn []", "expected an argument");
        row("unknown attribute", "graph g\n%x : ? = placeholder ; colour=1\nreturn []",
            "expected a known attribute, not 'colour'");
        row("id of 2^31", "graph g\n%x : ? = placeholder ; id=2147483648\nreturn []",
            "expected a number from 0 to 1073741824, not 2147483648");
        row("negative id", "graph g\n%x : ? = placeholder ; id=-1\nreturn []", "expected a number from 0 to");
        row("line beyond all files", "graph g\n%x : ? = placeholder ; line=99999999999\nreturn []",
            "expected a number from -2147483648 to 2147483647, not 99999999999");
        row("id twice", "graph g\n%x : ? = placeholder ; id=5\n%y : ? = a.b.c(%x) ; id=5\nreturn []",
            "expected another id than 5, which is taken");
        row("subgraph without a text", "graph g\n%x : ? = a.b.c(@f)\nreturn []",
            "line 3, column 10: expected the graph 'g.f', which the text refers to, found the end");
        row("text of no subgraph", "graph g\nreturn []\ngraph g.f\nreturn []",
            "line 3, column 7: expected a graph that one above takes as an argument, found 'g.f'");
        row("subgraph twice", "graph g\n%x : ? = a.b.c(@f)\nreturn []\ngraph g.f\nreturn []\ngraph g.f\nreturn []",
            "line 6, column 7: expected a graph that one above takes as an argument");
        row("subgraph of itself", "graph g\n%x : ? = a.b.c(@f)\nreturn []\ngraph g.f\n%x : ? = a.b.c(@f)\nreturn []",
            "expected the graph 'g.f.f', which the text refers to, found the end");
        row("bad boolean", "graph g\n%x : bool(Maybe) = placeholder\nreturn []", "expected 'False', found 'Maybe)");
    }
    void parserErrors() {
        FETCH(QString, text, message);
        const QString error = errorOf([&] { parseGraph(text.toStdString()); });
        QVERIFY2(error.startsWith(u"graph text, line "_s), qPrintable(error));
        QVERIFY2(error.contains(message), qPrintable(error));
    }

    void nestingIsBounded() {
        const std::string lists = "graph g\n%x : ? = aten.a.b(" + std::string(100'000, '[');
        const std::string types = "graph g\n%x : " + std::string(100'000, '(');
        for (const std::string& text : {lists, types})
            QVERIFY(errorOf([&] { parseGraph(text); }).contains(u"at most 200 deep"_s));
        std::string path = "g", graphs = "graph g\n";
        for (int i = 0; i < 40; ++i) {
            path += ".f";
            graphs += "%x : ? = a.b.c(@f)\nreturn []\ngraph " + path + "\n";
        }
        QVERIFY(errorOf([&] { parseGraph(graphs + "return []"); }).contains(u"at most 32 deep"_s));
    }

    void hugeSizesDoNotOverflow() {
        const auto graph = parseGraph("graph g\n%x : f32[9223372036854775807, 4][4, 1] = placeholder\nreturn []");
        const TensorType& type = *graph->findByName("x")->type.tensor();
        QVERIFY(type.numel() > 0);
        QCOMPARE(type.bytes(), type.numel() * 4);
        QVERIFY(contiguousStrides(std::vector<std::int64_t>{3, INT64_MAX, INT64_MAX})[0] > 0);
    }
};

AOTSCOPE_TEST(TestGraphText)

}  // namespace aotscope::test::graph_text_test

#include "test_graph_text.moc"
