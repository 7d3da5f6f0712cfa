// The main window and files: models that cannot be opened, example inputs, drops, recent models.

#include "app/window_driver.h"
#include "panels/dialogs/input_spec_dialog.h"
#include "panels/dialogs/libraries_dialog.h"
#include "panels/dialogs/limits_dialog.h"
#include "support/saved_model.h"
#include "support/test_program.h"
#include "window/pages/window_layouts.h"

#include <QAction>
#include <QCheckBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QPlainTextEdit>
#include <QPushButton>

namespace aotscope::test::window_files_test {
namespace {

constexpr const char* kGoodSpec = R"([{"shape":[2,3],"requires_grad":true},{"shape":[3]}])";
constexpr const char* kOneSpec = R"([{"shape":[2,3],"requires_grad":true}])";

InputSpecDialog* inputDialog(const Driver& d) { return d.find<InputSpecDialog>("inputSpecDialog"); }

/// Enters a spec in the input dialog and accepts it.
void answer(const Driver& d, const char* json) {
    auto* dialog = inputDialog(d);
    dialog->findChild<QTabWidget*>()->setCurrentIndex(1);
    dialog->findChild<QPlainTextEdit*>(u"inputJson"_s)->setPlainText(QString::fromUtf8(json));
    dialog->accept();
}

void chooseAppearance(const Driver& d, const QString& appearance) {
    d.trigger("actionPreferences");
    auto* box = d.find<QComboBox>("appearance");
    box->setCurrentText(appearance);
    Q_EMIT box->activated(box->currentIndex());
}

}  // namespace

class TestWindowFiles : public QObject {
    Q_OBJECT

    Isolation isolation_;
    Scratch scratch_;

    QString at(const char* name) const { return scratch_.at(QString::fromUtf8(name)); }

    void addBadFiles() const {
        columns<QString, QString>("model", "sentence");
        const auto row = [&](const char* name, const char* sentence) {
            QTest::newRow(name) << at(name) << QString::fromUtf8(sentence);
        };
        row("missing.pt", "no such file; check the path");
        row("text.pt", "it is a text without printed graphs");
        row("empty.pt", "it is empty");
        row("truncated.pt", "archive is damaged");
        row("", "found a folder");
        QTest::newRow("no such sample") << u"sample:nosuch"_s << u"there is no sample"_s;
    }

private Q_SLOTS:
    void initTestCase() {
        const auto save = [&](const char* name, const char* methods) { saveModel(methods, at(name).toStdString()); };
        save("model.pt", "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    return x * self.w + y");
        save("raises.pt",
             "def forward(self, x: Tensor) -> Tensor:\n    assert x.size(0) > 99, 'too few rows'\n    return x * "
             "self.w");
        scratch_.write(u"truncated.pt"_s, contentOf(at("model.pt")).left(700));
        scratch_.write(u"text.pt"_s, "not a model\n");
        scratch_.write(u"empty.pt"_s, {});
    }
    void init() { isolation_.forget(); }

    // --- models that cannot be opened ---

    void aBadFileIsAProblem_data() { addBadFiles(); }
    void aBadFileIsAProblem() {
        FETCH(QString, model, sentence);
        Driver d;
        QVERIFY(d.openSample("mlp"));
        const auto before = d.window.session();
        QVERIFY(d.open(model));
        QCOMPARE(d.problems()->count(), 1);
        QVERIFY2(d.lastProblem().contains(sentence), qPrintable(d.lastProblem()));
        QVERIFY(!d.lastProblem().contains(u'\n'));
        QVERIFY(d.problemsAreInFront());
        QCOMPARE(d.window.session(), before);
        QCOMPARE(d.canvas()->nodeItemCount(), d.canvas()->graph()->nodes.size());
        QVERIFY(d.window.windowTitle().startsWith(u"mlp"_s));
        QVERIFY(d.openSample("sincos"));
        QCOMPARE(d.modelName(), u"sincos"_s);
    }

    void aBadFileAtTheStart_data() { addBadFiles(); }
    void aBadFileAtTheStart() {
        FETCH(QString, model, sentence);
        Driver d;
        QVERIFY(d.open(model));
        QVERIFY2(d.lastProblem().contains(sentence), qPrintable(d.lastProblem()));
        QVERIFY(!d.window.session());
        QVERIFY(d.window.findChild<StartPage*>()->isVisible());
        QVERIFY(d.recent().isEmpty());
        d.trigger("actionRun");  // retries it
        QVERIFY(d.settle());
        QVERIFY2(d.lastProblem().contains(sentence), qPrintable(d.lastProblem()));
        QCOMPARE(d.problems()->count(), 2);
        QVERIFY(!d.window.session());
    }

