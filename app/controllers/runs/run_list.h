#pragma once

#include "cost/variant_costs.h"
#include "io/session/content.h"
#include "session/session.h"

#include <QTime>
#include <QUndoStack>

#include <memory>
#include <optional>
#include <vector>

namespace aotscope {

/// What was found about a run after it was compiled.
struct RunResults {
    std::optional<TimingResult> timed;
    std::optional<CheckResult> checked;
    std::optional<BisectResult> bisected;
    std::optional<TrainResult> trained;
    QTime judged;  ///< time of the last check or bisection; invalid: they were saved with the session

    bool any() const { return timed || checked || bisected || trained; }
};

/// What-if as it was left when another run was shown.
struct LeftWhatIf {
    std::optional<PartitionOptions> asked;      ///< nothing: the compiled partition was shown
    std::vector<SavedVariant> variants, sweep;  ///< of the run's joint graph
};

/// One compilation of a model with one set of options, and all that is known about it.
struct Run {
    int number = 0;  ///< 1, 2, ..., in the order in which the runs of the model were made
    int parent = 0;  ///< the run that was shown before it was made; 0: none
    Options options;
    std::shared_ptr<const Session> session;  ///< null: it is compiled again when it is shown
    RunResults results;
    std::optional<VariantCosts> costs;  ///< nothing: not known yet, or nothing is partitioned
    LeftWhatIf whatIf;
    bool outdated = false;  ///< a file that it was made from has changed since
    int shownAt = 0;        ///< grows with every run that is shown
    int timesShown = 0;
    QString changed;  ///< see whatDiffers

    QString name() const;
};

/// The runs of the open models: made by opening a model and by every change of its options. They are kept, with their
/// results, until the model is closed; the graphs only of those that were shown last. One model is current, and all
/// functions are about its runs unless they say otherwise.
class RunList {
public:
    RunList();
    /// Only the shown run, as it is now: for work in the background.
    RunList(const RunList& other);

    /// Shows the run of `session`, whose model becomes the current one. A new run is made from the shown one, and
    /// replaces it if that has no results and is only another text of the scratch pad, another compilation of the same
    /// log, or has equal options. `reopened`: all other runs of the model are dropped, as its file was read again.
    Run& show(const std::shared_ptr<const Session>& session, bool reopened = false);
    /// Drops all runs of the model, and shows none.
    void clear();
    /// In place of all, the runs of a session file beside the shown one.
    void take(const std::vector<SavedRun>& saved, int shownNumber);
    /// The others, as stored in a session file.
    std::vector<SavedRun> others() const;

    const std::vector<std::shared_ptr<Run>>& all() const { return current_->runs; }
    /// Null: no run is shown.
    Run* shown() const { return current_->shown.get(); }
    /// Null: there is none.
    std::shared_ptr<Run> find(int number) const;
    /// A run with equal options that can be shown at once; null: none.
    std::shared_ptr<Run> with(const Options& options) const;
    void remove(int number);
    /// A file that they were made from has changed: they are no longer what the options lead to.
    void outdate();
    /// What was done to the model.
    QUndoStack* undoStack() const { return &current_->undo; }

    // --- models ---

    /// For each open model, the run that is or was shown last, in the order in which they were opened.
    std::vector<std::shared_ptr<Run>> models() const;
    /// That of the model of `options`; null: it is not open.
    std::shared_ptr<Run> ofModel(const Options& options) const;
    /// Another one than the current one is closed: its runs are dropped.
    void close(const Options& model);

private:
    static constexpr int kMostSteps = 200;  ///< of Undo; those of the view keep their graphs
    struct OpenModel {
        std::vector<std::shared_ptr<Run>> runs;
        std::shared_ptr<Run> shown;  ///< null: none
        int last = 0;                ///< number of the last run that was made
        mutable QUndoStack undo;

        OpenModel() { undo.setUndoLimit(kMostSteps); }
    };

    OpenModel* modelOf(const Options& options) const;
    void letGo();

    std::vector<std::unique_ptr<OpenModel>> models_;
    OpenModel* current_;
    int shows_ = 0;  ///< counts show()
};

/// "memory budget: 0.5, default partition": what differs from the run `parent` that it was made from; null: none, or it
/// is not there.
QString whatDiffers(const Run& run, const Run* parent);

/// `run` as it can be compiled now: options from a file name no native code, and take that of `open`.
Options withCodeOf(Options run, const Options& open);

}  // namespace aotscope
