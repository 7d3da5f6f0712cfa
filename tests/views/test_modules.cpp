// The tree of modules: the contents of each module, the item model, and the panel.

#include "cost/variant_costs.h"
#include "ir/provenance.h"
#include "models/module_tree_model.h"
#include "ops/op_table.h"
#include "panels/graph/module_panel.h"
#include "record/results/graph_times.h"
#include "support/patience.h"
#include "support/test_program.h"
#include "support/text.h"
#include "views/module_figures.h"
#include "views/records.h"

#include <QClipboard>
#include <QScrollBar>
#include <cmath>
#include <random>

namespace aotscope::test::modules_test {
namespace {

using Column = ModuleTreeModel::Column;
constexpr auto kQtTest = QAbstractItemModelTester::FailureReportingMode::QtTest;

std::shared_ptr<const ModuleTree> treeOf(const std::shared_ptr<const CompileRecord>& record, GraphKind kind,
                                         std::shared_ptr<const NodeTimes> times = nullptr) {
    return std::make_shared<const ModuleTree>(moduleTree({record, record->graph(kind), kind, std::move(times)}));
}

/// A record of one graph with an operation in each of these modules.
std::shared_ptr<const CompileRecord> recordWith(const std::vector<std::string>& modules) {
    auto graph = std::make_shared<Graph>("made");
    Node* value = graph->addPlaceholder("x", {TensorType{}});
    for (const std::string& module : modules) {
        value = graph->addCall("aten.sin.default", {value}, {}, {TensorType{}});
        value->source = std::make_shared<const SourceInfo>(SourceInfo{module, "Block", {}, 0, {}});
    }
    graph->setOutput({value}, {{}});
    auto record = std::make_shared<CompileRecord>();
    record->model.name = "made";
    record->graphs[GraphKind::source] = graph;
    return record;
}

/// "block.N.part.M" for many modules.
std::vector<std::string> manyModules(int blocks, int parts) {
    std::vector<std::string> modules;
    for (int block = 0; block < blocks; ++block)
        for (int part = 0; part < parts; ++part)
            modules.push_back("block." + std::to_string(block) + ".part" + std::to_string(part));
    return modules;
}

/// A run of a joint graph of sines in these modules, of which every second one has a backward.
std::shared_ptr<const CompileRecord> jointRunOf(const QStringList& modules) {
    auto graph = std::make_shared<Graph>("made");
    TensorType type;
    type.sizes = {4};
    type.strides = {1};
    Node* value = graph->addPlaceholder("x", {type});
    std::vector<Node*> forward;
    for (const QString& module : modules) {
        value = graph->addCall("aten.sin.default", {value}, {}, {type});
        value->stage = Stage::forward;
        value->source = std::make_shared<const SourceInfo>(SourceInfo{module.toStdString(), "Block", {}, 0, {}});
        forward.push_back(value);
    }
    for (std::size_t i = forward.size(); i-- > 0;) {
        if (i % 2 == 1) continue;
        value = graph->addCall("aten.cos.default", {value}, {}, {type});
        value->stage = Stage::backward;
        value->autograd.forward = forward[i]->id();
    }
    graph->setOutput({value}, {{}});
    auto record = std::make_shared<CompileRecord>();
    record->graphs[GraphKind::joint] = graph;
    return record;
}

QString contradictionsOf(const QStringList& modules) {
    Figures figures;
    ModuleReader(figures, jointRunOf(modules), GraphKind::joint).run();
    return figures.contradictions().join(u'\n');
}

/// As many operations of each module as the number says.
QStringList operationsOf(const std::vector<std::pair<const char*, int>>& calls) {
    QStringList modules;
    for (const auto& [module, count] : calls)
        for (int i = 0; i < count; ++i) modules << QString::fromUtf8(module);
    return modules;
}

int seenRows(const QTreeView& view) {
    int rows = 0;
    for (QModelIndex row = view.model()->index(0, 0); row.isValid(); row = view.indexBelow(row)) ++rows;
    return rows;
}

/// A panel that is shown with a tree.
struct Shown {
    explicit Shown(const std::shared_ptr<const CompileRecord>& record, GraphKind kind = GraphKind::joint)
        : tree(treeOf(record, kind)) {
        panel.resize(400, 500);
        panel.show();
        panel.activateWindow();
        active = QTest::qWaitForWindowActive(&panel, kPatience);
        panel.setTree(tree, q(record->model.name), {});
    }
    void press(Qt::Key key) { QTest::keyClick(panel.view(), key); }
    QModelIndex row(const char* path) const {
        for (QModelIndex at = panel.view()->model()->index(0, 0); at.isValid(); at = panel.view()->indexBelow(at))
            if (at.data(ModuleTreeModel::FilterRole).toString().section(u' ', 0, 0) == QString::fromUtf8(path))
                return at;
        return {};
    }

