#include "cli/drawing/pareto_command.h"
#include "cli/engine/rank_flags.h"
#include "cli/exit_code.h"
#include "distributed/rank_process.h"
#include "io/cost_json.h"
#include "session/ranks/rank_runs.h"
#include "session/session.h"
#include "support/enumerators.h"
#include "support/json/bounded_json.h"
#include "support/json/json_text.h"

#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

/// Rank 0 estimates; all ranks measure.
class ParetoOfRanks final : public ParetoCommand {
public:
    using ParetoCommand::ParetoCommand;

private:
    int runOnRanks(const Options& wanted) override {
        return runAsRank(ranks(), wanted, [&](RankProcess& process) { return runShared(wanted, process); });
    }
    int runShared(const Options& wanted, RankProcess& process) const;
};

int ParetoOfRanks::runShared(const Options& wanted, RankProcess& process) const {
    std::shared_ptr<const Session> session;
    Rows rows;
    nlohmann::json budgets = nlohmann::json::array();
    if (process.isFirst()) {
        session = openModel(wanted);
        rows = estimate(session);
    }
    if (process.isFirst() && measures()) {
        for (const std::size_t i : distinctRows(rows))
            budgets.push_back({rows[i].budget, name(rows[i].kind), rows[i].policies});
    }
    budgets = parseBounded(process.fromFirst(budgets.dump()));
    Options options = onOwnGpu(wanted, process);
    options.partition = byMinCut(options.partition);
    std::shared_ptr<const Session> last = session;
    const auto results = process.share(budgets.size(), [&](std::size_t i, const Progress& progress) {
        BudgetCosts row{.budget = budgets[i][0].get<double>(),
                        .kind = *enumeratorNamed<SweepKind>(budgets[i][1].get<std::string>()),
                        .policies = budgets[i][2].get<std::vector<std::string>>()};
        return jsonLine(measuredCostsJson(measured(row, options, last, progress)));
    });
    if (!process.isFirst()) return kFine;
    const std::vector<std::size_t> distinct = distinctRows(rows);
    for (std::size_t i = 0; i < results.size(); ++i)
        setMeasured(rows, rows[distinct[i]], measuredCostsFrom(parseBounded(results[i])));
    show(rows, *session);
    return kFine;
}

}  // namespace

std::unique_ptr<Subcommand> makeParetoCommand(CLI::App& parent) { return std::make_unique<ParetoOfRanks>(parent); }

}  // namespace aotscope
