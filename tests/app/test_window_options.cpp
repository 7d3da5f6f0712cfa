// The toolbar, the options of a run, and the chips of options that differ from their defaults.

#include "app/window_driver.h"
#include "panels/dialogs/checked_line_edit.h"
#include "panels/dialogs/decomposition_dialog.h"
#include "support/test_program.h"
#include "window/options/option_chips.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QSpinBox>

namespace aotscope::test::window_options_test {
namespace {

/// A window with the keyboard focus.
struct Desk : Driver {
    Desk() { active = QTest::qWaitForWindowActive(&window, kPatience); }
    OptionsPopover* options() const { return window.findChild<OptionsPopover*>(); }
    const Options& used() const { return window.session()->options(); }
    QToolBar* chipBar() const { return find<QToolBar>("optionChips"); }
    /// The texts of the visible chips.
    QStringList chips() const {
        QStringList texts;
        for (const OptionChip* chip : window.findChildren<OptionChip*>())
            if (chip->isVisible()) texts << chip->findChild<QToolButton*>()->accessibleName();
        return texts;
    }
    /// The text, or the cross, of the chip whose text begins like this.
    QToolButton* buttonOf(const char* chip, int which) const {
        for (const OptionChip* each : window.findChildren<OptionChip*>()) {
            const auto buttons = each->findChildren<QToolButton*>();
            if (each->isVisible() && buttons.front()->accessibleName().startsWith(QLatin1String(chip)))
                return buttons.value(which);
        }
        return nullptr;
    }
    void choose(const char* list, const char* text) const {
        auto* box = find<QComboBox>(list);
        const int item = box->findText(QString::fromUtf8(text));
        if (item < 0) qFatal("'%s' has no item '%s'", list, text);
        box->setCurrentIndex(item);
        Q_EMIT box->activated(item);
    }
    void type(const char* field, const char* text) const {
        auto* edit = find<QLineEdit>(field);
        edit->clear();
        QTest::keyClicks(edit, QString::fromUtf8(text));
        QTest::keyClick(edit, Qt::Key_Return);
    }

    bool active;
};

}  // namespace

class TestWindowOptions : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    // --- the panel ---

    void everyOptionHasAControl() {
        Desk d;
        Options options;
        d.options()->writeTo(options);  // all of them exist before it is opened
        for (const OptionEntry& entry : optionTable()) {
            if (entry.label.empty()) continue;
            const auto controls = d.options()->findChildren<QWidget*>();
            QVERIFY2(std::ranges::any_of(controls,
                                         [&](const QWidget* each) { return each->accessibleName() == q(entry.label); }),
                     entry.label.data());
        }
    }

    void keysOpenAndCloseIt() {
        Desk d;
        QVERIFY(d.active && d.openSample("mlp"));
        QCOMPARE(QApplication::focusWidget(), d.canvas());
        QTest::keyClick(&d.window, Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(d.options()->isVisible());
        QVERIFY(d.options()->isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!d.options()->isVisible());
        QCOMPARE(QApplication::focusWidget(), d.canvas());
        d.trigger("actionOptions");
        QVERIFY(d.options()->isVisible());
        d.canvas()->setFocus();
        QVERIFY(!d.options()->isVisible());
        QVERIFY(!d.find<QAction>("actionOptions")->isChecked());
    }

    /// With Tab alone, on a screen too small for all of them.
    void everyFieldIsReachedByKeys() {
        Desk d;
        QVERIFY(d.active && d.openSample("mlp"));
        d.window.resize(1024, 600);
        d.trigger("actionOptions");
        std::set<QWidget*> reached;
        for (int i = 0; i < 100 && d.options()->isVisible(); ++i) {
            QWidget* here = QApplication::focusWidget();
            reached.insert(here);
            if (here->parentWidget() == d.find<QWidget>("memoryBudget")->parentWidget())
                QVERIFY2(here->visibleRegion().contains(here->rect().center()), qPrintable(here->objectName()));
            QTest::keyClick(here, Qt::Key_Tab);
        }
        for (const char* name : {"device", "decompose", "seed", "partition", "memoryBudget", "alwaysSave", "compiler",
                                 "backwardCompiler", "recompileLimit", "verifyGraphs", "crossCheckFakeKernels"})
            QVERIFY2(reached.contains(d.find<QWidget>(name)), name);
    }

    void itFitsEveryWindow() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        for (const QSize& size : {QSize(800, 560), QSize(1024, 700), QSize(1480, 940)}) {
            d.window.resize(size);
            d.find<QAction>("actionOptions")->setChecked(true);
            QCoreApplication::processEvents();
            QVERIFY(d.window.rect().contains(d.options()->geometry()));
            QVERIFY(d.options()->geometry().top() >= d.find<QToolBar>("mainToolBar")->geometry().bottom());
            d.window.resize(size - QSize(0, 60));
            QCoreApplication::processEvents();
            QVERIFY(d.window.rect().contains(d.options()->geometry()));
            d.find<QAction>("actionOptions")->setChecked(false);
        }
    }

