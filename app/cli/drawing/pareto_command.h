#pragma once

#include "cli/calibration_flag.h"
#include "cli/launched_ranks.h"
#include "cli/subcommand.h"
#include "partition/pareto.h"

namespace aotscope {

/// The command pareto. Derived classes say how several ranks run it.
class ParetoCommand : public Subcommand {
public:
    explicit ParetoCommand(CLI::App& parent);

    void check(Options& options) final;
    std::vector<NamedFile> filesWritten() const final {
        return {{"--json", points_}, {"--csv", csv_}, {"--svg", chart_}};
    }
    int run(const Options& wanted) final;

protected:
    using Rows = std::vector<BudgetCosts>;

    virtual int runOnRanks(const Options& wanted) = 0;

    const LaunchedRanks& ranks() const { return ranks_; }
    bool measures() const { return measure_; }
    std::shared_ptr<const Session> openModel(const Options& wanted) const;
    /// The costs of the budgets, of plans, and of checkpointed modules.
    Rows estimate(const std::shared_ptr<const Session>& session) const;
    /// The first row of each partition.
    static std::vector<std::size_t> distinctRows(const Rows& rows);
    /// Only min-cut has budgets.
    static PartitionOptions byMinCut(PartitionOptions options);
    /// Compiles and runs the partition of a row. `session`: of the same model, or null.
    VariantCosts::Measured measured(const BudgetCosts& row, Options options, std::shared_ptr<const Session>& session,
                                    const Progress& progress) const;
    /// For all rows of the same partition.
    static void setMeasured(Rows& rows, const BudgetCosts& row, const VariantCosts::Measured& costs);
    void show(const Rows& rows, const Session& session) const;

private:
    int runAlone(const Options& wanted) const;
    void print(const Rows& rows, const Options& options, const std::string& model) const;

    int count_ = 20, plans_ = 0, checkpoints_ = 0;
    bool measure_ = false;
    std::filesystem::path chart_, csv_;  ///< empty: not written
    std::string points_;                 ///< a JSON file; empty: not written
    bool toScreen_ = false;              ///< JSON instead of the table
    CalibrationFlag calibration_;
    LaunchedRanks ranks_;
};

}  // namespace aotscope
