#pragma once

#include "controllers/controller.h"
#include "controllers/what_if/what_if_state.h"
#include "io/session/content.h"
#include "panels/pareto_panel.h"

namespace aotscope {

/// Another run of the model in the chart.
struct RunMark {
    int number;
    QString label, tip;
    double ms = 0;  ///< as estimated; as measured if `measured`
    std::int64_t savedBytes = 0, peakBytes = 0;
    bool measured = false;
};

/// Variants of the partition: those that were kept, and those of a sweep over memory budgets, in the chart of memory
/// against time. Measures them.
class VariantController : public Controller {
    Q_OBJECT

public:
    /// `state` is owned by the caller and outlives this.
    VariantController(const Surroundings& around, WhatIfState& state);

    ParetoPanel* pareto() const { return pareto_; }
    /// The first is the compiled one.
    const std::vector<Variant>& list() const { return variants_; }
    /// Which of list() is shown; -1: none of them.
    int shown() const { return shown_; }
    /// In the chart, the other runs of the model.
    void setRuns(std::vector<RunMark> runs);

    /// Another session: drops all variants.
    void clear();
    /// The compiled one, those of the session file, and those of its sweep.
    void take(std::vector<Variant> variants, std::vector<Variant> sweep);
    /// As stored in a session file: all but the compiled one and those of the sweep.
    std::vector<SavedVariant> kept() const;
    std::vector<SavedVariant> swept() const;
    /// Another partition is shown: if it is that of a variant, it gets its name and times.
    void recogniseShown();
    /// Estimates and decisions use these times, these rates, or what is known now of the operations.
    void learn(const TimingResult& timing);
    void estimateWith(const MachineModel& machine);
    void estimateAgain() { estimateWith(state_.times->machine()); }
    void refresh();
    void enableWhatApplies();

    bool busy() const override { return sweeps_.running() || measurements_.running(); }
    void cancel();

public Q_SLOTS:
    /// Gives the shown partition a name.
    void keep(const QString& name);
    void measure(const std::vector<int>& variants);
    /// Tries budgets with `options`.
    void sweep(const aotscope::PartitionOptions& options);
    void measureSweep();
    void show(int variant) { Q_EMIT chosen(variantAt(variant)); }
    void compare(int before, int after) { Q_EMIT compareRequested(variantAt(before), variantAt(after)); }
    void activate(int variant) { Q_EMIT activated(variantAt(variant).options); }
    void remove(const std::vector<int>& variants);
    /// As SVG or PNG, by the file's extension.
    void exportChart(const QString& file);

Q_SIGNALS:
    /// Show a variant.
    void chosen(const aotscope::Variant& variant);
    void compareRequested(const aotscope::Variant& before, const aotscope::Variant& after);
    /// Compile the function with another partition.
    void activated(const aotscope::PartitionOptions& options);
    /// A variant was kept, measured or removed, or budgets were tried.
    void changed();
    /// Figures of shown variants have changed, not the partitions.
    void figuresChanged();
    /// What the list says has changed.
    void listed();
    /// Show this run.
    void runChosen(int number);

private:
    struct Measurement {
        bool ofSweep = false;
        std::size_t index = 0;
    };

    void connectPanels();
    void choose(int mark);
    Variant& variantOf(const Measurement& m) { return m.ofSweep ? sweep_[m.index] : variants_[m.index]; }
    const Variant& variantAt(int row) const { return variants_[static_cast<std::size_t>(row)]; }
    void estimateFrom(const std::shared_ptr<NodeTimes>& times, const QString& title);
    void measureNext();
    void onMeasured(const Measurement& measurement, const TimingResult& timing);
    int indexOfShown() const;
    void refreshChart();
    void addMarks(const Variant& variant, const Measurement& measurement, const QString& label,
                  std::vector<ParetoMark>& marks);
    void notePoints();

    WhatIfState& state_;
    ParetoPanel* pareto_;
    std::vector<Variant> variants_, sweep_;
    int shown_ = -1;                   ///< the shown variant; -1: none of them
    std::vector<Measurement> points_;  ///< of the marks in the chart; the marks of other runs follow
    std::vector<RunMark> runs_;
    std::vector<Measurement> toMeasure_;
    BackgroundJob sweeps_, measurements_;
};

}  // namespace aotscope
