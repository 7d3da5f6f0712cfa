#pragma once

#include "controllers/controller.h"
#include "controllers/selection.h"
#include "panels/graph/graph_pane.h"
#include "panels/graph/graph_text_panel.h"

namespace aotscope {

/// The text of the graph that the canvas shows, with the same node selected.
class GraphTextController : public Controller {
    Q_OBJECT

public:
    GraphTextController(GraphPane* pane, Selection* selection, QWidget* window);

    GraphTextPanel* panel() const { return panel_; }

private:
    GraphTextPanel* panel_;
};

}  // namespace aotscope
