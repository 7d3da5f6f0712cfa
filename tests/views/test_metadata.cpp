// Mutation and aliasing in views: nodes and their metadata, values that share memory, drawing, colouring, and the
// inspector.

#include "canvas/layout/layout_job.h"
#include "canvas/layout/memory_groups.h"
#include "canvas/svg_writer.h"
#include "ir/runtime_steps.h"
#include "models/tables/table_content.h"
#include "panels/inspector/metadata_html.h"
#include "support/test_program.h"
#include "views/drawings.h"

#include <QTextBrowser>

#include <set>

namespace aotscope::test::metadata_test {
namespace {

std::shared_ptr<const CompileRecord> kept(const char* sample) {
    return Session::open({.model = std::string("sample:") + sample, .keepInputMutations = true}, {})->record();
}

DrawnGraph drawn(const char* sample, GraphKind kind = GraphKind::joint) {
    const auto record = recordOf(sample);
    return drawGraph(*record->graph(kind), kind, *record);
}

const DrawnNode& titled(const DrawnGraph& graph, const char* title) {
    for (const auto& node : graph.nodes)
        if (node.title == QString::fromUtf8(title)) return node;
    qFatal("no box '%s'", title);
}

QStringList members(const DrawnGraph& graph) {
    QStringList list;
    for (const auto& [tag, names] : graph.memoryGroups) list << tag + u": "_s + names;
    return list;
}

QStringList legendOf(const DrawnGraph& graph) {
    QStringList texts;
    for (const auto& entry : Theme::light().legend(graph, ColourBy::mutation)) texts << entry.text;
    return texts;
}

QString inspect(const CompileRecord& record, GraphKind kind, const Node& node) {
    QTextBrowser browser;
    browser.setHtml(metadataHtml(node, *record.graph(kind), kind, record));
    return browser.toPlainText();
}

double luminance(const QColor& c) {
    const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace

class TestMetadata : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // --- links ---

    void everyArgumentAndOutputHasItsNode_data() {
        columns<QString, bool>("sample", "inference");
        for (const char* sample : {"sincos", "mlp", "aliasing", "mutations", "resnet18", "gpt2-tiny"})
            for (const bool inference : {false, true})
                QTest::addRow("%s%s", sample, inference ? ", inference" : "") << sample << inference;
    }
    void everyArgumentAndOutputHasItsNode() {
        QFETCH(QString, sample);
        QFETCH(bool, inference);
        const auto record = recordOf(sample.toStdString(), inference);
        GraphKind kind = GraphKind::joint;
        const MetadataLinks links = MetadataLinks::ofFinalGraph(*record, kind);
        QCOMPARE(kind, inference ? GraphKind::inference : GraphKind::joint);
        QCOMPARE(links.described(), record->graphMetadata.get());
        for (std::size_t i = 0; i < record->metadata->inputs.size(); ++i) {
            const NodeId node = links.placeholderOf(i);
            QVERIFY2(node != kNoNode, record->metadata->inputs[i].name.c_str());
            const auto arguments = links.argumentsOf(node);
            QVERIFY(std::find(arguments.begin(), arguments.end(), i) != arguments.end());
        }
        for (std::size_t i = 0; i < record->metadata->outputs.size(); ++i) {
            const auto* returned = links.returnedAs(links.outputNode(i));
            QVERIFY(returned);
            QVERIFY(std::find(returned->outputs.begin(), returned->outputs.end(), i) != returned->outputs.end());
        }
    }

    void everyGraphOfARunHasItsLinks_data() { rowsOf("sample", {"mlp", "aliasing", "mutations", "resnet18"}); }
    /// Graphs before the joint graph have the metadata of the function, later ones that of the compiled graph.
    void everyGraphOfARunHasItsLinks() {
        QFETCH(QString, sample);
        const auto record = recordOf(sample.toStdString());
        for (const auto& [kind, graph] : record->graphs) {
            const MetadataLinks links(*graph, kind, *record);
            const bool asCalled = kind == GraphKind::source || kind == GraphKind::preFunctionalization;
            QCOMPARE(links.described(), (asCalled ? record->metadata : record->graphMetadata).get());
        }
    }

    void nothingCorrespondsWithoutMetadata() {
        const auto graph = parseSound(kTwoLayers);
        CompileRecord record;
        QVERIFY(!MetadataLinks(*graph, GraphKind::joint, record).described());
        record.metadata = record.graphMetadata = recordOf("sincos")->metadata;  // of another function
        QVERIFY(!MetadataLinks(*graph, GraphKind::joint, record).described());
        QVERIFY(drawGraph(*graph, GraphKind::joint, record).memoryGroups.empty());
        QVERIFY(metadataHtml(*graph->findByName("x"), *graph, GraphKind::joint, record).isEmpty());
    }

    void aSyntheticBaseStandsForItsArguments() {
        const auto record = recordOf("aliasing");
        const Graph& joint = *record->graph(GraphKind::joint);
        const MetadataLinks links(joint, GraphKind::joint, *record);
        const NodeId base = joint.placeholders().front()->id();
        QVERIFY(links.isSyntheticBase(base));
        QCOMPARE(links.argumentsOf(base), (std::vector<std::size_t>{2, 3}));
        QCOMPARE(links.placeholderOf(2), base);
        QCOMPARE(links.placeholderOf(3), base);
        QVERIFY(!links.isSyntheticBase(links.placeholderOf(1)));
    }

    // --- groups ---

    void valuesThatShareMemory() {
        QCOMPARE(members(drawn("aliasing")),
                 (QStringList{u"A: base of left, right"_s, u"B: x, output 0"_s, u"C: output 1, output 2, %relu"_s}));
        QCOMPARE(members(drawn("mutations")), (QStringList{u"A: data, output 1"_s, u"B: fixed, output 2"_s}));
        QVERIFY(members(drawn("mlp")).isEmpty());
        QVERIFY(members(drawn("gpt2-tiny")).isEmpty());  // transposed weights make no groups
    }

    void boxesCarryTheirGroup() {
        const DrawnGraph graph = drawn("aliasing");
        const std::map<QString, QStringList> expected = {
            {u"A"_s, {u"base of left, right"_s, u"as_strided"_s}},
            {u"B"_s, {u"x"_s, u"view"_s, u"output 0"_s}},
            {u"C"_s, {u"relu"_s, u"t"_s, u"view"_s, u"output 1"_s, u"output 2"_s}}};
        std::map<QString, QStringList> found;
        for (const auto& node : graph.nodes)
            if (!node.aliasing.tag.isEmpty()) found[node.aliasing.tag] << node.title;
        QCOMPARE(found.size(), expected.size());
        for (const auto& [tag, titles] : expected) QCOMPARE(found[tag], titles);
    }

    /// In graphs before synthetic bases, overlapping arguments are separate inputs that share memory.
    void overlappingArgumentsShareMemory() {
        const DrawnGraph graph = drawn("aliasing", GraphKind::preFunctionalization);
        QCOMPARE(members(graph), (QStringList{u"A: x, output 0"_s, u"B: left, right"_s, u"C: output 1, output 2"_s}));
        QCOMPARE(titled(graph, "left").aliasing.tag, titled(graph, "right").aliasing.tag);
        QCOMPARE(titled(graph, "relu").aliasing.tag, u"C"_s);
    }

    void operationsInPlaceHaveTheColourOfTheirInput() {
        const DrawnGraph traced = drawn("aliasing", GraphKind::preFunctionalization);
        QCOMPARE(titled(traced, "mul_").aliasing.effect, std::optional(InputEffect::data));
        QCOMPARE(titled(traced, "add_").aliasing.effect, std::optional(InputEffect::data));
        QVERIFY(!titled(traced, "mul").aliasing.effect && !titled(traced, "relu").aliasing.effect);
        const auto record = kept("mutations");
        const DrawnGraph joint = drawGraph(*record->graph(GraphKind::joint), GraphKind::joint, *record);
        QCOMPARE(titled(joint, "copy_").aliasing.effect, std::optional(InputEffect::inGraph));
    }

    // --- boxes ---

    void inputsShowTheirMutations() {
        const DrawnGraph graph = drawn("mutations");
        const std::map<const char*, InputEffect> effects = {{"data", InputEffect::data},
                                                            {"shape", InputEffect::metadata},
                                                            {"both", InputEffect::dataAndMetadata},
                                                            {"fixed", InputEffect::none}};
        for (const auto& [title, effect] : effects) {
            const DrawnNode& box = titled(graph, title);
            QCOMPARE(box.aliasing.effect, std::optional(effect));
            QCOMPARE(box.lines.contains(describe(effect)), effect != InputEffect::none);
        }
        QVERIFY(titled(drawn("aliasing"), "base of left, right").aliasing.syntheticBase);
        QVERIFY(titled(drawn("aliasing"), "base of left, right").lines.contains(u"synthetic base"_s));
    }

    void boxesThatUpdateAnInputHaveItsColour() {
        const DrawnGraph graph = drawn("mutations");
        for (const auto& node : graph.nodes)
            for (const char* input : {"data", "shape", "both"})
                if (node.lines.contains(u"updates "_s + QString::fromUtf8(input)))
                    QCOMPARE(node.aliasing.effect, titled(graph, input).aliasing.effect);
        QVERIFY(std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const DrawnNode& n) {
            return n.kind == DrawnNode::Kind::call && n.aliasing.effect == InputEffect::dataAndMetadata;
        }));
    }

