#include "window/exploration.h"

#include "controllers/make_action.h"
#include "window/cheat_sheet.h"
#include "window/command_palette.h"

#include <QApplication>
#include <QMenuBar>

namespace aotscope {

Exploration::Exploration(const Surroundings& around)
    : QObject(around.window),
      around_(around),
      search_(new SearchController(around.pane, around.selection, around.window)),
      searchDock_(addDock(QStringLiteral("searchDock"), tr("Search"), search_->panel())),
      difference_(new DifferenceController(around.pane, around.selection, around.window)),
      history_(new HistoryController(around.pane, around.selection, around.window)),
      steps_(new StepController(around.pane, around.passes, around.selection, around.window)),
      colours_(new ColourController(around.pane, around.window)),
      breakpoints_(new BreakpointController(around.window)) {
    around_.graphs->addWidget(difference_->view());
    connect(around_.passes, &PassPanel::passSelected, difference_, &DifferenceController::followPass);
    around_.tables->insertTab(0, steps_->changes(), tr("Changes"));
    around_.tables->insertTab(1, history_->panel(), tr("History"));
    around_.tables->addTab(breakpoints_->panel(), tr("Breakpoints"));
    around_.passes->hideIdle()->setChecked(around_.settings->hideIdlePasses());
}

/// On the left, below the passes; hidden until it is asked for.
QDockWidget* Exploration::addDock(const QString& name, const QString& title, QWidget* widget) {
    auto* dock = new QDockWidget(title, around_.window);
    dock->setObjectName(name);
    dock->setWidget(widget);
    around_.window->addDockWidget(Qt::LeftDockWidgetArea, dock);
    dock->hide();
    return dock;
}

void Exploration::addGoActionsTo(QMenu* menu) {
    for (QAction* action : search_->actions()) menu->addAction(action);
    menu->addSeparator();
    for (QAction* action : steps_->actions()) menu->addAction(action);
    menu->addAction(difference_->action());
    menu->addAction(history_->action());
    menu->addSeparator();
}

void Exploration::addRunActionsTo(QMenu* menu) {
    for (QAction* action : breakpoints_->actions()) menu->addAction(action);
    menu->addAction(makeAction(this, QStringLiteral("actionBreakpoints"), tr("&Breakpoints…"), {Qt::Key_F9},
                               tr("Passes and nodes at which the pipeline pauses"), [this] { showBreakpoints(); }));
    menu->addSeparator();
}

void Exploration::showBreakpoints() { around_.tables->setCurrentWidget(breakpoints_->panel()); }

void Exploration::addHelpActionsTo(QMenu* menu) {
    auto* palette = menu->addAction(tr("&Commands…"), this, &Exploration::showPalette);
    palette->setObjectName(QStringLiteral("actionPalette"));
    palette->setShortcuts({QKeySequence(tr("Ctrl+K")), QKeySequence(tr("Ctrl+Shift+P"))});
    menu->addAction(makeAction(this, QStringLiteral("actionManual"), tr("&Manual"),
                               {QKeySequence(QKeySequence::HelpContents)}, tr("Manual page for the panel with focus"),
                               [this] { showManual(); }));
    auto* keys = menu->addAction(tr("&Keyboard"), this, &Exploration::showKeys);
    keys->setObjectName(QStringLiteral("actionKeys"));
    keys->setShortcut(QKeySequence(Qt::Key_Question));
}

void Exploration::showPalette() {
    auto* palette = new CommandPalette(actionsOf(*around_.window->menuBar()), around_.window);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    connect(palette, &CommandPalette::findRequested, this, [this](const QString& text) {
        search_->start();
        search_->panel()->edit()->setText(text);
    });
    palette->open();
}

void Exploration::showManual() {
    if (!manual_) manual_ = new ManualWindow(around_.window);
    const QWidget* focus = QApplication::focusWidget();
    manual_->show();  // a page is laid out, and scrolled to its section, in a window that has its size
    manual_->raise();
    manual_->activateWindow();
    manual_->openFor(focus);
}

void Exploration::showKeys() {
    auto* sheet = new CheatSheet(actionsOf(*around_.window->menuBar()), around_.window);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->open();
}

/// A history is worked out while somebody sees it, in its table or on the slider.
void Exploration::wantHistory() {
    history_->setWanted(around_.tables->currentWidget() == history_->panel() || difference_->shown());
}

void Exploration::showTicks(const std::vector<HistoryStep>& steps) {
    std::vector<std::optional<QColor>> colours;
    QStringList tips;
    for (const HistoryStep& step : steps) {
        const Tint tint = tintOf(step.state);
        colours.push_back(dark_ ? tint.dark : tint.light);
        tips << meaningOf(step.state);
    }
    difference_->view()->slider()->setTicks(std::move(colours), tips);
}

std::vector<QAction*> Exploration::sessionActions() const {
    std::vector<QAction*> actions = search_->actions();
    actions.push_back(difference_->action());
    actions.push_back(history_->action());
    for (QAction* action : steps_->actions()) actions.push_back(action);
    return actions;
}

void Exploration::connectSignals() {
    connect(search_, &SearchController::shown, searchDock_, [this] {
        const bool first = !searchDock_->isVisible();
        searchDock_->show();
        searchDock_->raise();
        // The list of passes is short, that of hits is not.
        auto* passes = around_.window->findChild<QDockWidget*>(QStringLiteral("passesDock"));
        constexpr int passesHeight = 2, hitsHeight = 3;
        if (first && passes)
            around_.window->resizeDocks({passes, searchDock_}, {passesHeight * 100, hitsHeight * 100}, Qt::Vertical);
    });
    connect(search_, &SearchController::closed, searchDock_, &QWidget::hide);
    connect(difference_, &DifferenceController::failed, this, &Exploration::failed);
    connect(difference_->action(), &QAction::toggled, this, &Exploration::wantHistory);
    connect(around_.tables, &QTabWidget::currentChanged, this, &Exploration::wantHistory);
    connect(history_, &HistoryController::changed, this, &Exploration::showTicks);
    connect(history_, &HistoryController::asked, this, [this] { around_.tables->setCurrentWidget(history_->panel()); });
    connect(steps_, &StepController::changeShown, this,
            [this] { around_.tables->setCurrentWidget(steps_->changes()); });
    connect(around_.passes->hideIdle(), &QCheckBox::toggled, this,
            [this](bool hide) { around_.settings->setHideIdlePasses(hide); });
    steps_->connectCamera();
    connect(colours_, &ColourController::failed, this, &Exploration::failed);
    connect(colours_, &ColourController::chosen, this,
            [this](const QString& name) { around_.settings->setColourBy(name); });
}

void Exploration::setRecord(const std::shared_ptr<const CompileRecord>& record) {
    around_.selection->setFollower(std::make_shared<NodeFollower>(record));
    colours_->setRecord(record);
    search_->setRecord(record);
    difference_->setRecord(record);
    history_->setRecord(record);
    steps_->setRecord(record);
}

const GraphView* Exploration::shownView() const {
    return difference_->shown() ? difference_->view()->canvas() : around_.pane->view();
}

void Exploration::setTheme(const Theme& theme) {
    dark_ = theme.background.lightness() < 128;
    difference_->view()->setTheme(theme, dark_);
    history_->panel()->setDark(dark_);
}

void Exploration::setTiming(const TimingResult& timing) {
    const auto shared = std::make_shared<const TimingResult>(timing);
    search_->setTiming(shared);
    colours_->setTiming(shared);
}

bool Exploration::busy() const {
    return search_->busy() || difference_->busy() || history_->busy() || steps_->busy() || colours_->busy();
}

}  // namespace aotscope