    std::shared_ptr<const ModuleTree> tree;
    ModulePanel panel;
    bool active = false;
};

}  // namespace

class TestModules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // --- what is in a module ---

    void samples_data() { rowsOf("sample", {"sincos", "mlp", "aliasing", "resnet18", "gpt2-tiny", "bert-tiny"}); }

    void totals_data() { samples_data(); }
    void totals() {
        QFETCH(QString, sample);
        const auto record = recordOf(sample.toStdString());
        const auto times = std::make_shared<const NodeTimes>(assumedGpu());
        const auto tree = treeOf(record, GraphKind::joint, times);
        const ModuleEntry& all = tree->modules.front();
        QCOMPARE(all.operations, record->graph(GraphKind::joint)->callCount());
        QCOMPARE(all.savedBytes, record->partition->savedUniqueBytes());
        std::int64_t parameters = 0, bytes = 0;
        for (const Node* node : record->graph(GraphKind::source)->placeholders())
            if (node->role == Role::parameter) {
                parameters += node->type.tensor()->numel();
                bytes += node->type.tensor()->bytes();
            }
        QCOMPARE(all.parameters, parameters);
        QCOMPARE(all.parameterBytes, bytes);
        const double ms = costsOf(*record->partition, record->knownMetadata(), *times).ms();
        QVERIFY2(std::abs(all.ms - ms) <= 1e-9 * ms, qPrintable(u"%1 %2"_s.arg(all.ms).arg(ms)));
        QCOMPARE(tree->basis, std::optional(times->basis()));
        // Each module has at least the sum of its submodules.
        for (const ModuleEntry& module : tree->modules) {
            std::size_t within = 0;
            for (const int child : module.children) within += (*tree)[child].operations;
            QVERIFY2(within <= module.operations, qPrintable(module.path));
        }
    }

    void everyOperationIsInItsModule_data() { samples_data(); }
    void everyOperationIsInItsModule() {
        QFETCH(QString, sample);
        const auto record = recordOf(sample.toStdString());
        for (const auto& [kind, graph] : record->graphs) {
            const auto tree = treeOf(record, kind);
            for (const Node* node : graph->nodes()) {
                const auto source = provenanceOf(*node).source;
                if (node->kind() == NodeKind::call && source)
                    QCOMPARE((*tree)[tree->moduleOf.at(node->id())].path, q(source->module));
            }
            std::size_t found = 0;
            for (std::size_t module = 0; module < tree->modules.size(); ++module) {
                const auto own = tree->operationsIn(static_cast<int>(module));
                QCOMPARE(own.size(), tree->modules[module].operations);
                found = std::max(found, own.size());
            }
            QCOMPARE(found, graph->callCount());
        }
    }

    void modulesAreTheSameForEveryGraph_data() { samples_data(); }
    void modulesAreTheSameForEveryGraph() {
        QFETCH(QString, sample);
        const auto record = recordOf(sample.toStdString());
        const auto joint = treeOf(record, GraphKind::joint);
        for (const auto& [kind, graph] : record->graphs)
            QVERIFY2(treeOf(record, kind)->hasModulesOf(*joint), name(kind).data());
    }

    void parametersAreThoseOfTheModel() {
        const auto tree = treeOf(recordOf("resnet18"), GraphKind::joint);
        QCOMPARE(tree->modules.front().parameters, std::int64_t{11'689'512});
        const int first = tree->byPath(u"conv1"_s);
        QCOMPARE((*tree)[first].parameters, std::int64_t{64} * 3 * 7 * 7);
        QCOMPARE((*tree)[first].type, u"Conv2d"_s);
        QCOMPARE((*tree)[tree->byPath(u"layer1.0.conv1"_s)].name(), u"conv1"_s);
    }

