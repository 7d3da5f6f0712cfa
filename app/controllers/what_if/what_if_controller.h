#pragma once

#include "controllers/background_job.h"
#include "controllers/controller.h"
#include "controllers/selection.h"
#include "controllers/what_if/calibration_controller.h"
#include "controllers/what_if/variant_controller.h"
#include "controllers/what_if/what_if_actions.h"
#include "controllers/what_if/what_if_preparation.h"
#include "controllers/what_if/what_if_state.h"
#include "controllers/what_if/why_controller.h"
#include "panels/communication_panel.h"
#include "panels/graph/graph_pane.h"
#include "panels/memory_panel.h"
#include "panels/tables/table_pair.h"
#include "panels/what_if_panel.h"

#include <QElapsedTimer>

namespace aotscope {

/// What-if: why a value is saved, and what would be if it were not. It changes nothing of the compiled function until a
/// variant is activated.
class WhatIfController : public Controller {
    Q_OBJECT

public:
    WhatIfController(GraphPane* pane, Selection* selection, CalibrationController* calibration, QWidget* window);
    ~WhatIfController() override;

    WhatIfPanel* panel() const { return panel_; }
    /// What distinguishes two partitions: their numbers and operations; the values whose placement differs.
    TablePair* difference() const { return difference_; }
    MemoryPanel* memory() const { return memory_; }
    /// What the shown partition communicates; others fill it.
    CommunicationPanel* communication() const { return communication_; }
    VariantController* variants() const { return variants_; }
    void addActionsTo(QMenu* menu);
    /// A menu on the rows of a table, for the values that they stand for.
    void addOverridesTo(TablePanel* table) { actions_->addOverridesTo(table); }

    void setSession(std::shared_ptr<const Session> session);
    void setTheme(const Theme& theme) override;
    /// While another run stands still, nothing is shown or asked of this one. What it has is kept.
    void setPaused(bool paused);
    /// Every operation was timed: estimates are made from these times, at once.
    void learn(const TimingResult& timing);
    /// Another node is selected, or another graph shown.
    void showSelection();

    /// Whether an answer is being worked out.
    bool busy() const override;
    /// Stops sweeps and measurements.
    void cancel() { variants_->cancel(); }

    /// What the joint graph shows, and what it is compared with.
    const Variant& shown() const { return state_.shown; }
    const Variant& baseline() const { return state_.baseline; }
    /// The partition that the joint graph shows; null: it is the compiled one.
    std::shared_ptr<const Partition> notCompiled() const;
    /// What Ctrl+Z undoes.
    QUndoStack* undoStack() { return &undo_; }
    /// From the change of an option to the changed picture, the last time.
    double answerMs() const { return answerMs_; }

public Q_SLOTS:
    /// Asks for another partition; can be undone.
    void change(const aotscope::PartitionOptions& options, const QString& what, bool merge);
    /// As SVG or PNG, by the file's ending.
    void exportMemory(const QString& file);

Q_SIGNALS:
    void nodeSelected(aotscope::NodeId node);
    void started(const QString& title);
    void stageEntered(const QString& stage);
    void finished();
    /// The joint graph shows another partition.
    void answered();
    /// What the other choices for the selected value would change, a sentence each.
    void alternativesFound(aotscope::NodeId node, const QStringList& sentences);
    /// A command has its result on this page.
    void pageAsked(QWidget* page);
    /// The menu of the canvas comes up: others may add to it.
    void menuAsked(QMenu* menu);
    /// The function is to be compiled with another partition.
    void applied(const aotscope::PartitionOptions& options);

private:
    struct Answer {
        Variant variant;
        PartitionDifference difference;  ///< from the baseline
        bool compiled = false;           ///< it does what the compiled partition does
    };
    void connectActions();
    void connectPanels();
    void connectVariants();
    KeptVariants keptFor(const Session& next) const;
    void prepare();
    void estimateWith(const MachineModel& machine);
    void takePrepared(WhatIfPreparation prepared);
    void showMenu(const QPoint& globalPosition);
    void enableWhatApplies();

    std::vector<NodeId> chosenValues() const;
    void setOverride(ValueOverride wanted, const std::vector<NodeId>& nodes);
    void show(const Variant& variant);
    void compareWith(const Variant& before, const Variant& after);
    void applyShown();
    void backToCompiled();
    void askForName();
    void copyAsPython() const;
    void apply(const PartitionOptions& options);
    void ask();
    void onAnswer(Answer answer);
    void showOptions();
    void showAnswer();
    void showFigures();
    void showMemory();
    void onRefused(const std::exception_ptr& error);

    GraphPane* pane_;
    Selection* selection_;
    QWidget* window_;
    WhatIfState state_;
    WhyController* why_;
    VariantController* variants_;
    WhatIfPanel* panel_;
    TablePair* difference_;
    MemoryPanel* memory_;
    CommunicationPanel* communication_;
    QUndoStack undo_;  ///< shared with what changes the view
    WhatIfActions* actions_;
    CalibrationController* calibration_;

    PartitionOptions options_;
    std::shared_ptr<const Partition> differsFrom_;  ///< the baseline's; null: the shown one does the same
    bool showsCompiled_ = true;                     ///< the shown one does what the compiled one does
    bool asking_ = false;                           ///< the shown one is not, or cannot be, what options_ ask for
    KeptVariants kept_;                             ///< what the session begins with, until it is prepared
    QElapsedTimer clock_;
    double answerMs_ = 0;
    std::optional<TimingResult> timed_;  ///< of the compiled partition
    BackgroundJob answers_;
};

}  // namespace aotscope
