#pragma once

#include "controllers/controller.h"
#include "panels/pass_panel.h"
#include "panels/tables/table_panel.h"

#include <QAction>

namespace aotscope {

/// Steps from pass to pass without moving the camera, and through the single changes of the current pass.
class StepController : public Controller {
    Q_OBJECT

public:
    StepController(const Surroundings& around, PassPanel* passes);

    /// The changes of the current pass.
    TablePanel* changes() const { return changes_; }
    const std::vector<QAction*>& actions() const { return actions_; }
    /// Call after the window has connected its own slots: the camera is set last.
    void connectCamera();
    void setRecord(std::shared_ptr<const CompileRecord> record);
    bool busy() const override { return job_.running(); }

Q_SIGNALS:
    /// A single change was requested.
    void changeShown();

private:
    void choosePass(int row);
    bool isPass(int row) const;
    void listChanges(int row);
    void stepInside(int direction);
    void showChange(NodeId node, GraphKind kind);
    void rememberPlace();
    void restorePlace();
    void prepareNext();

    PassPanel* passes_;
    TablePanel* changes_;
    std::vector<QAction*> actions_;
    BackgroundJob job_;
    std::shared_ptr<const CompileRecord> record_;
    int listed_ = -1;  ///< the pass whose changes are listed
    int stepWhenListed_ = 0;
    int chosen_ = 0;     ///< the last pass that was shown; initially, the final one
    int direction_ = 0;  ///< from the previous to the current pass; 0: not stepped yet
    struct Place {
        double scale = 1;
        QPointF onScreen;  ///< of the selected node, in the viewport
        GraphKind kind = GraphKind::joint;
        QPointF centre;  ///< in the scene, if nothing was selected
        bool ofNode = false;
    };
    std::optional<Place> place_;  ///< to be restored when the graph is ready
};

}  // namespace aotscope