    /// Options, F5 and inputs apply to the shown model.
    void afterABadFileTheShownModelRuns() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.open(at("missing.pt")));
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle());
        QCOMPARE(d.problems()->count(), 1);
        QCOMPARE(d.modelName(), u"mlp"_s);
        QCOMPARE(d.record()->partition->algorithm, PartitionAlgorithm::defaultPartition);
    }

    void aModelThatRaisesShowsWhatThereIs() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.open(at("raises.pt"), specFrom(kOneSpec)));
        QCOMPARE(d.problems()->count(), 1);
        QVERIFY2(d.lastProblem().contains(u"too few rows"_s), qPrintable(d.lastProblem()));
        QVERIFY(!d.lastProblem().contains(u".cpp"_s));
        QVERIFY(!d.record()->error.empty());
        QVERIFY(d.record()->graph(GraphKind::source));
        QCOMPARE(d.pane()->kind(), GraphKind::source);
        QVERIFY(d.canvas()->nodeItemCount() > 0);
        QVERIFY(d.table("valuesTable")->content().rows.empty());
        for (const char* action : {"actionCheck", "actionTime", "actionRun"}) {  // each gives a reason
            const int before = d.problems()->count();
            d.trigger(action);
            QVERIFY(d.settle());
            QCOMPARE(d.problems()->count(), before + 1);
            QVERIFY(d.lastProblem().contains(u"too few rows"_s));
        }
    }

    void inputsThatDoNotFitAreAProblem() {
        Driver d;
        QVERIFY(d.open(at("model.pt"), specFrom(R"([{"shape":[2,3]},{"shape":[5]}])")));
        QVERIFY(d.problems()->count() == 1);
        QVERIFY(d.open(at("model.pt"), specFrom(kOneSpec)));
        QVERIFY(d.problems()->count() == 2);
        QVERIFY(d.open(at("model.pt"), specFrom(kGoodSpec)));
        QCOMPARE(d.problems()->count(), 2);
        QVERIFY(d.record()->error.empty());
    }

    // --- example inputs ---

    void asksForInputsThatTheModelLacks() {
        Driver d;
        QVERIFY(d.open(at("model.pt")));
        QVERIFY(inputDialog(d) && inputDialog(d)->isVisible());
        QVERIFY(!d.window.session());
        answer(d, kGoodSpec);
        QVERIFY(d.settle());
        QVERIFY(d.window.session());
        QCOMPARE(q(d.record()->metadata->inputs.back().name), u"y"_s);
        QCOMPARE(d.record()->metadata->inputs.back().tensor->sizes, std::vector<std::int64_t>{3});
    }

    void remembersTheInputsOfAModel() {
        {
            Driver d;
            QVERIFY(d.open(at("model.pt")));
            answer(d, kGoodSpec);
            QVERIFY(d.settle());
        }
        Driver d;
        QVERIFY(d.open(at("model.pt")));
        QVERIFY(!inputDialog(d));
        QVERIFY(d.window.session());
    }

    void damagedRememberedInputsAreForgotten() {
        Settings().setInputSpec(at("model.pt"), "[{\"shape\":");
        Driver d;
        QVERIFY(d.open(at("model.pt")));
        QVERIFY(inputDialog(d));  // asked again
        inputDialog(d)->reject();
        QVERIFY(Settings().inputSpec(at("model.pt")).isEmpty());
    }

    void aDismissedQuestionLeavesTheShownModel() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.open(at("model.pt")));
        inputDialog(d)->reject();
        QCOMPARE(d.modelName(), u"mlp"_s);
        d.trigger("actionRun");
        QVERIFY(d.settle());
        QVERIFY(!inputDialog(d) || !inputDialog(d)->isVisible());
        QCOMPARE(d.modelName(), u"mlp"_s);
    }

    void inputsCanBeChanged() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.trigger("actionInputs");
        QVERIFY(inputDialog(d));
        answer(d, R"([{"shape":[7,64]}])");
        QVERIFY(d.settle());
        QCOMPARE(d.record()->metadata->inputs.back().tensor->sizes, (std::vector<std::int64_t>{7, 64}));
        QCOMPARE(d.problems()->count(), 0);
    }

    // --- drops ---

    void aDroppedFileIsOpened() {
        Settings().setInputSpec(at("model.pt"), kGoodSpec);
        Driver d;
        QVERIFY(dropOn(&d.window, {QUrl::fromLocalFile(at("model.pt"))}));
        QVERIFY(d.settle());
        QVERIFY(d.window.session());
        QCOMPARE(d.window.session()->options().model, at("model.pt").toStdString());
    }

    void aFileDroppedOnAGraphOpens() {
        Settings().setInputSpec(at("model.pt"), kGoodSpec);
        Driver d;
        QVERIFY(d.openSample("sincos"));
        QVERIFY(dropOn(d.canvas()->viewport(), {QUrl::fromLocalFile(at("model.pt"))}));
        QVERIFY(d.settle());
        QCOMPARE(d.window.session()->options().model, at("model.pt").toStdString());
    }

    void aDroppedFileThatIsNoModelIsAProblem() {
        Driver d;
        QVERIFY(dropOn(&d.window, {QUrl::fromLocalFile(at("text.pt"))}));
        QVERIFY(d.settle());
        QVERIFY(d.lastProblem().contains(u"it is a text without printed graphs"_s));
    }

    void onlyFilesCanBeDropped() {
        Driver d;
        QVERIFY(d.settle());
        QVERIFY(!dropOn(&d.window, {QUrl(u"https://example.org/model.pt"_s)}));
        QMimeData text;
        text.setText(u"model.pt"_s);
        QDragEnterEvent enter({200, 200}, Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
        enter.setAccepted(false);
        QCoreApplication::sendEvent(&d.window, &enter);
        QVERIFY(!enter.isAccepted());
        QVERIFY(!d.window.busy());
    }

    // --- settings ---

    void recentModelsAreListedAndRemembered() {
        {
            Driver d;
            QVERIFY(!d.menu("Open Recent")->isEnabled());
            for (const char* sample : {"mlp", "sincos", "mlp"}) QVERIFY(d.openSample(sample));
            QCOMPARE(d.recent(), (QStringList{u"sample:mlp"_s, u"sample:sincos"_s}));
        }
        Driver d;
        QCOMPARE(d.recent(), (QStringList{u"sample:mlp"_s, u"sample:sincos"_s}));
        const auto* listed = d.find<QListWidget>("recentModels");
        QCOMPARE(listed->count(), 2);
        QCOMPARE(listed->item(1)->text(), u"sample:sincos"_s);
        d.menu("Open Recent")->actions().value(1)->trigger();
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), u"sincos"_s);
        d.menu("Open Recent")->actions().last()->trigger();
        QVERIFY(!d.menu("Open Recent")->isEnabled());
        QVERIFY(Settings().recentModels().isEmpty());
    }

    void theAppearanceIsRemembered() {
        {
            Driver d;
            chooseAppearance(d, u"Dark"_s);
            QCOMPARE(d.canvas()->paintOptions().theme.background, Theme::dark().background);
        }
        Driver d;
        QCOMPARE(d.canvas()->paintOptions().theme.background, Theme::dark().background);
        chooseAppearance(d, u"Light"_s);
        QCOMPARE(d.canvas()->paintOptions().theme.background, Theme::light().background);
    }

    void theArrangementIsRemembered() {
        {
            Driver d;
            QVERIFY(d.openSample("mlp"));
            d.find<QWidget>("inspectorDock")->hide();
            d.window.close();
        }
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(d.find<QWidget>("inspectorDock")->isHidden());
        QVERIFY(!d.find<QWidget>("passesDock")->isHidden());
    }

    void nothingIsWrittenElsewhere() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        d.window.close();
        QVERIFY(isolation_.file().startsWith(isolation_.folder().path()));
        QVERIFY(QFileInfo::exists(isolation_.file()));
    }

    void librariesAreRememberedAndLoaded() {
        Driver d;
        d.trigger("actionLibraries");
        auto* dialog = d.find<LibrariesDialog>("librariesDialog");
        const QString missing = at("no_such_operators.so");
        dialog->add({missing, missing});
        QCOMPARE(dialog->libraries(), QStringList{missing});
        dialog->accept();
        QCOMPARE(Settings().libraries(), QStringList{missing});
        QVERIFY(d.openSample("sincos"));
        QVERIFY(!d.window.session());
        QVERIFY2(d.lastProblem().contains(missing), qPrintable(d.lastProblem()));

        QTRY_VERIFY_WITH_TIMEOUT(!d.find<LibrariesDialog>("librariesDialog"), kPatience);
        d.trigger("actionLibraries");
        dialog = d.find<LibrariesDialog>("librariesDialog");
        dialog->findChild<QListWidget*>(u"libraries"_s)->setCurrentRow(0);
        QTest::mouseClick(dialog->findChild<QPushButton*>(u"removeLibrary"_s), Qt::LeftButton);
        QVERIFY(dialog->libraries().isEmpty());
        dialog->accept();
        QVERIFY(d.openSample("sincos"));
        QCOMPARE(d.modelName(), u"sincos"_s);
    }

    void limitsAreRememberedAndHold() {
        const QString file = at("endless.pt");
        saveModel(
            "def forward(self) -> Tensor:\n    n = 0\n    while n >= 0:\n        n = n + 1\n    return self.w + n\n",
            file.toStdString());
        Driver d;
        d.trigger("actionLimits");
        auto* dialog = d.find<LimitsDialog>("limitsDialog");
        QCOMPARE(dialog->limits(), Limits{});
        dialog->findChild<QDoubleSpinBox*>(u"timeLimit"_s)->setValue(0.3);
        dialog->findChild<QSpinBox*>(u"memoryLimit"_s)->setValue(700);
        dialog->accept();
        QCOMPARE(Settings().limits(), (Limits{0.3, 700'000'000}));
        d.open(file);
        QVERIFY2(d.lastProblem().contains(u"took more than 0.3 s"_s), qPrintable(d.lastProblem()));
        QVERIFY(d.openSample("mlp"));  // it continues
        Settings().setLimits({});
    }

    void cancelEndsALoopThatNeverEnds() {
        const QString file = at("endless.pt");
        saveModel(
            "def forward(self) -> Tensor:\n    n = 0\n    while n >= 0:\n        n = n + 1\n    return self.w + n\n",
            file.toStdString());
        Settings().setLimits({100'000, 0});
        Driver d;
        d.window.openModel(file);
        QTest::qWait(300);
        QVERIFY(d.window.busy());
        d.trigger("actionCancel");
        QVERIFY(d.openSample("mlp"));  // its job waits for the previous job's thread
        QCOMPARE(d.modelName(), u"mlp"_s);
        Settings().setLimits({});
    }

    void aModelThatIsWrittenAnewIsCompiledAgain() {
        Driver d;
        const QString file = at("changing.pt");
        const auto write = [&](const char* body) {
            saveModel(std::string("def forward(self, x: Tensor) -> Tensor:\n    return ") + body + "\n",
                      file.toStdString());
        };
        const auto calls = [&](const char* op) {
            const auto nodes = d.record()->graph(GraphKind::source)->nodes();
            return std::count_if(nodes.begin(), nodes.end(), [&](const Node* n) { return n->op() == op; });
        };
        write("(x * self.w).sin()");
        QVERIFY(d.open(file, specFrom(R"([{"shape":[3]}])")));
        QCOMPARE(calls("aten.sin.default"), 1);
        write("(x * self.w).cos().cos()");
        QTRY_VERIFY_WITH_TIMEOUT(d.settle() && calls("aten.sin.default") == 0, kPatience);
        QCOMPARE(calls("aten.cos.default"), 2);
        // If the file becomes damaged, the shown model stays.
        QFile damaged(file);
        QVERIFY(damaged.open(QIODevice::WriteOnly));
        damaged.write("not a model any more");
        damaged.close();
        QTRY_VERIFY_WITH_TIMEOUT(
            d.settle() && d.lastProblem().contains(u"changing.pt"_s) && !d.lastProblem().contains(u"has changed"_s),
            kPatience);
        QCOMPARE(calls("aten.cos.default"), 2);
        d.trigger("actionPreferences");
        d.find<QCheckBox>("reload")->setChecked(false);
        write("x * self.w");
        QTRY_VERIFY_WITH_TIMEOUT(d.lastProblem().contains(u"F5"_s), kPatience);
        QCOMPARE(calls("aten.cos.default"), 2);
        QVERIFY(!Settings().reload());
    }

    void layoutsHaveNames() {
        Driver d;
        Settings settings;
        QVERIFY(d.openSample("mlp"));
        auto* perspectives = d.window.findChild<Perspectives*>();
        WindowLayouts layouts(&d.window, perspectives, settings);
        auto* passes = d.find<QDockWidget>("passesDock");
        perspectives->show(Perspective::memory);
        passes->hide();
        layouts.save(u"wide"_s);
        layouts.apply({});
        QVERIFY(passes->isVisible());
        perspectives->show(Perspective::explore);
        layouts.apply(u"wide"_s);
        QVERIFY(!passes->isVisible());
        QCOMPARE(perspectives->current(), Perspective::memory);
        layouts.remove(u"wide"_s);
        QVERIFY(Settings().layoutNames().isEmpty());
    }

    void anEmptyListOfFilesCannotBeDropped() {
        Driver d;
        QMimeData data;
        data.setData(u"text/uri-list"_s, {});
        QDragEnterEvent enter({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        enter.setAccepted(false);
        QCoreApplication::sendEvent(&d.window, &enter);
        QVERIFY(!enter.isAccepted());
    }
};

AOTSCOPE_TEST(TestWindowFiles)

}  // namespace aotscope::test::window_files_test

#include "test_window_files.moc"
