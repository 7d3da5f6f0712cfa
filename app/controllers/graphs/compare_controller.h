#pragma once

#include "controllers/controller.h"
#include "controllers/graphs/secondary_graph_controller.h"
#include "models/tables/compare_tables.h"
#include "models/tables/rank_tables.h"
#include "panels/tables/table_pair.h"

#include <QAction>

namespace aotscope {

/// Compares the open run with another one: of another model, of a file, an earlier one that was kept, or a
/// recompilation for other inputs. The other's graphs are shown beside it, and the selection in one is marked in the
/// other. Ranks of a distributed program are compared as tables.
class CompareController : public Controller {
    Q_OBJECT

public:
    CompareController(const Surroundings& around, SecondaryGraphController* secondary);

    /// The differences of the two runs; the selected operation and its counterpart.
    TablePair* panel() const { return panel_; }
    const std::vector<QAction*>& actions() const { return actions_; }
    QAction* timeAction() const { return time_; }
    const std::optional<VariantTiming>& timing() const { return timing_; }
    bool busy() const override { return job_.running() || comparing_.running(); }
    bool comparing() const { return there_ != nullptr; }

    /// The run that the others are compared with.
    void setSession(const std::shared_ptr<const Session>& session) override;
    /// The recompilations for inputs that the open run does not accept. The panel lists them while nothing is compared.
    void setRecompilations(std::vector<Recompilation> recompilations);
    /// What this user's flags allow any model. Further permissions of the open model are its own.
    void setAllowed(const OperatorKinds& kinds) { allowed_ = kinds; }
    /// The selection, or the graph beside, has changed.
    void follow();

public Q_SLOTS:
    /// Opens a path or "sample:NAME" with the options of the open run.
    void compareWith(const QString& model);
    /// Compares the open run with that of another open model.
    void compareWithModel(const std::shared_ptr<const Session>& model, const QString& name);
    /// Compares the open run with another one of its model as the baseline, which is compiled with `options` if it is
    /// null.
    void compareWithRun(const std::shared_ptr<const Session>& run, const Options& options, const QString& name);
    /// What the open run is called among those of its model.
    void setRunName(const QString& name) { runName_ = name; }
    /// Compares the open run, as one rank, with those in these files.
    void compareRanks(const QStringList& files);
    /// Keeps the open run to compare later runs with it.
    void keep();
    /// Times both runs, interleaved.
    void time();
    void stop();

Q_SIGNALS:
    void comparingChanged(bool comparing);
    /// A difference of ranks is in another compilation of the open log.
    void compileAsked(const QString& id);
    /// Show the panel.
    void shown();

private:
    void ask();
    void askForRanks();
    /// The rank of the open run, the prefix of the ids of its log, and the id of its compilation there.
    struct OwnRank {
        std::size_t place;
        std::string prefix, compile;
    };
    OwnRank ownRank() const;
    void showRanks();
    void followRanks(int row);
    void activate(int row);
    /// The run that the differences start from.
    enum class Baseline : std::uint8_t { shown, beside };
    template <typename Take>
    void compileToCompare(const Options& options, const QString& name, Take take);
    void take(std::shared_ptr<const Session> other, const QString& name, Baseline baseline);
    void showBeside(std::shared_ptr<const CompileRecord> there, const QString& name, Baseline baseline);
    void compareInBackground();
    ComparedPair pair() const;
    void showCompilation(int row);
    void enableWhatApplies();
    /// Empty: both runs can be timed.
    std::string whyNotTimed() const;
    void refresh();
    QString nameHere() const;

    SecondaryGraphController* secondary_;
    TablePair* panel_;
    OperatorKinds allowed_;
    std::vector<QAction*> actions_;
    QAction *stop_, *time_;
    std::shared_ptr<const Session> session_;
    std::shared_ptr<const Session> other_;        ///< null: nothing is compared, or a recompilation
    std::shared_ptr<const CompileRecord> there_;  ///< the other run's
    std::vector<Recompilation> recompilations_;
    std::optional<VariantTiming> timing_;  ///< of both runs, the baseline first
    QString name_;                         ///< of the other
    QString runName_;                      ///< of the open run
    bool ofOneModel_ = false;              ///< both are runs of the open model
    Baseline baseline_ = Baseline::shown;
    std::optional<RunDifference> difference_;           ///< nothing: still being computed
    std::optional<RankComparison> ranks_;               ///< instead of another run
    std::size_t own_ = 0;                               ///< which of the ranks the open run is
    std::vector<std::optional<std::size_t>> rankRows_;  ///< the differences of the rows
    BackgroundJob job_, comparing_;
};

}  // namespace aotscope
