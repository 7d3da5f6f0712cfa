#pragma once

#include "window/menus.h"
#include "window/model_tabs.h"
#include "window/run_presenter.h"
#include "window/selection_links.h"

namespace aotscope {

/// The main window: creates its parts, connects them, and gives tests and the command line access to them. Each part is
/// documented where it is declared.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// `engine` runs the models.
    explicit MainWindow(std::shared_ptr<const Engine> engine, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// As RunController::openModel().
    void openModel(const QString& model, const InputSource& inputs = {}, const std::filesystem::path& inputFolder = {});
    void setOptions(const Options& options) { all_.runs->setOptions(options); }

    const std::shared_ptr<const Session>& session() const { return bench_.run.session(); }
    const std::optional<TimingResult>& timing() const { return bench_.run.results().timed; }
    const Selection& selection() const { return bench_.selection; }
    const Pages& pages() const { return *bench_.pages; }
    WhatIfController* whatIf() const { return all_.whatIf; }
    NavigationController* navigation() const { return all_.navigation; }
    SecondaryGraphController* secondaryGraph() const { return all_.secondary; }
    CompareController* compare() const { return all_.compare; }
    const RunList& runs() const { return bench_.run.runs; }
    DebugController* debugger() const { return all_.debug; }
    TrainController* training() const { return all_.training; }
    ProfileController* profile() const { return all_.profile; }
    SessionController* sessionFile() const { return handover_->file(); }
    RecoveryController* recovery() const { return handover_->recovery(); }
    Guide* guide() const { return help_->guide(); }
    bool busy() const;
    /// Adds a command that opens another window.
    void offerWindows(const std::function<void()>& open) { menus_->offerWindows(open); }
    /// Completes files being written, and removes unpacked ones: the window is closed, and the program is about to end.
    void finishFiles();

public Q_SLOTS:
    void run() { all_.runs->run(); }
    void check() { all_.runs->check(); }
    void findDifference() { all_.runs->findDifference(); }
    void time() { all_.runs->time(); }
    void cancel();
    void exportTo(const QString& file) { files_->exportTo(file); }

protected:
    bool focusNextPrevChild(bool next) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void restore();
    void connectMenus();
    void connectPages();
    void connectSearch();
    void connectWork();
    void showLog();
    void leaveLog();
    void applySettings();
    void setColourBy(ColourBy by);

    Workbench bench_;
    Controllers all_;
    SessionHandover* handover_;
    RunPresenter* presenter_;
    SelectionLinks* links_;
    FileDialogs* files_;
    Preferences* preferences_;
    HelpController* help_;
    Menus* menus_;
    ModelTabs* models_;
    int usualTables_ = 0;  ///< the height of the tables beside a graph, while a log has their place; 0: none has
};

}  // namespace aotscope
