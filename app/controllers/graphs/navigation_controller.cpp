#include "controllers/graphs/navigation_controller.h"

namespace aotscope {

NavigationController::NavigationController(const Surroundings& around, QSplitter* graphs, PassPanel* passes)
    : Controller(around),
      passes_(passes),
      search_(new SearchController(around)),
      difference_(new DifferenceController(around)),
      history_(new HistoryController(around)),
      steps_(new StepController(around, passes)),
      colours_(new ColourController(around)),
      breakpoints_(new BreakpointController(window_)) {
    graphs->addWidget(difference_->view());
    connect(passes_, &PassPanel::passSelected, difference_, &DifferenceController::followPass);
    passes_->hideIdle()->setChecked(settings_->hideIdlePasses());
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

void NavigationController::connectSignals() {
    connect(difference_, &DifferenceController::failed, this, &NavigationController::failed);
    connect(difference_->action(), &QAction::toggled, this, &NavigationController::wantHistory);
    connect(history_, &HistoryController::changed, this, &NavigationController::showTicks);
    connect(passes_->hideIdle(), &QCheckBox::toggled, this, [this](bool hide) { settings_->setHideIdlePasses(hide); });
    connect(colours_, &ColourController::failed, this, &NavigationController::failed);
    connect(colours_, &ColourController::chosen, this, [this](const QString& name) { settings_->setColourBy(name); });
}

void NavigationController::setRecord(const std::shared_ptr<const CompileRecord>& record) {
    selection_->setFollower(std::make_shared<NodeFollower>(record));
    colours_->setRecord(record);
    search_->setRecord(record);
    difference_->setRecord(record);
    history_->setRecord(record);
    steps_->setRecord(record);
    breakpoints_->panel()->setPasses(record.get());
}

const GraphView* NavigationController::shownView() const {
    return difference_->shown() ? difference_->view()->canvas() : pane_->view();
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
