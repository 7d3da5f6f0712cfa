#pragma once

#include "controllers/background_job.h"
#include "controllers/beside.h"
#include "controllers/canvas_controller.h"
#include "controllers/compare_controller.h"
#include "controllers/consent_controller.h"
#include "controllers/copy_controller.h"
#include "controllers/debug_controller.h"
#include "controllers/laboratory_controller.h"
#include "controllers/recovery_controller.h"
#include "controllers/selection.h"
#include "controllers/session_code.h"
#include "controllers/session_controller.h"
#include "controllers/session_view.h"
#include "controllers/settings.h"
#include "controllers/timing_controller.h"
#include "controllers/train_controller.h"
#include "panels/graph_pane.h"
#include "panels/inspector_panel.h"
#include "panels/pass_panel.h"
#include "panels/problems_panel.h"
#include "panels/table_pair.h"
#include "session/session.h"
#include "window/close_guard.h"
#include "window/compile_status.h"
#include "window/exploration.h"
#include "window/model_watcher.h"
#include "window/options_bar.h"
#include "window/start_page.h"

#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolButton>
#include <optional>
#include <set>

namespace aotscope {

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens a path or "sample:NAME" with the current options. Inputs: given, else those last used with the
    /// model, else the model's own.
    void openModel(const QString& model, const InputSource& inputs = {}, const std::filesystem::path& inputFolder = {});
    void setOptions(const Options& options);

    const std::shared_ptr<const Session>& session() const { return session_; }
    const std::optional<TimingResult>& timing() const { return timing_; }
    const Selection& selection() const { return selection_; }
    LaboratoryController* laboratory() const { return laboratory_; }
    SessionController* sessionFile() const { return sessionFile_; }
    RecoveryController* recovery() const { return recovery_; }
    Exploration* exploration() const { return exploration_; }
    Beside* beside() const { return beside_; }
    CompareController* compare() const { return compare_; }
    DebugController* debugger() const { return debug_; }
    TrainController* training() const { return training_; }
    bool busy() const;

public Q_SLOTS:
    void run();
    void check();
    void findDifference();
    void time();
    void cancel();
    /// Writes the shown graph; the format follows the file's ending.
    void exportTo(const QString& file);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildCentre();
    void buildDocks();
    void buildMenus();
    void buildFileMenu();
    void buildRunMenu();
    void buildViewMenu();
    void buildGoMenu();
    void buildPartitionMenu();
    void buildDebugMenu();
    void buildHelpMenu();
    void buildStatusBar();
    void connectSignals();
    void connectSessionFile();
    void connectConsent();
    void connectLaboratory(const std::function<void(const QString&)>& showProgress);
    void connectDebugger(const std::function<void(const QString&)>& showProgress);
    void connectTraining();

    QDockWidget* addDock(const QString& name, const QString& title, QWidget* widget, Qt::DockWidgetArea area);
    void fillRecentMenu();
    void setAppearance(Settings::Appearance appearance);
    void setColourBy(ColourBy by);

    void connectBreakpoints();
    void showStop(const std::shared_ptr<const PipelineStop>& stop);
    void leavePartial();
    void showFinishedRun(bool shown);
    /// Of the run that stands still, else of the session; null: there is none.
    std::shared_ptr<const CompileRecord> shownRecord() const;
    /// Of the shown record; null: nothing was timed.
    const TimingResult* shownTiming() const { return timing_ && !partial_ ? &*timing_ : nullptr; }

    void onSession(std::shared_ptr<const Session> session, const std::optional<FileState>& read);
    void onCheck(const CheckResult& result);
    void onBisect(const BisectResult& result);
    void onTiming(TimingResult result);
    void exportTorchScript(const QString& file, const std::string& format);
    /// What is known by now of the backends of the shown run.
    std::vector<CompilerUse> shownCompilers() const;
    void showCompilers();
    void onFailure(const std::exception_ptr& error);
    void onJobFailure(const std::exception_ptr& error);
    void askForOperators(const OperatorsRefused& refused);
    void useCode(const RequestedCode& code);
    void rememberCompiler(const QString& name);
    void returnToOwnOptions();
    void returnToSession();
    void adaptToSession();
    /// As openModel(), once it is clear what becomes of unsaved changes.
    void openInstead(const QString& model);
    void openCompile(const QString& id);
    void compileWith(const PartitionOptions& partition);
    AddResults resultsToSave();
    void restoreResults(const SessionContent& saved);
    void restoreView();
    void restoreColours(const SessionView& view);
    SessionView view() const;
    void onSelectionChanged();
    void selectIn(NodeId node, GraphKind kind);
    void selectAllIn(const std::vector<NodeId>& nodes, GraphKind kind);
    void askForInputs(const InputSpec& suggestion, const std::vector<std::string>& names, const QString& reason);
    void editInputs();
    void editLibraries();
    void editLimits();
    void openDialog();
    void exportDialog();
    void reportDialog();
    void exportChartDialog(const QString& chart, void (LaboratoryController::*write)(const QString& file));
    void exportTrainingDialog();
    void batchesDialog();
    void decompositionDialog();
    /// The run that shownRecord() is, everywhere.
    void showRecord();
    void pluginDialog();
    void refreshTables();
    void showSummary();
    void onModelChanged(const QString& path);
    void showPass(int row);
    void copyGraphText();

    Settings settings_;
    Options options_;
    Options own_;  ///< what this user's flags and settings say; of it, what no file may decide
    /// What the model's file may do in the next run, if its user has just allowed it; and what it might in the last
    /// one.
    std::optional<OperatorKinds> allowed_;
    struct {
        std::string model;
        OperatorKinds kinds;
    } tried_;
    std::shared_ptr<const Session> session_;
    std::shared_ptr<const CompileRecord> partial_;  ///< of a run that has stopped at a breakpoint
    std::optional<TimingResult> timing_;
    std::optional<CheckResult> checked_;
    std::optional<BisectResult> bisected_;
    std::set<std::string> takeovers_;  ///< notes of the session's backends that have been shown
    BackgroundJob job_;
    CompileStatus status_;
    Selection selection_;
    ModelWatcher watcher_;

    QStackedWidget* centre_;
    StartPage* start_;
    QSplitter* graphs_;
    GraphPane* pane_;
    Beside* beside_;  ///< a second graph
    CompareController* compare_;
    OptionsBar* optionsBar_;
    PassPanel* passes_;
    InspectorPanel* inspector_;
    LaboratoryController* laboratory_;
    TimingController* times_;
    ConsentController* consent_;
    SessionCode* sessionCode_;
    SessionController* sessionFile_;
    CloseGuard* closeGuard_;
    RecoveryController* recovery_;
    CopyController* copying_;
    DebugController* debug_;
    TrainController* training_;
    bool reload_ = false;                       ///< the session file is to be read, even if it is the open one
    std::optional<SessionView> viewToRestore_;  ///< of the opened file, once the graph has its picture
    Exploration* exploration_;                  ///< search, passes, differences
    CanvasController* canvas_;
    QString laboratoryTitle_;
    QTabWidget* tables_;
    TablePanel *inputs_, *outputs_, *saved_, *recomputed_, *runtime_, *guards_, *timingTable_;
    TablePair* decompositions_;  ///< the rules, and every single rewrite
    ProblemsPanel* problems_;
    QLabel *summary_, *stage_;
    QProgressBar* progress_;
    QToolButton* cancelButton_;
    QMenu *recentMenu_, *viewMenu_;
    QAction* sourceAction_;
    std::vector<QAction*> sessionActions_;  ///< need an open session
};

}  // namespace aotscope
