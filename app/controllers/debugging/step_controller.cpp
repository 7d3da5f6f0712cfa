#include "controllers/debugging/step_controller.h"

#include "controllers/make_action.h"
#include "record/pass_graphs.h"
#include "record/pass_steps.h"
#include "support/names.h"

namespace aotscope {

namespace {

TableContent tableOfSteps(const std::vector<PassStep>& steps, const PassRecord& pass) {
    TableContent content;
    content.columns = {{QObject::tr("What"), QObject::tr("how the node changed"), false},
                       {QObject::tr("Change"), QObject::tr("step through the changes with . and ,"), false}};
    for (const PassStep& step : steps)
        content.rows.push_back({{{toQString(step.kind), {}}, {toQString(step.text), {}}}, step.node, step.graph});
    content.summary = QObject::tr("%1: %2").arg(toQString(name(pass)), toQString(counted(steps.size(), "change")));
    content.whenEmpty = QObject::tr("%1 made no changes.").arg(toQString(name(pass)));
    return content;
}

/// The box of a node; null if it is not drawn.
QPointF centreOf(const GraphView& view, NodeId node) {
    if (!view.graph() || node == kNoNode) return {};
    const auto it = view.graph()->indexOf.find(node);
    return it == view.graph()->indexOf.end() ? QPointF()
                                             : view.layout()->boxes[static_cast<std::size_t>(it->second)].center();
}

}  // namespace

StepController::StepController(const Surroundings& around, PassPanel* passes)
    : Controller(around), passes_(passes), changes_(new TablePanel(window_)) {
    changes_->setObjectName(QStringLiteral("changesTable"));
    changes_->view()->setAccessibleName(tr("Changes of the pass"));
    changes_->setContent({{}, {}, {}, tr("Select a pass to see its changes.")});
    actions_ = {makeAction(this, QStringLiteral("actionNextChange"), tr("Next C&hange in Pass"), {Qt::Key_Period},
                           tr("Shows the next change of the pass"), [this] { stepInside(1); }),
                makeAction(this, QStringLiteral("actionPreviousChange"), tr("Previous Chan&ge in Pass"),
                           {Qt::Key_Comma}, tr("Shows the previous change of the pass"), [this] { stepInside(-1); })};
    connect(passes_, &PassPanel::passMarked, this, &StepController::listChanges);
    connect(passes_, &PassPanel::passSelected, this, &StepController::choosePass);
    connect(changes_, &TablePanel::nodeSelected, this, &StepController::showChange);
}

void StepController::connectCamera() {
    connect(pane_, &GraphPane::layoutFinished, this, [this] {
        restorePlace();
        prepareNext();
    });
}

void StepController::setRecord(std::shared_ptr<const CompileRecord> record) {
    job_.cancel();
    record_ = std::move(record);
    listed_ = -1;
    stepWhenListed_ = 0;
    chosen_ = record_ ? static_cast<int>(record_->passes.size()) : 0;
    direction_ = 0;
    place_.reset();
    changes_->setContent({{}, {}, {}, tr("Select a pass to see its changes.")});
}

/// Called before the graph of the pass is shown, with the camera unchanged.
void StepController::choosePass(int row) {
    if (!isPass(row)) return;
    direction_ = row < std::exchange(chosen_, row) ? -1 : 1;
    place_.reset();
    const auto next = graphAfter(*record_, static_cast<std::size_t>(row), pane_->kind());
    if (next && next->graph != pane_->graph()) rememberPlace();
}

bool StepController::isPass(int row) const {
    return record_ && row >= 0 && row < static_cast<int>(record_->passes.size());
}

void StepController::listChanges(int row) {
    if (!isPass(row) || row == listed_) return;
    listed_ = row;
    job_.cancel();
    job_.start<TableContent>(
        tr("Changes of the pass"),
        [record = record_, pass = static_cast<std::size_t>(row)](const Progress&) {
            return tableOfSteps(stepsOf(*record, pass), record->passes[pass]);
        },
        [this](TableContent content) {
            changes_->setContent(std::move(content));
            if (const int direction = std::exchange(stepWhenListed_, 0)) stepInside(direction);
        });
}

void StepController::stepInside(int direction) {
    if (!record_) return;
    if (passes_->currentPass() < 0) passes_->setCurrentPass(0);
    Q_EMIT changeShown();
    if (job_.running()) {
        stepWhenListed_ = direction;
        return;
    }
    const QTableView* view = changes_->view();
    const int rows = view->model()->rowCount(), now = view->currentIndex().row();
    const int next = now < 0 ? (direction > 0 ? 0 : rows - 1) : now + direction;
    if (next < 0 || next >= rows) {
        // Goes on to the next pass that changed something.
        const int before = passes_->currentPass();
        passes_->step(direction);
        if (passes_->currentPass() != before && passes_->currentPass() > 0) stepWhenListed_ = direction;
        return;
    }
    view->selectionModel()->setCurrentIndex(view->model()->index(next, 0),
                                            QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void StepController::showChange(NodeId node, GraphKind kind) {
    const auto own = graphAfter(*record_, static_cast<std::size_t>(listed_), kind);
    if (!own || own->kind != kind) return;
    if (pane_->graph() != own->graph) {
        rememberPlace();
        pane_->showGraph(kind, own->graph);
    }
    selection_->select(node);
    pane_->reveal(node);
}

/// Prepares the next graph in the same direction.
void StepController::prepareNext() {
    const int row = direction_ != 0 && passes_->currentPass() == chosen_ ? passes_->next(direction_) : -1;
    if (!isPass(row)) return;
    if (const auto next = graphAfter(*record_, static_cast<std::size_t>(row), pane_->kind()))
        pane_->prepare(next->kind, next->graph);
}

void StepController::rememberPlace() {
    const GraphView* view = pane_->view();
    if (!view->graph() || !view->layout()) return;
    Place place{view->transform().m11(), {}, pane_->kind(), view->mapToScene(view->viewport()->rect().center()), false};
    const QPointF centre = centreOf(*view, selection_->node());
    place.ofNode = !centre.isNull();
    if (place.ofNode) place.onScreen = view->viewportTransform().map(centre);
    // A node out of view is scrolled into view in the next graph.
    if (place.ofNode && !view->viewport()->rect().contains(place.onScreen.toPoint()))
        place.onScreen = view->viewport()->rect().center();
    place_ = place;
}

void StepController::restorePlace() {
    if (!place_) return;
    const Place place = *std::exchange(place_, std::nullopt);
    GraphView* view = pane_->view();
    const QPointF centre = centreOf(*view, selection_->node());
    if (place.ofNode && !centre.isNull()) {
        const QPointF middle = view->viewport()->rect().center();
        view->goTo({centre + (middle - place.onScreen) / place.scale, place.scale});
    } else if (!place.ofNode && place.kind == pane_->kind()) {
        view->goTo({place.centre, place.scale});
    }
}

}  // namespace aotscope
