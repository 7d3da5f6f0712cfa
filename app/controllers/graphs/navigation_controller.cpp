#include "controllers/graphs/navigation_controller.h"

namespace aotscope {

NavigationController::NavigationController(const Surroundings& around)
    : Controller(around.window),
      around_(around),
      search_(new SearchController(around.pane, around.selection, around.window)),
      difference_(new DifferenceController(around.pane, around.selection, around.window)),
      history_(new HistoryController(around.pane, around.selection, around.window)),
      steps_(new StepController(around.pane, around.passes, around.selection, around.window)),
      colours_(new ColourController(around.engine, around.pane, around.window)),
      breakpoints_(new BreakpointController(around.window)) {
    around_.graphs->addWidget(difference_->view());
    connect(around_.passes, &PassPanel::passSelected, difference_, &DifferenceController::followPass);
    around_.passes->hideIdle()->setChecked(around_.settings->hideIdlePasses());
    connectSignals();
}

void NavigationController::addGoActionsTo(QMenu* menu) {
    for (QAction* action : search_->actions()) menu->addAction(action);
    menu->addSeparator();
    for (QAction* action : steps_->actions()) menu->addAction(action);
    menu->addAction(difference_->action());
}

/// A history is computed only while it is visible, in its table or on the slider.
void NavigationController::wantHistory() { history_->setWanted(historySeen_ || difference_->shown()); }

void NavigationController::setHistorySeen(bool seen) {
    historySeen_ = seen;
    wantHistory();
}

void NavigationController::showTicks(const std::vector<HistoryStep>& steps) {
    std::vector<std::optional<QColor>> colours;
    QStringList tips;
    for (const HistoryStep& step : steps) {
        colours.push_back(coloursOf(colourFor(step.state), scheme_).fill);
        tips << describe(step);
    }
    difference_->view()->slider()->setTicks(std::move(colours), tips);
}

std::vector<QAction*> NavigationController::sessionActions() const {
    std::vector<QAction*> actions = search_->actions();
    actions.push_back(difference_->action());
    for (QAction* action : steps_->actions()) actions.push_back(action);
    return actions;
}

void NavigationController::connectSignals() {
    connect(difference_, &DifferenceController::failed, this, &NavigationController::failed);
    connect(difference_->action(), &QAction::toggled, this, &NavigationController::wantHistory);
    connect(history_, &HistoryController::changed, this, &NavigationController::showTicks);
    connect(around_.passes->hideIdle(), &QCheckBox::toggled, this,
            [this](bool hide) { around_.settings->setHideIdlePasses(hide); });
    connect(colours_, &ColourController::failed, this, &NavigationController::failed);
    connect(colours_, &ColourController::chosen, this,
            [this](const QString& name) { around_.settings->setColourBy(name); });
}

void NavigationController::setRecord(const std::shared_ptr<const CompileRecord>& record) {
    around_.selection->setFollower(std::make_shared<NodeFollower>(record));
    colours_->setRecord(record);
    search_->setRecord(record);
    difference_->setRecord(record);
    history_->setRecord(record);
    steps_->setRecord(record);
    breakpoints_->panel()->setPasses(record.get());
}

const GraphView* NavigationController::shownView() const {
    return difference_->shown() ? difference_->view()->canvas() : around_.pane->view();
}

void NavigationController::setTheme(const Theme& theme) {
    scheme_ = theme.scheme;
    showTicks(history_->panel()->steps());
}

void NavigationController::setTiming(const TimingResult& timing) {
    const auto shared = std::make_shared<const TimingResult>(timing);
    search_->setTiming(shared);
    colours_->setTiming(shared);
}

bool NavigationController::busy() const {
    return search_->busy() || difference_->busy() || history_->busy() || steps_->busy() || colours_->busy();
}

}  // namespace aotscope
