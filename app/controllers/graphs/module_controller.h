#pragma once

#include "controllers/controller.h"
#include "controllers/graphs/canvas_controller.h"
#include "panels/graph/module_panel.h"
#include "record/results/results.h"

#include <QMenu>

namespace aotscope {

/// The tree of modules beside the graph: choosing a module selects its operations, and selecting a node marks its
/// module. Modules are opened and closed in the graph from here, too.
class ModuleController : public Controller {
    Q_OBJECT

public:
    ModuleController(const Surroundings& around, CanvasController* canvas);

    ModulePanel* panel() const { return panel_; }
    /// The modules of the shown graph; null: not known yet.
    const std::shared_ptr<const ModuleTree>& tree() const { return tree_; }
    /// The module that is selected as a whole, in the tree or as a closed box; -1: none.
    int selected() const;
    /// Selects the operations of a module.
    void choose(int module);
    /// Shows a run with the shown partition (see setPartitioned); `timing` may be null. `device`: to estimate times
    /// for.
    void setRun(std::shared_ptr<const CompileRecord> record, bool whatIf, const TimingResult* timing,
                const std::string& device);
    /// The same run with another partition; `whatIf`: not the compiled one.
    void setPartitioned(std::shared_ptr<const CompileRecord> record, bool whatIf);
    /// The machine was calibrated again.
    void renewEstimates() { findTimes(); }
    bool busy() const override { return job_.running() || timesJob_.running(); }

Q_SIGNALS:
    /// selected() may be another module, or have other figures.
    void selectedChanged();

private:
    void makeActions();
    void findTimes();
    void build();
    void show(std::shared_ptr<const ModuleTree> tree);
    QString note(const ModuleTree& tree) const;
    int moduleOfSelection() const;
    void followSelection();
    void followCanvas();
    void follow();
    void look(int module);
    std::vector<int> groupsOf(int module) const;
    bool isOpen(int module) const;
    void setOpen(int module, bool open);
    void showMenu(int module, const QPoint& place);

    CanvasController* canvas_;
    ModulePanel* panel_;
    QMenu* menu_;
    QAction *select_ = nullptr, *open_ = nullptr, *close_ = nullptr;
    std::shared_ptr<const CompileRecord> record_;
    std::optional<TimingResult> timing_;
    std::string device_ = "cpu";
    std::shared_ptr<const NodeTimes> times_;  ///< null: being computed
    bool whatIf_ = false;
    bool choosing_ = false;  ///< the selection comes from here
    int chosen_ = -1;        ///< the module whose operations were selected here; -1: others are selected
    std::shared_ptr<const ModuleTree> tree_;
    BackgroundJob job_, timesJob_;
};

}  // namespace aotscope
