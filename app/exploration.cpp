#include "exploration.h"

namespace aotscope {

Exploration::Exploration(const Surroundings& around)
    : QObject(around.window),
      around_(around),
      search_(new SearchController(around.pane, around.selection, around.window)),
      searchDock_(addDock(QStringLiteral("searchDock"), tr("Search"), search_->panel())) {}

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
}

std::vector<QAction*> Exploration::sessionActions() const { return search_->actions(); }

void Exploration::connectSignals() {
    connect(search_, &SearchController::shown, searchDock_, [this] {
        searchDock_->show();
        searchDock_->raise();
    });
    connect(search_, &SearchController::closed, searchDock_, &QWidget::hide);
}

void Exploration::setRecord(std::shared_ptr<const CompileRecord> record) { search_->setRecord(std::move(record)); }

void Exploration::setTiming(const TimingResult& timing) {
    search_->setTiming(std::make_shared<const TimingResult>(timing));
}

bool Exploration::busy() const { return search_->busy(); }

}  // namespace aotscope