    void keptMutationsAreInTheGraph() {
        const auto record = kept("mutations");
        const DrawnGraph graph = drawGraph(*record->graph(GraphKind::joint), GraphKind::joint, *record);
        QCOMPARE(titled(graph, "data").aliasing.effect, std::optional(InputEffect::inGraph));
        QCOMPARE(titled(graph, "both").aliasing.effect, std::optional(InputEffect::dataAndMetadata));
        QVERIFY(legendOf(graph).contains(describe(InputEffect::inGraph)));
    }

    void outputsSayWhatTheyAreViewsOf() {
        const DrawnGraph graph = drawn("aliasing");
        const std::map<const char*, std::pair<OutputType, QStringList>> outputs = {
            {"output 0", {OutputType::aliasOfInput, {u"view of x"_s}}},
            {"output 1", {OutputType::aliasOfIntermediateSaveAsOutput, {u"view of base 0"_s}}},
            {"output 2", {OutputType::aliasOfIntermediate, {u"view of base 0"_s}}},
            {"output 3", {OutputType::nonAlias, {}}}};
        for (const auto& [title, expected] : outputs) {
            QCOMPARE(titled(graph, title).aliasing.returnedAs, std::optional(expected.first));
            QCOMPARE(titled(graph, title).lines, expected.second);
        }
        QVERIFY(titled(graph, "relu").aliasing.intermediateBase);
        QVERIFY(titled(graph, "relu").lines.contains(u"returned as base 0"_s));
        QCOMPARE(titled(drawn("mutations"), "output 1").lines, QStringList{u"data itself"_s});
    }