    /// Measured times of operations are parts of the time of their graph, as everywhere.
    void measuredTimesAddUpToTheStep() {
        const auto record = recordOf("gpt2-tiny");
        TimingResult timing;
        timing.backward = true;
        timing.compiledForwardMs.median = 3;
        timing.compiledBackwardMs.median = 5;
        for (const GraphKind kind : {GraphKind::forward, GraphKind::backward})
            for (const Node* node : record->graph(kind)->nodes())
                if (node->kind() == NodeKind::call && !isGetitem(*node)) {
                    StepTime step;
                    step.graph = kind;
                    step.node = node->id();
                    step.medianUs = 2;
                    timing.steps.push_back(step);
                }
        auto times = std::make_shared<NodeTimes>(assumedGpu());
        times->learn(timing);
        const auto tree = treeOf(record, GraphKind::joint, times);
        QCOMPARE(tree->basis, std::optional(TimeBasis::measured));
        QVERIFY2(std::abs(tree->modules.front().ms - 8) < 1e-6, qPrintable(QString::number(tree->modules.front().ms)));
    }

    /// The path is the file's.
    void aVeryLongPathIsOneModuleAtItsEnd() {
        std::string path = "a";
        for (int part = 0; part < 5000; ++part) path += ".a";
        const auto record = recordWith({path, ".", "..b", "c."});
        const auto tree = treeOf(record, GraphKind::source);
        QVERIFY2(tree->modules.size() < 120, qPrintable(QString::number(tree->modules.size())));
        QCOMPARE(tree->modules.front().operations, std::size_t{4});
    }

    void withoutAGraphThereIsNoTree() {
        QVERIFY(moduleTree({}).modules.empty());
        QVERIFY(moduleTree({std::make_shared<const CompileRecord>(), nullptr}).modules.empty());
    }

    /// Modules split over several boxes: together, the boxes match the table.
    void modulesInPieces_data() {
        QTest::addColumn<QStringList>("modules");
        QTest::newRow("a list whose elements are called apart")
            << operationsOf({{"list.0", 5}, {"other", 5}, {"list.1", 5}, {"list.2", 6}, {"other", 5}, {"list.3", 5}});
        QTest::newRow("a list in a list") << operationsOf({{"a.0.0", 5},
                                                           {"other", 5},
                                                           {"a.0.1", 5},
                                                           {"a.0.2", 5},
                                                           {"a.1.0", 5},
                                                           {"a.1.1", 5},
                                                           {"other", 5},
                                                           {"a.0.0", 5}});
        QTest::newRow("a module called twice")
            << operationsOf({{"shared", 5}, {"other.1", 2}, {"other.2", 7}, {"shared", 1}, {"other.1", 2}});
        QTest::newRow("a module called once alone and once with another")
            << operationsOf({{"m.a", 5}, {"other", 5}, {"m.a", 5}, {"m.b", 5}, {"other", 5}, {"m", 1}, {"m.b", 5}});
        for (unsigned seed = 0; seed < 40; ++seed) {
            std::mt19937 random(seed);
            const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
            QStringList modules;
            for (int run = 0; run < 20; ++run) {
                QString path = u"m%1"_s.arg(below(2));
                for (unsigned deeper = below(4); deeper > 0; --deeper) path += u".%1"_s.arg(below(2));
                for (unsigned count = 1 + below(6); count > 0; --count) modules << path;
            }
            QTest::addRow("at random %u", seed) << modules;
        }
    }
    void modulesInPieces() {
        QFETCH(QStringList, modules);
        QCOMPARE(contradictionsOf(modules), QString());
    }

    // --- the model ---

    void modelKeepsTheContract() {
        ModuleTreeModel model;
        const QAbstractItemModelTester tester(&model, kQtTest);
        QCOMPARE(model.rowCount(), 0);
        for (const GraphKind kind : {GraphKind::joint, GraphKind::forward, GraphKind::backward})
            QCOMPARE(model.setTree(treeOf(recordOf("gpt2-tiny"), kind), u"gpt2-tiny"_s), kind != GraphKind::joint);
        QVERIFY(!model.setTree(treeOf(recordOf("mlp"), GraphKind::joint), u"mlp"_s));
        QVERIFY(!model.setTree(std::make_shared<const ModuleTree>(), QString()));
        QVERIFY(!model.tree());
        QVERIFY(!model.setTree(nullptr, QString()));
        QCOMPARE(model.rowCount(), 0);
    }

