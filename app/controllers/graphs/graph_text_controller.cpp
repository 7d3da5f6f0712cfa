#include "controllers/graphs/graph_text_controller.h"

namespace aotscope {

GraphTextController::GraphTextController(GraphPane* pane, Selection* selection, QWidget* window)
    : Controller(window), panel_(new GraphTextPanel(window)) {
    connect(pane, &GraphPane::graphChanged, panel_, [this, pane] { panel_->setGraph(pane->graph()); });
    connect(selection, &Selection::changed, panel_, [this, selection] { panel_->select(selection->node()); });
    connect(panel_, &GraphTextPanel::nodeSelected, selection, &Selection::select);
}

}  // namespace aotscope
