#pragma once

#include "controllers/controller.h"
#include "controllers/runs/run_list.h"
#include "controllers/what_if/calibration_controller.h"
#include "controllers/what_if/variant_controller.h"
#include "controllers/what_if/what_if_change.h"
#include "controllers/what_if/what_if_preparation.h"
#include "controllers/what_if/what_if_state.h"
#include "panels/communication_panel.h"
#include "panels/memory_panel.h"
#include "panels/tables/table_pair.h"
#include "panels/what_if_panel.h"

#include <QAction>
#include <QElapsedTimer>
#include <QMenu>
#include <QUndoStack>

namespace aotscope {

/// What-if: why a value is saved, and the effects of not saving it. Does not change the compiled function until a
/// variant is activated.
class WhatIfController : public Controller {
    Q_OBJECT

public:
    WhatIfController(const Surroundings& around, CalibrationController* calibration);
    ~WhatIfController() override;

    WhatIfPanel* panel() const { return panel_; }
    /// The difference of two partitions: their figures and operations; the values placed differently.
    TablePair* difference() const { return difference_; }
    MemoryPanel* memory() const { return memory_; }
    /// The communication of the shown partition; others fill it.
    CommunicationPanel* communication() const { return communication_; }
    VariantController* variants() const { return variants_; }
    void addActionsTo(QMenu* menu);
    /// Also for changes of the view, which the same stack has.
    void addUndoTo(QMenu* menu) const { menu->addActions(undoing_); }
    /// Commands that place the selected values, whatever the partitioner would decide.
    const QList<QAction*>& overrides() const { return overrides_; }
    /// Whether they apply to some of `nodes`: the forward of the joint graph computes it.
    bool takes(const std::vector<NodeId>& nodes) const { return !state_.paused && !valuesAmong(nodes).empty(); }
    /// Adds them to the rows of a table.
    void addOverridesTo(TablePanel* table) { table->view()->addActions(overrides_); }

    void setSession(const std::shared_ptr<const Session>& session) override;
    /// As it is, to be resumed when the session is shown again.
    LeftWhatIf left() const;
    /// The next session is that of `run`.
    void resume(const Run& run) {
        resumed_ = run.whatIf;
        timed_ = run.results.timed;
    }
    /// While held, nothing can be undone or redone: another run is on its way.
    void holdUndo(bool held);
    /// While another run is paused, nothing is shown or computed for this one. Its state is kept.
    void setPaused(bool paused);
    /// Every operation was timed: estimates use these times from now on.
    void learn(const TimingResult& timing);
    /// Operations were measured by themselves: the record of the session knows more.
    void estimateAgain();
    /// Another node is selected, or another graph shown.
    void showSelection();

    /// Whether an answer is being computed.
    bool busy() const override;
    /// Stops sweeps and measurements.
    void cancel() { variants_->cancel(); }

    /// The partition in the joint graph, and its baseline.
    const Variant& shown() const { return state_.shown; }
    const Variant& baseline() const { return state_.baseline; }
    /// The partition in the joint graph; null: the compiled one.
    std::shared_ptr<const Partition> notCompiled() const;
    /// The undo stack of Ctrl+Z.
    QUndoStack* undoStack() { return undo_; }
    /// Of the shown model. It must outlive this, or the next call.
    void setUndoStack(QUndoStack* stack);
    /// Time from the last change of an option to the changed picture.
    double answerMs() const { return answerMs_; }

public Q_SLOTS:
    /// Requests another partition; can be undone.
    void change(const aotscope::PartitionOptions& options, const QString& what, bool merge);
    /// As SVG or PNG, by the file's extension.
    void exportMemory(const QString& file);

Q_SIGNALS:
    void nodeSelected(aotscope::NodeId node);
    void nodesSelected(const std::vector<aotscope::NodeId>& nodes);
    /// The joint graph shows another partition.
    void answered();
    /// The effects of the other choices for the selected value, a sentence each.
    void alternativesFound(aotscope::NodeId node, const QStringList& sentences);
    /// Show this page, which has the result of a command.
    void pageAsked(QWidget* page);
    /// Show the list with the variants.
    void runsAsked();
    /// The menu of the canvas is about to open: others may add to it.
    void menuAsked(QMenu* menu);
    /// Compile the function with another partition.
    void applied(const aotscope::PartitionOptions& options);

private:
    struct Answer {
        Variant variant;
        PartitionDifference difference;  ///< from the baseline
        bool compiled = false;           ///< same as the compiled partition
    };
    void makeActions();
    void makeUndoActions();
    void offerUndo();
    QAction* addOverride(const QString& name, const QString& text, const QKeySequence& key, const QString& tip,
                         ValueOverride wanted);
    void connectPanels();
    void connectVariants();
    LeftWhatIf initialFor(const Session& next);
    void prepare();
    void estimateWith(const MachineModel& machine);
    void takePrepared(WhatIfPreparation prepared);
    void showMenu(const QPoint& globalPosition);
    void enableWhatApplies();

    std::vector<NodeId> valuesAmong(const std::vector<NodeId>& nodes) const;
    std::vector<NodeId> chosenValues() const;
    void setOverride(ValueOverride wanted);
    void show(const Variant& variant);
    void compareWith(const Variant& before, const Variant& after);
    void backToCompiled();
    void askForName();
    void copyAsPython();
    void apply(const PartitionOptions& options);
    void ask();
    void ask(const QString& what, PartitionOptions asked, std::function<void()> then);
    void onAnswer(Answer answer);
    void showOptions();
    void showAnswer();
    void showFigures();
    void showMemory();
    void onRefused(const std::exception_ptr& error);
    void askWhy();

    WhatIfState state_;
    VariantController* variants_;
    WhatIfPanel* panel_;
    TablePair* difference_;
    MemoryPanel* memory_;
    CommunicationPanel* communication_;
    QUndoStack none_;                                           ///< while no model is open
    QUndoStack* undo_ = &none_;                                 ///< shared with everything that changes the view
    QList<QAction*> overrides_, undoing_, changing_, showing_;  ///< the parts of the menus
    std::vector<QAction*> prepared_;                            ///< need something to partition
    QAction *apply_, *network_;
    CalibrationController* calibration_;

    PartitionOptions options_;
    std::shared_ptr<const Partition> differsFrom_;  ///< of the baseline; null: same as the shown one
    bool showsCompiled_ = true;                     ///< the shown one equals the compiled one
    bool held_ = false;                             ///< see holdUndo
    bool asking_ = false;                           ///< the shown one is not, or cannot be, made with options_
    LeftWhatIf resumed_, initial_;                  ///< of the next session; of this one, until it is prepared
    QElapsedTimer clock_;
    double answerMs_ = 0;
    std::optional<TimingResult> timed_;  ///< of the compiled partition
    BackgroundJob answers_, alternatives_;
};

}  // namespace aotscope