    void theWheelScrollsPastAList() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionOptions");
        auto* mode = d.find<QComboBox>("mode");
        QWheelEvent turn(QPointF(5, 5), mode->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton, {},
                         Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(mode, &turn);
        QCOMPARE(mode->currentText(), u"as-saved"_s);
    }

    // --- options ---

    void typedOptionsAreTaken() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        d.find<QDoubleSpinBox>("memoryBudget")->setValue(0.5);
        QVERIFY(d.settle());
        QCOMPARE(d.used().partition.memoryBudget, 0.5);
        d.choose("knapsackSolver", "greedy");
        QVERIFY(d.settle());
        QVERIFY(d.used().partition.solver == KnapsackSolver::greedy);
        d.type("alwaysRecompute", "relu");
        QVERIFY(d.settle());
        QCOMPARE(d.used().partition.recompute, std::vector<std::string>{"relu"});
        QCOMPARE(d.record()->partition->recomputed.size(), std::size_t{1});
        d.find<QSpinBox>("recompileLimit")->setValue(3);
        d.find<QCheckBox>("banReductions")->setChecked(false);
        d.find<QCheckBox>("verifyGraphs")->setChecked(true);
        d.type("dynamic", "x.0=2..64");
        QVERIFY(d.settle());
        QCOMPARE(d.used().recompileLimit, std::size_t{3});
        QVERIFY(!d.used().partition.cut.banReductions && d.used().verify);
        QCOMPARE(d.used().dynamic.size(), std::size_t{1});
        d.find<QCheckBox>("staticShapes")->setChecked(true);
        QVERIFY(d.settle());
        QVERIFY(d.used().staticShapes);
        QCOMPARE(d.problems()->count(), 0);
    }

    void aWrongTextIsNotTaken() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        d.type("dynamic", "x.0=nine");
        QVERIFY(!d.window.busy());
        QVERIFY(d.find<CheckedLineEdit>("dynamic")->problem().contains(u"expected NAME=MIN..MAX"_s));
        QVERIFY(d.find<QWidget>("dynamic")->toolTip().contains(u"expected NAME=MIN..MAX"_s));
    }

    /// A node that another model lacks, or a size of it, is dropped.
    void namesOfOneModelStayWithIt() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        d.type("alwaysRecompute", "relu");
        QVERIFY(d.settle());
        QVERIFY(d.openSample("sincos"));
        QVERIFY(d.used().partition.recompute.empty());
        QVERIFY(d.find<QLineEdit>("alwaysRecompute")->text().isEmpty());
        QCOMPARE(d.problems()->count(), 0);
    }

    /// Those of the command line hold for all models.
    void anotherModelStartsWithTheOwnOptions() {
        Desk d;
        d.window.setOptions({.mode = ModuleMode::eval});
        QVERIFY(d.openSample("mlp"));
        const auto* partition = d.find<QComboBox>("partition");
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle());
        d.chooseTab(GraphKind::backward);
        QVERIFY(d.openSample("sincos"));
        QVERIFY(d.used().partition.algorithm == PartitionAlgorithm::minCut);
        QVERIFY(d.used().mode == ModuleMode::eval);
        QCOMPARE(partition->currentText(), u"min-cut"_s);
        QCOMPARE(d.pane()->kind(), GraphKind::joint);
        // One that cannot be opened leaves the shown one as it was.
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle() && d.openSample("nosuch"));
        QCOMPARE(partition->currentText(), u"default"_s);
    }

    void whatDoesNotApplySaysWhy() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        const auto says = [&d](const char* option, const char* why) {
            const auto* widget = d.find<QWidget>(option);
            const QString text = QString::fromUtf8(why);
            return widget->isEnabled() == text.isEmpty() &&
                   (text.isEmpty() || widget->toolTip().contains(text, Qt::CaseInsensitive));
        };
        QVERIFY(says("cudaGraphs", "CUDA device"));
        QVERIFY(says("weights", ".pt2"));
        QVERIFY(says("inferenceCompiler", "only for inference"));
        QVERIFY(says("knapsackSolver", "budget below 1"));
        QVERIFY(says("backwardCompiler", ""));
        d.find<QCheckBox>("inference")->setChecked(true);
        QVERIFY(d.settle());
        QVERIFY(says("inferenceCompiler", ""));
        QVERIFY(says("backwardCompiler", "no backward"));
        QVERIFY(says("memoryBudget", "no backward"));
    }

    // --- compilers ---

    void aCompilerForEachKindOfGraph() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        d.choose("backwardCompiler", "interpreter");
        QVERIFY(d.settle());
        d.choose("compiler", "fused");
        QVERIFY(d.settle());
        QCOMPARE(d.used().compilers.forward, std::string("fused"));
        QCOMPARE(d.used().compilers.backward, std::string("interpreter"));  // unchanged
        QVERIFY(d.chips().contains(u"backward compiler: interpreter"_s));
        // Settings of the compilers in use.
        auto* reductions = d.find<QComboBox>("fused.reductions");
        QVERIFY(reductions && !d.find<QComboBox>("torchscript.freeze"));
        reductions->setCurrentText(u"false"_s);
        QVERIFY(d.settle());
        QCOMPARE(d.used().compilers.settings, (std::map<std::string, std::string>{{"fused.reductions", "false"}}));
        QVERIFY(d.chips().contains(u"compiler settings: fused.reductions=false"_s));
        reductions->setCurrentText(u"true"_s);
        QVERIFY(d.settle());
        QVERIFY(d.used().compilers.settings.empty());
        d.trigger("actionCheck");
        QVERIFY(d.settle());
        QVERIFY(d.verdict().startsWith(u"Equal to eager"_s));
        Desk later;
        QVERIFY(later.openSample("mlp"));
        QCOMPARE(later.used().compilers.forward, std::string("fused"));
        QCOMPARE(later.used().compilers.backward, std::string("interpreter"));
    }

    void fakeKernelsAreCrossChecked() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        d.find<QCheckBox>("crossCheckFakeKernels")->setChecked(true);
        QVERIFY(d.settle());
        QVERIFY(d.record()->crossCheck && d.record()->crossCheck->checked > 0);
        QVERIFY2(d.lastProblem().contains(
                     u"fake results: %1 compared with the real kernel's"_s.arg(d.record()->crossCheck->checked)),
                 qPrintable(d.lastProblem()));
    }

    // --- chips ---

    void aChipForWhatIsNotTheDefault() {
        Desk d;
        QVERIFY(d.active && d.openSample("mlp"));
        QVERIFY(!d.chipBar()->isVisible() && d.chips().isEmpty());
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle());
        QVERIFY(d.chipBar()->isVisible());
        QCOMPARE(d.chips(), QStringList{u"partition: default"_s});
        d.buttonOf("partition", 0)->click();
        QVERIFY(d.options()->isVisible());
        QCOMPARE(QApplication::focusWidget(), d.find<QComboBox>("partition"));
        d.buttonOf("partition", 1)->click();
        QVERIFY(d.window.busy());
        QVERIFY(d.settle());
        QVERIFY(d.used().partition.algorithm == PartitionAlgorithm::minCut);
        QCOMPARE(d.find<QComboBox>("partition")->currentText(), u"min-cut"_s);
        QVERIFY(!d.chipBar()->isVisible());
    }

    void chipsOfTheCommandLine() {
        Desk d;
        d.window.setOptions(
            {.mode = ModuleMode::eval, .partition = {.cut = {.banReductions = false}}, .keepInputMutations = true});
        QCOMPARE(d.chips(), (QStringList{u"mode: eval"_s, u"keep input mutations"_s, u"ban reductions: off"_s}));
        QVERIFY(d.openSample("mlp"));
        QCOMPARE(d.chips().size(), 3);
        QTest::keyClick(d.buttonOf("mode", 0), Qt::Key_Delete);
        QVERIFY(d.settle());
        QVERIFY(d.used().mode == ModuleMode::asSaved);
        for (QPushButton* button : d.options()->findChildren<QPushButton*>()) button->click();  // Reset All
        QVERIFY(d.settle());
        QVERIFY(d.chips().isEmpty());
        QVERIFY(d.used().partition.cut.banReductions && !d.used().keepInputMutations);
    }

    /// Options of the command line that the model does not take.
    void optionsThatTheModelDoesNotTake() {
        Desk d;
        Options options{.given = std::make_shared<GivenOptions>()};
        for (const char* name : {"--compile-id", "--seed"}) options.given->add(name);
        options.compileId = "0/0";
        options.seed = 7;
        d.window.setOptions(options);
        QVERIFY(d.openSample("mlp"));
        QCOMPARE(d.problems()->count(), 1);
        QVERIFY2(d.lastProblem().contains(u"--compile-id: 'sample:mlp' is a model, not a log"_s),
                 qPrintable(d.lastProblem()));
    }

    void manyChipsDoNotWidenTheWindow() {
        Desk d;
        Options options{.mode = ModuleMode::eval, .seed = 12345};
        options.keepInputMutations = options.staticShapes = options.verify = true;
        options.partition.memoryBudget = 0.25;
        options.partition.solver = KnapsackSolver::exact;
        options.partition.cut.banReductions = options.partition.cut.banUsedFarApart = false;
        options.partition.save = {"a_node_of_the_graph_with_a_long_name", "and_another_one"};
        options.recompileLimit = 2;
        d.window.setOptions(options);
        for (const int width : {800, 1024}) {
            d.window.resize(width, 700);
            QCoreApplication::processEvents();
            QCOMPARE(d.window.width(), width);
            const auto* more = d.find<QToolButton>("moreChips");
            QVERIFY(more->isVisible());
            QCOMPARE(more->text(), u"+%1"_s.arg(11 - d.chips().size()));
            QCOMPARE(more->menu()->actions().size(), 11 - d.chips().size());
            QVERIFY(more->mapTo(&d.window, more->rect().bottomRight()).x() <= width);
        }
        d.find<QToolButton>("moreChips")->menu()->actions().back()->trigger();
        QVERIFY(d.options()->isVisible());
        QCOMPARE(QApplication::focusWidget(), d.find<QCheckBox>("verifyGraphs"));
    }

    /// Options that cannot be changed have no cross, and an arrangement of docks restores no empty row.
    void chipsOfASession() {
        const Scratch scratch;
        const std::string file = scratch.at(u"s.aotscope"_s).toStdString();
        {
            Desk d;
            d.window.setOptions({.model = "sample:mlp", .mode = ModuleMode::eval});
            QVERIFY(d.openSample("mlp"));
            QVERIFY(d.chipBar()->isVisible());
            const QByteArray state = d.window.saveState();
            d.buttonOf("mode", 1)->click();
            QVERIFY(d.settle());
            QVERIFY(!d.chipBar()->isVisible());
            d.window.restoreState(state);
            QCoreApplication::processEvents();
            QVERIFY(!d.chipBar()->isVisible());
        }
        Desk d;
        QVERIFY(d.open(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/mlp.log")));
        QVERIFY(d.chips().isEmpty());
    }

    // --- the toolbar ---

    void theToolbarNamesTheModel() {
        Desk d;
        auto* open = d.find<QToolButton>("openButton");
        QCOMPARE(open->text(), u"Open"_s);
        QVERIFY(d.openSample("mlp"));
        QCOMPARE(open->text(), u"mlp"_s);
        QVERIFY(open->toolTip().startsWith(u"sample:mlp"_s));
        QVERIFY(open->menu()->actions().contains(d.find<QAction>("actionOpen")));
        QVERIFY(open->menu()->actions().contains(d.menu("Open Recent")->menuAction()));
    }

    void typingSearches() {
        Desk d;
        QVERIFY(d.active && d.openSample("mlp"));
        auto* search = d.window.navigation()->search()->panel();
        auto* dock = d.find<QDockWidget>("searchDock");
        QVERIFY(search->edit()->isVisible() && !dock->isVisible());
        QVERIFY(d.find<QToolBar>("mainToolBar")->isAncestorOf(search->edit()));
        search->edit()->setFocus();
        QTest::keyClicks(search->edit(), u"relu"_s);
        QVERIFY(d.settle());
        QVERIFY(dock->isVisible() && search->model().result().hits > 0);
        QTest::keyClick(search->edit(), Qt::Key_Escape);
        QVERIFY(!dock->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(search->edit()->text().isEmpty(), kPatience);
    }

    /// Everything is visible, or behind the button at the end.
    void aNarrowToolbarLosesNothing() {
        Desk d;
        QVERIFY(d.openSample("mlp"));
        const auto* bar = d.find<QToolBar>("mainToolBar");
        for (const int width : {800, 1024, 1480}) {
            d.window.resize(width, 700);
            QCoreApplication::processEvents();
            const auto* more = bar->findChild<QToolButton*>(u"qt_toolbar_ext_button"_s);
            for (QAction* action : bar->actions()) {
                const QWidget* widget = bar->widgetForAction(action);
                if (!action->isVisible() || !qobject_cast<const QToolButton*>(widget)) continue;
                if (widget->isVisible()) QVERIFY(widget->width() >= widget->sizeHint().width());
                else QVERIFY(more->isVisible());
            }
            QVERIFY(d.window.navigation()->search()->panel()->edit()->isVisible());
        }
    }

    // --- decompositions ---

    void aTableIsEdited() {
        Desk d;
        QVERIFY(d.openSample("gpt2-tiny"));
        d.choose("decompose", "core-aten");
        QVERIFY(d.settle());
        d.choose("decompose", "edit…");
        QCOMPARE(d.find<QComboBox>("decompose")->currentText(), u"core-aten"_s);
        auto* dialog = d.find<DecompositionDialog>("decompositionDialog");
        QVERIFY(dialog);
        QCOMPARE(dialog->findChild<QComboBox*>(u"decompositionBase"_s)->currentText(), u"core-aten"_s);
        auto* list = dialog->findChild<QTableView*>(u"decompositionList"_s);
        auto* filter = dialog->findChild<QLineEdit*>(u"decompositionFilter"_s);
        const int all = list->model()->rowCount();
        filter->setText(u"aten.t.default"_s);
        QVERIFY(list->model()->rowCount() < all && list->model()->rowCount() > 0);
        const QModelIndex rule = list->model()->index(0, 0);
        QCOMPARE(rule.data().toString(), u"aten.t.default"_s);
        QCOMPARE(rule.data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Checked));
        QVERIFY(rule.siblingAtColumn(2).data().toString().contains(u"permute"_s));
        list->setFocus();
        list->setCurrentIndex(rule);
        QTest::keyClick(list, Qt::Key_Space);
        QCOMPARE(rule.data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Unchecked));
        QCOMPARE(dialog->json().simplified(),
                 QByteArray(R"({ "base": "core-aten", "ops": { "aten.t.default": "keep" } })"));
        // An operation has at most one rule.
        filter->clear();
        for (int row = 0; row < all; ++row) {
            const QModelIndex index = list->model()->index(row, 0);
            list->model()->setData(index, Qt::Checked, Qt::CheckStateRole);
        }
        std::set<QString> checked;
        for (int row = 0; row < all; ++row) {
            const QModelIndex index = list->model()->index(row, 0);
            if (index.data(Qt::CheckStateRole).toInt() == Qt::Checked)
                QVERIFY2(checked.insert(index.data().toString()).second, qPrintable(index.data().toString()));
        }
        QVERIFY(checked.size() > 100);
        dialog->reject();
    }
};

AOTSCOPE_TEST(TestWindowOptions)

}  // namespace aotscope::test::window_options_test

#include "test_window_options.moc"
