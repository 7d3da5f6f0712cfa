#pragma once

#include "controllers/background_job.h"
#include "controllers/selection.h"
#include "models/variant.h"
#include "panels/graph_pane.h"
#include "panels/memory_panel.h"
#include "panels/pareto_panel.h"
#include "panels/table_pair.h"
#include "panels/variant_panel.h"
#include "panels/what_if_panel.h"
#include "panels/why_panel.h"
#include "partition/laboratory.h"
#include "session/session.h"

#include <QElapsedTimer>
#include <QMenu>
#include <QUndoStack>

namespace aotscope {

/// What-if: why a value is saved, and what would be if it were not. It changes nothing
/// of the compiled function until a variant is activated.
class WhatIfController : public QObject {
    Q_OBJECT

public:
    WhatIfController(GraphPane* pane, Selection* selection, QWidget* window);
    ~WhatIfController() override;

    WhyPanel* why() const { return why_; }
    WhatIfPanel* panel() const { return panel_; }
    /// What distinguishes two partitions: their numbers and operations; the values whose fate differs.
    TablePair* difference() const { return difference_; }
    VariantPanel* variantPanel() const { return variantPanel_; }
    ParetoPanel* pareto() const { return pareto_; }
    MemoryPanel* memory() const { return memory_; }
    void addActionsTo(QMenu* menu);
    /// A menu on the rows of a table, for the values that they stand for.
    void addOverridesTo(TablePanel* table);

    void setSession(std::shared_ptr<const Session> session);
    void setTheme(const Theme& theme);
    /// While another run stands still, nothing is shown or asked of this one. What it has is kept.
    void setPaused(bool paused);
    /// Every operation was timed: estimates are made from these times.
    void learn(const TimingResult& timing);
    /// Another node is selected, or another graph shown.
    void showSelection();

    /// Whether an answer is being worked out.
    bool busy() const;
    /// Stops sweeps and measurements.
    void cancel();

    /// What the joint graph shows, and what it is compared with.
    const Variant& shown() const { return shown_; }
    const Variant& baseline() const { return baseline_; }
    /// The first is the compiled one.
    const std::vector<Variant>& variants() const { return variants_; }
    /// As a session file has them: all but the compiled one, and those of the sweep.
    std::vector<SavedVariant> keptVariants() const;
    std::vector<SavedVariant> sweptVariants() const;
    /// What Ctrl+Z takes back.
    QUndoStack* undoStack() { return &undo_; }
    /// From the change of an option to the changed picture, the last time.
    double answerMs() const { return answerMs_; }

public Q_SLOTS:
    /// Asks for another partition; can be undone.
    void change(const aotscope::PartitionOptions& options, const QString& what, bool merge);
    void keep(const QString& name);
    void showVariant(int variant);
    void compareVariants(int before, int after);
    void measure(const std::vector<int>& variants);
    void sweep();
    void measureSweep();
    /// As SVG or PNG, by the file's ending.
    void exportPareto(const QString& file);
    void exportMemory(const QString& file);

Q_SIGNALS:
    void nodeSelected(aotscope::NodeId node);
    /// The function is to be compiled with another partition.
    void activated(const aotscope::PartitionOptions& options);
    void failed(std::exception_ptr error);
    void started(const QString& title);
    void stageEntered(const QString& stage);
    void finished();
    /// The joint graph shows another partition.
    void answered();
    /// A variant was kept, measured or removed, or budgets were tried.
    void variantsChanged();
    /// The menu of the canvas comes up: others may add to it.
    void menuAsked(QMenu* menu);

private:
    enum class Override { save, recompute, leave };
    struct Answer {
        Variant variant;
        PartitionDifference difference;
    };
    struct Prepared {
        std::shared_ptr<const PartitionLaboratory> laboratory;
        std::shared_ptr<const NodeTimes> times;
        std::vector<Variant> variants, sweep;  ///< the compiled one, and those of the session file
        std::string caution;
    };
    struct Measurement {
        bool ofSweep = false;
        std::size_t index = 0;
    };

    void connectPanels();
    void prepare();
    void makeActions();
    void showMenu(const QPoint& globalPosition);
    bool ready() const { return laboratory_ && !paused_; }
    void writeChart(const Plot& plot, const QString& file);

    std::vector<NodeId> chosenValues() const;
    void setOverride(Override wanted, const std::vector<NodeId>& nodes);
    void backToCompiled();
    void apply(const PartitionOptions& options);
    void ask();
    void onAnswer(Answer answer);
    void showAnswer();
    void onRefused(const std::exception_ptr& error);
    void askForAlternatives(NodeId node);
    void askForName();

    Variant& variantOf(const Measurement& m) { return m.ofSweep ? sweep_[m.index] : variants_[m.index]; }
    void measureNext();
    void onMeasured(const Measurement& measurement, const TimingResult& timing);
    void removeVariants(const std::vector<int>& variants);
    int shownVariant() const;
    void refreshFigures();
    void refreshVariants();
    void refreshPareto();
    void notePoints();
    void choosePoint(int mark);
    void enableWhatApplies();

    GraphPane* pane_;
    Selection* selection_;
    QWidget* window_;
    WhyPanel* why_;
    WhatIfPanel* panel_;
    TablePair* difference_;
    VariantPanel* variantPanel_;
    ParetoPanel* pareto_;
    MemoryPanel* memory_;
    std::vector<QAction*> actions_, overrideActions_;

    std::shared_ptr<const Session> session_;
    std::shared_ptr<const Graph> joint_;
    std::shared_ptr<const PartitionLaboratory> laboratory_;  ///< null: there is nothing to partition
    std::shared_ptr<const NodeTimes> times_;
    PartitionOptions options_;
    Variant shown_, baseline_;
    std::shared_ptr<const Partition> differsFrom_;  ///< the baseline's; null: the shown one does the same
    std::vector<Variant> variants_, sweep_;
    int shownIndex_ = -1;              ///< of the variant that is shown; -1: none of them
    std::vector<Measurement> points_;  ///< behind the marks of the chart
    std::vector<Measurement> toMeasure_;
    QUndoStack undo_;  ///< shared with what changes the view
    QElapsedTimer clock_;
    double answerMs_ = 0;
    bool paused_ = false;
    QString caution_;  ///< about the estimates

    BackgroundJob answers_, alternatives_, sweeps_, measurements_;
};

}  // namespace aotscope