    // --- colours ---

    void theLegendNamesWhatOccurs() {
        QCOMPARE(legendOf(drawn("aliasing")),
                 (QStringList{u"data mutated"_s, u"input, not mutated"_s, u"intermediate base"_s, u"view of an input"_s,
                              u"view of an intermediate, saved with its base"_s, u"view of an already saved base"_s,
                              u"not aliased"_s, u"neither"_s, u"shared memory: base of left, right"_s,
                              u"shared memory: x, output 0"_s, u"shared memory: output 1, output 2, %relu"_s}));
    }

    void everyMeaningHasAColourOfItsOwn() {
        for (const Theme& theme : {Theme::light(), Theme::dark()}) {
            std::set<QRgb> fills;
            std::size_t meanings = 0;
            const auto take = [&](const DrawnNode& node) {
                const NodeColours colours = theme.colours(node, ColourBy::mutation);
                fills.insert(colours.fill.rgb());
                ++meanings;
                QVERIFY2(contrast(colours.text, colours.fill) >= 4.5, qPrintable(colours.fill.name()));
            };
            for (int i = 0; i < 6; ++i) {
                DrawnNode node;
                node.aliasing.effect = static_cast<InputEffect>(i);
                take(node);
            }
            for (int i = 0; i < 8; ++i) {
                DrawnNode node;
                node.aliasing.returnedAs = static_cast<OutputType>(i);
                take(node);
            }
            DrawnNode base;
            base.aliasing.intermediateBase = true;
            take(base);
            take({});
            QCOMPARE(fills.size(), meanings);
        }
    }

    void namesOfColourings() {
        for (const ColourBy by : {ColourBy::stage, ColourBy::family, ColourBy::mutation})
            QCOMPARE(colourByFromName(name(by)), std::optional(by));
        QVERIFY(!colourByFromName(u"mauve"_s));
    }