    void modelShowsEveryModule() {
        const auto tree = treeOf(recordOf("mlp"), GraphKind::joint, std::make_shared<const NodeTimes>(assumedGpu()));
        ModuleTreeModel model;
        model.setTree(tree, u"mlp"_s);
        for (int module = 0; module < static_cast<int>(tree->modules.size()); ++module) {
            const QModelIndex index = model.indexOf(module);
            QCOMPARE(ModuleTreeModel::moduleAt(index), module);
            QCOMPARE(ModuleTreeModel::moduleAt(index.parent()), (*tree)[module].parent);
            QVERIFY(index.data().toString().startsWith(module == 0 ? u"mlp"_s : (*tree)[module].name()));
            QCOMPARE(index.siblingAtColumn(Column::operations).data().toString(),
                     (*tree)[module].operations ? QString::number((*tree)[module].operations) : QString());
            const QString tip = index.data(Qt::ToolTipRole).toString();
            QVERIFY2(tip.contains(u"operation"_s) && tip.contains(u"estimated"_s), qPrintable(tip));
        }
        QVERIFY(model.headerData(Column::time, Qt::Horizontal, Qt::DisplayRole).toString().contains(u'≈'));
        QCOMPARE(model.textOf(0).count(u'\n'), static_cast<qsizetype>(tree->modules.size()) + 1);
    }

    // --- the panel ---

    void aMarkIsNoChoice() {
        Shown shown(recordOf("gpt2-tiny"));
        QSignalSpy chosen(&shown.panel, &ModulePanel::chosen);
        shown.panel.collapseAll();
        const int deep = static_cast<int>(shown.tree->modules.size()) - 1;
        shown.panel.mark(deep);
        QCOMPARE(shown.panel.current(), deep);
        const QModelIndex row = shown.panel.view()->currentIndex();
        QVERIFY(shown.panel.view()->visualRect(row).isValid() && shown.panel.view()->isExpanded(row.parent()));
        shown.panel.mark(-1);
        QCOMPARE(shown.panel.current(), -1);
        QVERIFY(shown.panel.view()->selectionModel()->selectedRows().isEmpty());
        QVERIFY(chosen.isEmpty());
    }

    void keysChooseAndToggle() {
        Shown shown(recordOf("gpt2-tiny"));
        QSignalSpy chosen(&shown.panel, &ModulePanel::chosen), toggled(&shown.panel, &ModulePanel::toggled);
        shown.press(Qt::Key_Down);
        shown.press(Qt::Key_Down);
        QCOMPARE(chosen.size(), 2);
        const int module = chosen.last().front().toInt();
        QVERIFY(module > 0);
        shown.press(Qt::Key_Return);
        QCOMPARE(toggled.size(), 1);
        QCOMPARE(toggled.front().front().toInt(), module);
    }

    void theFilterLeavesModulesAndThoseAroundThem() {
        Shown shown(recordOf("gpt2-tiny"));
        QSignalSpy chosen(&shown.panel, &ModulePanel::chosen);
        QVERIFY(shown.active);
        shown.press(Qt::Key_Slash);
        QCOMPARE(QApplication::focusWidget(), shown.panel.filter());
        QTest::keyClicks(shown.panel.filter(), u"layernorm"_s);
        int matching = 0;
        for (QModelIndex at = shown.panel.view()->model()->index(0, 0); at.isValid();
             at = shown.panel.view()->indexBelow(at)) {
            const bool matches = at.data().toString().contains(u"LayerNorm"_s);
            matching += matches ? 1 : 0;
            QVERIFY(matches || at.model()->hasChildren(at));
        }
        const auto is = [](const ModuleEntry& module) { return module.type == u"LayerNorm"_s; };
        QVERIFY(matching > 0);
        QCOMPARE(static_cast<std::ptrdiff_t>(matching), std::ranges::count_if(shown.tree->modules, is));
        QTest::keyClick(shown.panel.filter(), Qt::Key_Escape);
        QVERIFY(shown.panel.filter()->text().isEmpty());
        QCOMPARE(QApplication::focusWidget(), shown.panel.view());
        QVERIFY(chosen.isEmpty());
    }

