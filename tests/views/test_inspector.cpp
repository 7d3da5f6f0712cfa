// The inspector's text for nodes and graphs, and its links.

#include "canvas/drawn_graph.h"
#include "io/text_report.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/provenance.h"
#include "models/glossary.h"
#include "models/words/node_words.h"
#include "models/words/pass_titles.h"
#include "ops/op_table.h"
#include "ops/operator_facts.h"
#include "panels/graph/source_view.h"
#include "panels/inspector/inspector_panel.h"
#include "support/deep_graph.h"
#include "support/formatted.h"
#include "support/names.h"
#include "support/patience.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"
#include "views/records.h"

#include <QClipboard>
#include <QTextBlock>

namespace aotscope::test::inspector_test {
namespace {

const Node& jointNode(const std::string& sample, const char* name) {
    return *recordOf(sample)->graph(GraphKind::joint)->findByName(name);
}

/// The visible text.
QString plain(const QString& html) {
    QTextBrowser browser;
    browser.setHtml(html);
    return browser.toPlainText();
}

QString linkTo(const Node& node) { return u"<a href='node:%1'>"_s.arg(node.id()); }

/// All sections, as if none were closed.
QString htmlOf(const std::vector<InspectorSection>& sections) {
    QString html;
    for (const InspectorSection& section : sections) html += section.title.toHtmlEscaped() + section.html;
    return html;
}

QString htmlOf(const InspectedNode& inspected) { return htmlOf(nodeSections(inspected)); }

/// With the story of the compiled partition.
InspectedNode withStory(const std::string& sample, NodeId id) {
    const auto record = recordOf(sample);
    const Graph& joint = *record->graph(GraphKind::joint);
    const Node& node = *joint.findById(id);
    return {.node = node, .why = whyStory(joint, node, *record->partition, {})};
}

/// Clicks the first link of the panel that begins so; returns its address.
QString clickFirstLink(InspectorPanel& panel, const char* scheme) {
    auto* browser = panel.findChild<QTextBrowser*>(u"inspector"_s);
    for (int y = 0; y < browser->viewport()->height(); y += 3)
        for (int x = 0; x < browser->viewport()->width(); x += 3) {
            QString address = browser->anchorAt({x, y});
            if (!address.startsWith(QLatin1String(scheme))) continue;
            QTest::mouseClick(browser->viewport(), Qt::LeftButton, {}, {x, y});
            return address;
        }
    return {};
}

}  // namespace

class TestInspector : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The operations of a large graph are counted off the GUI thread; the current content stays meanwhile.
    void largeGraphsAreCountedInTheBackground() {
        const std::shared_ptr<const Graph> large = parseGraph(deepGraphText(100));
        InspectorPanel panel;
        panel.showGraph(large, GraphKind::joint);
        QVERIFY(!panel.text().contains(u"operations"_s));  // it may be counted, but is not shown yet
        QTRY_VERIFY_WITH_TIMEOUT(!panel.busy(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(panel.text().contains(q(counted(large->callCount(), "operation"))), kPatience);
        panel.showGraph(recordOf("mlp")->graph(GraphKind::joint), GraphKind::joint);
        panel.showGraph(large, GraphKind::joint);
        const Node& relu = jointNode("mlp", "relu");
        panel.showNode({.node = relu});
        QTest::qWait(50);
        QVERIFY(panel.text().contains(u"relu"_s));
        QVERIFY(!panel.text().contains(q(counted(large->callCount(), "operation"))));
    }

    /// Names in the text of a graph can be searched there; people read names and words.
    void valuesHaveTheirNamesInTheModel() {
        const Node& mm = jointNode("mlp", "addmm");
        const Node& bias = *mm.inputs()[0];
        QCOMPARE(fullName(bias), u"layers.0.bias (%"_s + q(bias.name()) + u')');
        QCOMPARE(shownName(bias), u"layers.0.bias"_s);
        QCOMPARE(fullName(mm), u"%addmm"_s);
        QVERIFY(plain(htmlOf({mm})).contains(fullName(bias)));
        const auto whole = drawGraph(*recordOf("resnet18")->graph(GraphKind::joint), GraphKind::joint, nullptr);
        for (const DrawnNode& node : whole.nodes)
            if (node.kind == DrawnNode::Kind::input) QVERIFY(!node.shownName().startsWith(u'%'));
    }

    void rolesAreWords() {
        const QString text =
            plain(graphSections(*recordOf("resnet18")->graph(GraphKind::joint), GraphKind::joint).front().html);
        QVERIFY2(text.contains(u"60 mutated inputs"_s), qPrintable(text));
        QVERIFY2(text.contains(u"62 parameters"_s), qPrintable(text));
        for (int role = 0; role <= static_cast<int>(Role::gradient); ++role)
            QVERIFY(!roleWords(static_cast<Role>(role)).contains(u'_'));
    }

    void aDeviceStandsApartFromSizes() {
        TensorType type;
        type.sizes = {32, 64};
        type.strides = {64, 1};
        QCOMPARE(typeText(type), q(printTensorType(type)));
        type.device = Device{"cuda:0"};
        QCOMPARE(typeText(type), u"f32[32, 64] cuda:0"_s);
        QCOMPARE(typeText(ValueType{std::vector<ValueType>{ValueType{type}}}), u"(f32[32, 64] cuda:0)"_s);
    }

    void whatIsSaidOfAWhatIfSaysSo() {
        InspectedNode saved = withStory("mlp", jointNode("mlp", "relu").id());
        QVERIFY(!plain(htmlOf(saved)).contains(u"What if"_s));
        saved.whatIf = true;
        QVERIFY(plain(htmlOf(saved)).contains(u"What if: saved for backward"_s));
    }

    void aCollectiveShowsItsGroupAndItsWait() {
        const auto graph = parseSound(
            "graph g\n%x : f32[4] = placeholder\n"
            "%g : f32[8] = _c10d_functional.all_gather_into_tensor.default(%x, 2, \"tp\")\n"
            "%r : f32[8] = _c10d_functional.all_reduce.default(%g, \"avg\", \"0\")\n"
            "%w : f32[8] = _c10d_functional.wait_tensor.default(%r)\nreturn [%w]");
        const Node &gather = *graph->findByName("g"), &reduce = *graph->findByName("r"),
                   &wait = *graph->findByName("w");
        const QString ofGather = plain(htmlOf({.node = gather}));
        for (const char* line : {"family  communication", "collective  all-gather", "group  tp", "ranks  2"})
            QVERIFY2(ofGather.contains(QString::fromUtf8(line)), qPrintable(ofGather));
        const QString ofReduce = htmlOf({.node = reduce});
        QVERIFY(plain(ofReduce).contains(u"reduction  avg"_s));
        QVERIFY(ofReduce.contains(u"waited for by</span>&nbsp; "_s + linkTo(wait)));
        QVERIFY(htmlOf({.node = wait}).contains(u"waits for</span>&nbsp; "_s + linkTo(reduce)));
    }

    void aCollectiveOfADTensorIsARedistribution() {
        const auto graph = parseSound(
            "graph g\n%x : f32[4] = placeholder ; file=\"torch/distributed/tensor/_api.py\" line=7\n"
            "%g : f32[8] = _c10d_functional.all_gather_into_tensor.default(%x, 2, \"tp\")\n"
            "%w : f32[8] = _c10d_functional.wait_tensor.default(%g)\nreturn [%w]");
        const QString text = plain(htmlOf({.node = *graph->findByName("g")}));
        QVERIFY2(text.contains(u"redistributes  Shard(0) -> Replicate()"_s), qPrintable(text));
    }

    void aCallShowsItsOperationAndType() {
        const Node& node = jointNode("mlp", "addmm_1");
        const QString text = plain(htmlOf({node}));
        for (const QString& expected :
             {q(node.op()), u"%addmm_1"_s, q(printTensorType(*node.type.tensor())),
              q(formatBytes(node.type.tensor()->bytes())), q(node.type.tensor()->device.name)})
            QVERIFY2(text.contains(expected), qPrintable(expected));
        QVERIFY(text.contains(u"forward"_s));
        QVERIFY(plain(htmlOf({jointNode("mlp", "mm_2")})).contains(u"backward"_s));
    }

    void argumentsHaveNamesAndLinks() {
        const Node& node = jointNode("mlp", "addmm_1");
        const QString html = htmlOf({node}), text = plain(html);
        const auto& parameters = operatorFacts(node.op())->parameters;
        QVERIFY(parameters.size() >= 3);
        for (std::size_t i = 0; i < node.args().size(); ++i) QVERIFY(text.contains(q(parameters[i].name)));
        for (const Node* input : node.inputs()) QVERIFY(html.contains(linkTo(*input)));
        QVERIFY(text.contains(u"layers.1.bias"_s));
        QVERIFY(text.contains(q(printType(node.inputs()[1]->type))));
    }

    void usersAreLinks() {
        const Node& node = jointNode("mlp", "relu");
        const QString html = htmlOf({node});
        QVERIFY(node.users().size() >= 3);
        for (const Node* user : node.users()) QVERIFY(html.contains(linkTo(*user)));
        QVERIFY(plain(html).contains(u"Used by %1"_s.arg(toQString(counted(node.users().size(), "node")))));
        QVERIFY(plain(htmlOf({jointNode("mlp", "addmm_2")})).contains(u"output of the graph"_s));
    }

    void aSavedValueSaysWhy() {
        for (const auto& value : recordOf("mlp")->partition->saved) {
            const QString text = plain(htmlOf(withStory("mlp", value.node)));
            QVERIFY(text.contains(value.kind == SavedValue::Kind::input ? u"Input, already kept"_s
                                                                        : u"Saved for backward"_s));
            QVERIFY(text.contains(q(value.reason)));
        }
        QVERIFY(!plain(htmlOf(withStory("mlp", jointNode("mlp", "addmm").id()))).contains(u"Saved for backward"_s));
    }

    void aRecomputedValueSaysSo() {
        const QString text = plain(htmlOf(withStory("sincos", jointNode("sincos", "sin").id())));
        QVERIFY(text.contains(u"Recomputed in backward"_s));
        QVERIFY(text.contains(u"The deciding rule first"_s));
    }

    /// What it is, why it has its placement, its metadata; then its inputs and users.
    void sectionsHaveTheirOrder() {
        InspectedNode inspected = withStory("mlp", jointNode("mlp", "addmm_1").id());
        inspected.metadata = u"<div>about the input</div>"_s;
        QStringList names;
        for (const InspectorSection& section : nodeSections(inspected)) names << section.name;
        QCOMPARE(names, (QStringList{u"what"_s, u"why"_s, u"metadata"_s, u"arguments"_s, u"users"_s}));
        const QString what = plain(nodeSections(inspected).front().html);
        for (const char* expected : {"aten.addmm.default", "f32[32, 256]", "layers.1"})
            QVERIFY2(what.contains(QString::fromUtf8(expected)), qPrintable(what));
    }

    void timesAreShown() {
        const Node& node = jointNode("sincos", "sin");
        TimingResult timing;
        timing.steps.push_back({GraphKind::forward, 0, node.id(), "sin", node.op(), 12.34, 80});
        timing.steps.push_back({GraphKind::backward, 0, node.id() + 1, "cos", "aten.cos.default", 77.7, 80});
        const QString text = plain(htmlOf({.node = node, .timing = &timing}));
        QVERIFY(text.contains(u"12.3 µs"_s));
        QVERIFY(!text.contains(u"77.7"_s));
    }

    void nodesOfOneKernelAreShown() {
        const auto graph = recordOf("sincos")->graph(GraphKind::forward);
        const Node &sin = *graph->findByName("sin"), &cos = *graph->findByName("cos");
        const auto textWith = [&](const std::vector<const Node*>& kernel) {
            return plain(htmlOf({.node = sin, .kind = GraphKind::forward, .kernel = kernel}));
        };
        QVERIFY(textWith({&sin, &cos}).contains(u"fused into one kernel with %cos"_s));
        for (const auto& alone : {std::vector<const Node*>(), std::vector{&sin}})
            QVERIFY(!textWith(alone).contains(u"by one kernel"_s));
    }

    void theOriginIsShown() {
        const auto graph = parseSound(
            "graph g\n%x : f32[2] = placeholder(input) ; id=0\n"
            "%back : f32[2] = aten.neg.default(%x) ; id=1 stage=backward fn=\"NegBackward0\" forward=0 module=\"a.b\" "
            "type=\"Linear\" file=\"model.py\" line=7 text=\"return -x if x < 1 else x\"\nreturn [%back : output]");
        const QString html = htmlOf({*graph->findByName("back")});
        const QString text = plain(html);
        for (const char* expected :
             {"a.b", "Linear", "model.py:7", "return -x if x < 1 else x", "NegBackward0", "forward node"})
            QVERIFY2(text.contains(QString::fromUtf8(expected)), expected);
        QVERIFY(html.contains(linkTo(*graph->findByName("x"))));
    }

    void theForwardOperationHasAName() {
        const auto record = recordOf("mlp");
        const Graph& joint = *record->graph(GraphKind::joint);
        for (const Node* node : record->graph(GraphKind::backward)->nodes()) {
            if (node->autograd.forward == kNoNode) continue;
            const Node& forward = *joint.findById(node->autograd.forward);
            const QString text = plain(htmlOf({.node = *node, .kind = GraphKind::backward, .joint = &joint}));
            QVERIFY2(text.contains(u'%' + q(forward.name())) && text.contains(q(forward.op())), node->name().c_str());
        }
    }

    /// Module and source line of every operation, and the forward operation of every backward one.
    void everyOperationHasAProvenance_data() { everyNodeOfEverySampleCanBeShown_data(); }
    void everyOperationHasAProvenance() {
        QFETCH(QString, sample);
        const auto record = recordOf(sample.toStdString());
        const Graph& joint = *record->graph(GraphKind::joint);
        int recomputed = 0;
        for (const auto kind : {GraphKind::joint, GraphKind::forward, GraphKind::backward})
            for (const Node* node : record->graph(kind)->nodes()) {
                if (node->kind() != NodeKind::call) continue;
                const Provenance provenance = provenanceOf(*node);
                QVERIFY2(provenance.source, printNode(*node).c_str());
                QVERIFY2(!provenance.source->file.empty() && provenance.source->line > 0, printNode(*node).c_str());
                QVERIFY(describe(provenance, nullptr).find(':') != std::string::npos);
                recomputed += kind == GraphKind::backward && node->stage == Stage::forward;
                if (node->stage != Stage::backward) continue;
                const Node* forward = joint.findById(provenance.forward);
                QVERIFY2(forward && forward->stage == Stage::forward, printNode(*node).c_str());
            }
        QVERIFY(sample != "sincos"_L1 || recomputed > 0);
    }

    void theTextWithProvenanceIsAGraph() {
        const auto graph = recordOf("mlp")->graph(GraphKind::joint);
        const std::string text = printWithProvenance(*graph);
        QVERIFY(q(text).contains(u"# layers.1 (Linear), "_s));
        QVERIFY(q(text).contains(u"# ReluBackward0 of %relu"_s));
        QCOMPARE(q(printGraph(*parseSound(text))), q(printGraph(*graph)));
    }

    void picturesShowTheProvenance() {
        const auto record = recordOf("mlp");
        const DrawnGraph drawn = drawGraph(*record->graph(GraphKind::joint), GraphKind::joint, nullptr);
        for (const auto& box : drawn.nodes)
            if (box.kind == DrawnNode::Kind::call) QVERIFY2(!box.origin.text.isEmpty(), qPrintable(box.name));
        const auto back = std::find_if(drawn.nodes.begin(), drawn.nodes.end(), [](const DrawnNode& box) {
            return box.stage == Stage::backward && box.partner >= 0;
        });
        QVERIFY(back->origin.text.contains(u" of %"_s));
    }

    void sourceIsShownWhereTheFileIs() {
        const Scratch scratch;
        const QString path = scratch.write(u"model.py"_s, "one\ntwo\nthree\n");
        const auto graphOf = [](const QString& file) {
            return parseSound(
                u"graph g\n%x : f32[2] = placeholder(input) ; id=0\n"
                "%y : f32[2] = aten.neg.default(%x) ; id=1 module=\"a\" file=\"%1\" line=2\n"
                "return [%y : output]"_s.arg(file)
                    .toStdString());
        };
        QWidget window;
        InspectorPanel panel(&window);
        window.show();
        auto* button = panel.findChild<QPushButton*>(u"showSource"_s);
        const auto here = graphOf(path), elsewhere = graphOf(u"/no/such/model.py"_s);
        panel.showNode({*elsewhere->findByName("y"), GraphKind::source});
        QVERIFY(button->isVisible() && !button->isEnabled());
        QVERIFY(button->toolTip().contains(u"/no/such/model.py"_s));
        panel.showSource();
        QVERIFY(!window.findChild<SourceView*>());
        panel.showNode({*here->findByName("y"), GraphKind::source});
        QVERIFY(button->isEnabled() && panel.hasSource());
        QTest::mouseClick(button, Qt::LeftButton);
        auto* view = window.findChild<SourceView*>();
        QVERIFY(view && view->isVisible());
        auto* text = view->findChild<QPlainTextEdit*>();
        QVERIFY(text->isReadOnly());
        QCOMPARE(text->textCursor().block().text(), u"two"_s);
        QCOMPARE(text->extraSelections().size(), 1);
        panel.showNode({*here->findByName("x"), GraphKind::source});
        QVERIFY(!button->isVisible() && !panel.hasSource());
    }

    void sourceOfSamplesIsBuiltIn() {
        const auto& source = *provenanceOf(jointNode("mlp", "relu")).source;
        QVERIFY2(haveSource(q(source.file)), source.file.c_str());
        const SourceView view(q(source.file), source.line);
        QCOMPARE(view.findChild<QPlainTextEdit*>()->textCursor().block().text().trimmed(), q(source.text).trimmed());
    }

    void textIsNotTakenForMarkup() {
        const auto graph = parseSound(
            "graph g\n%x : f32[2] = placeholder(input) ; id=0 label=\"<b>x</b> & y\"\n"
            "%c : f32[2] = aten.made_up.default(%x, \"<i>\", [1, %x]) ; id=1 module=\"<m>\"\nreturn [%c : output]");
        const QString input = plain(htmlOf({*graph->findByName("x"), GraphKind::source})),
                      call = plain(htmlOf({*graph->findByName("c"), GraphKind::source}));
        QVERIFY(input.contains(u"<b>x</b> & y"_s));
        QVERIFY(call.contains(u"<i>"_s) && call.contains(u"<m>"_s));
        QVERIFY(call.contains(u"[1, <b>x</b> & y (%x)]"_s));
    }

    void everyNodeOfEverySampleCanBeShown_data() {
        rowsOf("sample", {"sincos", "mlp", "resnet18", "gpt2-tiny", "bert-tiny"});
    }
    void everyNodeOfEverySampleCanBeShown() {
        QFETCH(QString, sample);
        const auto record = recordOf(sample.toStdString());
        for (const auto& [kind, graph] : record->graphs)
            for (const Node* node : graph->nodes()) {
                if (node->kind() == NodeKind::output) continue;
                QString html;
                QCOMPARE(errorOf([&, kind = kind] { html = htmlOf({*node, kind}); }), QString());
                QVERIFY2(html.contains(u'%' + q(node->name())), node->name().c_str());
            }
    }

    // --- several nodes, and modules ---

    void severalNodesShowTheirSums() {
        const auto record = recordOf("mlp");
        const Node &relu = jointNode("mlp", "relu"), &other = jointNode("mlp", "relu_1");
        TimingResult timing;
        for (const Node* node : {&relu, &other})
            timing.steps.push_back({GraphKind::forward, 0, node->id(), node->name(), node->op(), 12.5, 80});
        InspectedSelection selection{.nodes = {&relu, &other}, .partition = record->partition.get(), .timing = &timing};
        const QString html = htmlOf(selectionSections(selection)), text = plain(html);
        const auto saved = [&](const Node& node) {
            const auto& all = record->partition->saved;
            return std::ranges::find(all, node.id(), &SavedValue::node)->type.bytes();
        };
        const std::int64_t results = relu.type.tensorBytes() + other.type.tensorBytes();
        for (const QString& expected :
             QStringList{u"2 selected nodes"_s, u"part of  forward"_s, u"operator  aten.relu.default"_s,
                         u"module  (top level)"_s, u"dtype  float32"_s, u"results  "_s + q(formatBytes(results)),
                         u"saved  2 values, "_s + q(formatBytes(saved(relu) + saved(other))),
                         u"measured time, forward  25.0 µs"_s})
            QVERIFY2(text.contains(expected), qPrintable(expected + u'\n' + text));
        QVERIFY(html.contains(linkTo(relu)) && html.contains(linkTo(other)));
        QVERIFY(!text.contains(u"FLOPs"_s) && !text.contains(u"What if"_s));

        selection.nodes = {&relu, &jointNode("mlp", "addmm")};
        selection.whatIf = true;
        const QString mixed = plain(htmlOf(selectionSections(selection)));
        QVERIFY2(!mixed.contains(u"operator  "_s) && mixed.contains(u"FLOP"_s), qPrintable(mixed));
        QVERIFY2(mixed.contains(u"saved  What if: 1 value"_s), qPrintable(mixed));
    }

    /// Elements of a tuple are drawn with the operation that returns it.
    void elementsOfATupleAreSavedByTheirOperation() {
        const auto record = recordOf("resnet18");
        std::vector<const Node*> norms;
        for (const Node* node : record->graph(GraphKind::joint)->nodes())
            if (opFamily(node->op()) == OpFamily::normalization && node->stage == Stage::forward && node->type.tuple())
                norms.push_back(node);
        QVERIFY(norms.size() > 1);
        const QString text = plain(htmlOf(selectionSections({.nodes = norms, .partition = record->partition.get()})));
        QVERIFY2(text.contains(u"Largest saved values"_s), qPrintable(text));
    }

    /// The figures of the tree of modules.
    void aModuleShowsItsFigures() {
        const auto record = recordOf("resnet18");
        const auto joint = record->graph(GraphKind::joint);
        const auto times = std::make_shared<const NodeTimes>(assumedGpu());
        const ModuleTree tree = moduleTree({record, joint, GraphKind::joint, times});
        const int module = tree.byPath(u"layer1.0"_s);
        InspectedSelection selection{.partition = record->partition.get(), .tree = &tree, .module = module};
        for (const NodeId node : tree.operationsIn(module)) selection.nodes.push_back(joint->findById(node));
        const QString html = htmlOf(selectionSections(selection)), text = plain(html);
        const ModuleEntry& entry = tree[module];
        for (const QString& expected :
             QStringList{u"layer1.0"_s, u"BasicBlock"_s, u"operations  %1"_s.arg(entry.operations), u" in forward, "_s,
                         u"parameters  "_s + q(grouped(static_cast<std::size_t>(entry.parameters))),
                         u"values, "_s + q(formatBytes(entry.savedBytes)),
                         u"estimated time  "_s + q(timeText(entry.ms, TimeBasis::estimated)), u"FLOPs  "_s})
            QVERIFY2(text.contains(expected), qPrintable(expected + u'\n' + text));
        QVERIFY(entry.savedBytes > 0 && html.contains(u"href='node:"_s));
        QVERIFY(!text.contains(u"Selected nodes"_s));
    }

    void commandsForASelectionAreLinks() {
        QAction save(u"&Save for Backward"_s);
        save.setObjectName(u"actionSave"_s);
        save.setShortcut(QKeySequence(u"Shift+S"_s));
        InspectorPanel panel;
        panel.resize(400, 700);
        panel.show();
        QSignalSpy spy(&panel, &InspectorPanel::overrideAsked);
        panel.showNode({jointNode("mlp", "relu")});
        panel.showSelection({.nodes = {&jointNode("mlp", "relu"), &jointNode("mlp", "relu_1")}, .overrides = {&save}});
        QVERIFY2(panel.text().contains(u"Save for Backward Shift+S"_s), qPrintable(panel.text()));
        QVERIFY(!panel.text().contains(u"Used by"_s));
        QCOMPARE(clickFirstLink(panel, "action:"), u"action:actionSave"_s);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.first().first().toString(), u"actionSave"_s);
    }

    void aGraphShowsItsHistogram() {
        const auto graph = recordOf("mlp")->graph(GraphKind::joint);
        const QString text = plain(graphSections(*graph, GraphKind::joint).front().html);
        QVERIFY(text.contains(u"joint graph"_s));
        QVERIFY(text.contains(sentenceOn(GraphKind::joint)));
        QVERIFY(text.contains(u"%1 operations"_s.arg(graph->callCount())));
        for (const auto& [op, count] : opHistogram(*graph)) QVERIFY2(text.contains(q(op)), op.c_str());
        QVERIFY(text.contains(u"6 parameter"_s));
        QVERIFY(text.contains(u"6 gradient"_s));
    }

    void aLinkOfThePanelSelects() {
        InspectorPanel panel;
        panel.resize(400, 700);
        panel.show();
        QSignalSpy spy(&panel, &InspectorPanel::nodeSelected);
        const Node& node = jointNode("mlp", "relu");
        panel.showNode({node, GraphKind::joint});
        QVERIFY(panel.text().contains(u"aten.relu.default"_s));
        const Node& input = *node.inputs()[0];
        QCOMPARE(clickFirstLink(panel, "node:"), u"node:%1"_s.arg(input.id()));
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.first().first().toInt(), input.id());
    }

