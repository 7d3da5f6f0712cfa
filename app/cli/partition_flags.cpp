#include "cli/partition_flags.h"

#include <CLI/CLI.hpp>

namespace aotscope {

namespace {

template <typename Choice>
std::map<std::string, Choice> byName(std::initializer_list<Choice> choices) {
    std::map<std::string, Choice> named;
    for (const Choice choice : choices) named.emplace(name(choice), choice);
    return named;
}

const std::map<std::string, KnapsackSolver>& solvers() {
    static const auto named = byName({KnapsackSolver::dynamicProgramming, KnapsackSolver::greedy, KnapsackSolver::exact,
                                      KnapsackSolver::slidingHirschberg});
    return named;
}

const std::map<std::string, RuntimeEstimator>& estimators() {
    static const auto named = byName(
        {RuntimeEstimator::flops, RuntimeEstimator::testing, RuntimeEstimator::roofline, RuntimeEstimator::measured});
    return named;
}

const std::map<std::string, bool MinCutOptions::*>& rules() {
    static const std::map<std::string, bool MinCutOptions::*> named = {
        {"allow-list", &MinCutOptions::banNotInAllowList},
        {"materialized", &MinCutOptions::banMaterializedBackward},
        {"reductions", &MinCutOptions::banReductions},
        {"far-apart", &MinCutOptions::banUsedFarApart},
        {"long-chains", &MinCutOptions::banLongFusibleChains}};
    return named;
}

}  // namespace

void addPartitionFlags(CLI::App& app, PartitionFlags& flags) {
    app.add_option("--memory-budget,--budget", flags.budget,
                   "min-cut: from 0, save the inputs only, to 1, save what is fastest")
        ->type_name("0..1")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    app.add_option("--solver", flags.solver, "how a memory budget is filled")
        ->check(CLI::IsMember(solvers()))
        ->capture_default_str();
    app.add_option("--estimator", flags.estimator, "what recomputing an operation costs under a memory budget")
        ->check(CLI::IsMember(estimators()))
        ->capture_default_str();
    app.add_option("--save", flags.save, "a value of the joint graph to save if the backward can use it (repeatable)")
        ->type_name("NODE");
    app.add_option("--recompute", flags.recompute, "a value of the joint graph to compute again (repeatable)")
        ->type_name("NODE");
    app.add_option("--no-ban", flags.noBan, "min-cut: a rule that is not to forbid recomputation (repeatable)")
        ->type_name("RULE")
        ->check(CLI::IsMember(rules()));
    app.add_flag("--aggressive", flags.aggressive,
                 "min-cut: recompute all that is neither random nor compute intensive nor a reduction");
    app.add_flag("--recompute-views", flags.recomputeViews, "min-cut: never save views");
}

void applyPartitionFlags(const PartitionFlags& flags, PartitionOptions& options) {
    options.memoryBudget = flags.budget;
    options.solver = solvers().at(flags.solver);
    options.estimator = estimators().at(flags.estimator);
    options.save = flags.save;
    options.recompute = flags.recompute;
    if (flags.aggressive) options.cut.beAggressive();
    for (const auto& rule : flags.noBan) options.cut.*rules().at(rule) = false;
    options.cut.recomputeViews = flags.recomputeViews;
}

}  // namespace aotscope