    void whatIsOpenStaysOpen() {
        const auto record = recordOf("gpt2-tiny");
        Shown shown(record);
        QTreeView* view = shown.panel.view();
        shown.panel.expandAll();
        const int all = seenRows(*view);
        QCOMPARE(all, static_cast<int>(shown.tree->modules.size()));
        const int chosen = all / 2;
        shown.panel.mark(chosen);
        view->collapse(view->currentIndex().parent());
        const int rows = seenRows(*view);
        QVERIFY(rows < all);
        shown.panel.setTree(treeOf(record, GraphKind::backward), u"gpt2-tiny"_s, {});
        QCOMPARE(seenRows(*view), rows);
        shown.panel.setTree(treeOf(record, GraphKind::joint), u"of another name"_s, {});  // a new tree
        QVERIFY(seenRows(*view) >= rows);
        shown.panel.setTree(nullptr, {}, {});
        QCOMPARE(seenRows(*view), 0);
    }

    /// Saved memory and parameters matter most: they are visible without scrolling in a dock of usual width.
    void numbersAreSeenBesideTheNames() {
        Shown shown(recordOf("resnet18"));
        QTreeView* view = shown.panel.view();
        for (const int width : {330, 400}) {
            shown.panel.resize(width, 500);
            QCoreApplication::processEvents();
            QCOMPARE(view->horizontalScrollBar()->maximum(), 0);
            for (const int column : {Column::operations, Column::time, Column::saved, Column::parameters}) {
                const int right = view->columnViewportPosition(column) + view->columnWidth(column);
                QVERIFY2(!view->isColumnHidden(column) && right <= view->viewport()->width(),
                         qPrintable(QString::number(column)));
            }
        }
        // In a narrow one, the last columns are completely hidden.
        for (const int width : {290, 260}) {
            shown.panel.resize(width, 500);
            QCoreApplication::processEvents();
            const auto cut = [view](int column) {
                const int left = view->columnViewportPosition(column), right = left + view->columnWidth(column);
                return !view->isColumnHidden(column) && left < view->viewport()->width() &&
                       right > view->viewport()->width();
            };
            for (int column = 0; column < Column::count; ++column)
                QVERIFY2(!cut(column), qPrintable(QString::number(column)));
        }
        shown.panel.resize(400, 500);
        QCoreApplication::processEvents();
        const QModelIndex parameters = view->model()->index(0, Column::parameters);
        QCOMPARE(parameters.data().toString(), u"11.7 M"_s);
        QVERIFY(parameters.data(Qt::ToolTipRole).toString().contains(u"11,689,512"_s));
        // A column that the user has widened stays so.
        view->setColumnWidth(Column::name, 300);
        shown.panel.resize(420, 500);
        QCoreApplication::processEvents();
        QCOMPARE(view->columnWidth(Column::name), 300);
    }

    void theCurrentModuleIsCopiedWithAllInIt() {
        Shown shown(recordOf("gpt2-tiny"));
        shown.panel.mark(1);
        shown.panel.copy();
        const QStringList lines = QGuiApplication::clipboard()->text().trimmed().split(u'\n');
        QCOMPARE(lines.size(), static_cast<qsizetype>((*shown.tree)[1].end));
        QVERIFY(lines.front().startsWith(u"Module\tOps"_s));
        for (const QString& line : lines.mid(1)) QVERIFY(line.startsWith((*shown.tree)[1].path));
    }

    /// Ten thousand modules.
    void aLargeTreeIsShownFilteredAndOpened() {
        const auto record = recordWith(manyModules(1000, 10));
        Shown shown(record, GraphKind::source);
        QCOMPARE(shown.tree->modules.size(), std::size_t{1 + 1 + 1000 + 10'000});
        QVERIFY(seenRows(*shown.panel.view()) < 100);
        shown.panel.filter()->setText(u"block.77.part3"_s);
        QCOMPARE(seenRows(*shown.panel.view()), 4);
        shown.panel.filter()->clear();
        shown.panel.mark(shown.tree->byPath(u"block.999.part9"_s));
        QVERIFY(shown.row("block.999.part9").isValid());
        shown.panel.expandAll();
        QCOMPARE(shown.panel.view()->sizeHintForIndex(shown.panel.view()->model()->index(0, 0)).isValid(), true);
        QVERIFY(shown.panel.view()->isExpanded(shown.row("block.500")));
    }
};

AOTSCOPE_TEST(TestModules)

}  // namespace aotscope::test::modules_test

#include "test_modules.moc"