    void aTermLeadsToTheGlossary() {
        InspectorPanel panel;
        panel.resize(400, 900);
        panel.show();
        QSignalSpy spy(&panel, &InspectorPanel::manualAsked);
        panel.showNode(withStory("mlp", jointNode("mlp", "relu").id()));
        const QString place = clickFirstLink(panel, "glossary.md#");
        QVERIFY(Glossary::instance().at(place));
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.first().first().toString(), place);
    }

    void aSectionIsClosedAndStaysClosed() {
        InspectorPanel panel;
        panel.resize(400, 900);
        panel.show();
        QSignalSpy spy(&panel, &InspectorPanel::closedSectionsChanged);
        panel.showNode(withStory("mlp", jointNode("mlp", "relu").id()));
        const QString rules = u"The deciding rule first"_s;
        QVERIFY(panel.text().contains(rules));
        QCOMPARE(clickFirstLink(panel, "section:"), u"section:why"_s);
        QVERIFY(!panel.text().contains(rules));
        QVERIFY(panel.text().contains(u"▸ Why"_s));
        QCOMPARE(panel.closedSections(), QStringList{u"why"_s});
        QCOMPARE(spy.count(), 1);
        panel.showNode(withStory("mlp", jointNode("mlp", "relu_1").id()));
        QVERIFY(!panel.text().contains(rules));
        panel.showSection(u"why"_s);
        QVERIFY(panel.text().contains(rules));
        QVERIFY(panel.closedSections().isEmpty());
        InspectorPanel other;
        other.setClosedSections({u"why"_s, u"no such section"_s});
        other.showNode(withStory("mlp", jointNode("mlp", "relu").id()));
        QVERIFY(!other.text().contains(rules));
    }

    /// Tab goes from heading to heading, and Enter closes one.
    void sectionsAreClosedByKeyboard() {
        InspectorPanel panel;
        panel.resize(400, 900);
        panel.show();
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        panel.showNode(withStory("mlp", jointNode("mlp", "relu").id()));
        auto* browser = panel.findChild<QTextBrowser*>(u"inspector"_s);
        browser->setFocus();
        QCOMPARE(browser->accessibleName(), u"Inspector"_s);
        for (int link = 0; link < 20 && panel.closedSections().isEmpty(); ++link) {
            QTest::keyClick(browser, Qt::Key_Tab);
            if (browser->textCursor().charFormat().anchorHref() == "section:why"_L1)
                QTest::keyClick(browser, Qt::Key_Return);
        }
        QCOMPARE(panel.closedSections(), QStringList{u"why"_s});
        QCOMPARE(browser->textCursor().charFormat().anchorHref(), u"section:why"_s);
    }

    /// The effects of other choices are computed while something else may be selected.
    void alternativesAreThoseOfTheShownNode() {
        InspectorPanel panel;
        const NodeId relu = jointNode("mlp", "relu").id(), other = jointNode("mlp", "relu_1").id();
        const QString sentence = u"If recomputed: nothing"_s;
        panel.showNode(withStory("mlp", relu));
        panel.setAlternatives(relu, {sentence});
        QVERIFY(panel.text().contains(sentence) && panel.whyText().contains(sentence));
        panel.showNode(withStory("mlp", other));
        QVERIFY(!panel.text().contains(sentence) && !panel.whyText().contains(sentence));
        panel.setAlternatives(other, {});
        panel.setAlternatives(relu, {sentence});
        QVERIFY(!panel.text().contains(sentence));
    }

    void whyIsCopiedAsText() {
        InspectorPanel panel;
        panel.show();
        auto* copy = panel.findChild<QPushButton*>(u"copyWhy"_s);
        QVERIFY(!copy->isVisible());
        panel.showNode(withStory("mlp", jointNode("mlp", "relu").id()));
        QVERIFY(copy->isVisible());
        copy->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), panel.whyText());
        QVERIFY(panel.whyText().contains(u"%relu"_s) && panel.whyText().contains(u"Saved for backward"_s));
        panel.showNode({jointNode("mlp", "relu")});
        QVERIFY(!copy->isVisible() && panel.whyText().isEmpty());
    }

    void thePanelShowsOneThingAtATime() {
        InspectorPanel panel;
        panel.showNode({jointNode("mlp", "relu"), GraphKind::joint});
        panel.showGraph(recordOf("mlp")->graph(GraphKind::forward), GraphKind::forward);
        QVERIFY(panel.text().startsWith(u"forward graph"_s));
        QVERIFY(!panel.text().contains(u"Used by"_s));
    }
};

AOTSCOPE_TEST(TestInspector)

}  // namespace aotscope::test::inspector_test

#include "test_inspector.moc"