    void tagsAreOnlyInThisColouring() {
        const DrawnGraph graph = drawn("aliasing");
        const QRectF box(10, 10, 50, 30);
        const DrawnNode& x = titled(graph, "x");
        QVERIFY(tagPlace(x, box, ColourBy::mutation).isValid());
        QVERIFY(tagPlace(x, box, ColourBy::stage).isEmpty());
        QVERIFY(tagPlace(titled(graph, "steps"), box, ColourBy::mutation).isEmpty());
        PaintOptions options;
        const GraphLayout layout = layoutNow(graph);
        const QByteArray plain = writeSvg(graph, layout, options, u"t"_s);
        options.colourBy = ColourBy::mutation;
        const QByteArray marked = writeSvg(graph, layout, options, u"t"_s);
        for (const char* tag : {">A<", ">B<", ">C<"}) {
            QVERIFY(!plain.contains(tag));
            QVERIFY(marked.count(tag) >= 3);  // in the legend and on two boxes
        }
        QVERIFY(marked.contains("shared memory: x, output 0"));
    }

    // --- inspector ---

    void theInspectorOfAnInput() {
        const auto record = recordOf("mutations");
        const Graph& joint = *record->graph(GraphKind::joint);
        const MetadataLinks links(joint, GraphKind::joint, *record);
        const QString text = inspect(*record, GraphKind::joint, *joint.findById(links.placeholderOf(3)));  // both
        for (const char* expected :
             {"Input 3 of the function", "both", "by the wrapper, after the graph", "Runtime wrapper",
              "give 'both' its new sizes and strides", "write the updated value back: 'both'", "type after"})
            QVERIFY2(text.contains(QString::fromUtf8(expected)), qPrintable(text));
        const TableContent fields = inputsTable(*record);
        for (std::size_t c = 1; c < fields.columns.size(); ++c)
            QVERIFY2(text.contains(fields.rows[3].cells[c].text), qPrintable(fields.columns[c].title));
        QVERIFY(!text.contains(u"'data'"_s));
    }

    void theInspectorOfAnOutput() {
        const auto record = recordOf("aliasing");
        const Graph& joint = *record->graph(GraphKind::joint);
        const MetadataLinks links(joint, GraphKind::joint, *record);
        const QString text = inspect(*record, GraphKind::joint, *joint.findById(links.outputNode(1)));
        for (const char* expected : {"Returned as output 1", "view of an intermediate, saved with its base",
                                     "intermediate base 0 (%relu)", ".t()", "regenerate output 1"})
            QVERIFY2(text.contains(QString::fromUtf8(expected)), qPrintable(text));
        QVERIFY(!text.contains(u"output 2"_s));
        const QString base = inspect(*record, GraphKind::joint, *joint.findByName("relu"));
        QVERIFY(base.contains(u"Returned as intermediate base 0"_s));
        QVERIFY(base.contains(u"output 1, output 2"_s));
    }

    void theInspectorOfASyntheticBase() {
        const auto record = recordOf("aliasing");
        const Graph& joint = *record->graph(GraphKind::joint);
        const QString text = inspect(*record, GraphKind::joint, *joint.placeholders().front());
        for (const char* expected :
             {"Synthetic base: replaces 2 arguments", "Input 2 of the function", "Input 3 of the function",
              "view of synthetic base 0 (of left, right)", "pass the base that they are views of"})
            QVERIFY2(text.contains(QString::fromUtf8(expected)), qPrintable(text));
        const QString updated = inspect(*record, GraphKind::joint, *joint.findByName("as_strided_scatter"));
        QVERIFY2(updated.contains(u"Returned as the updated value of base of left, right"_s), qPrintable(updated));
        QVERIFY(updated.contains(u"write the updated value back"_s));
    }

    void otherNodesSayNothing() {
        const auto record = recordOf("aliasing");
        const Graph& joint = *record->graph(GraphKind::joint);
        QVERIFY(metadataHtml(*joint.findByName("sum"), joint, GraphKind::joint, *record).isEmpty());
    }
};

AOTSCOPE_TEST(TestMetadata)

}  // namespace aotscope::test::metadata_test

#include "test_metadata.moc"
