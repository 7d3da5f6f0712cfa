// Options of the partition.

#include "record/options/option_member.h"
#include "record/options/option_needs.h"
#include "record/options/option_setters.h"
#include "record/options/option_values.h"

namespace aotscope {

namespace {

constexpr auto kPartition = &Options::partition;
constexpr auto kCut = &PartitionOptions::cut;

std::vector<OptionEntry> partitionerOptions() {
    constexpr auto scope = OptionScope::partition;
    return {
        {.flag = "--partition",
         .help = "partitioner that splits the joint graph into forward and backward, including that of a printed or "
                 "saved run",
         .scope = scope,
         .session = "partition.algorithm",
         .report = "partition partitioning.algorithm",
         .label = "Partition",
         .field = memberAt<kPartition, &PartitionOptions::algorithm>,
         .needs = needsBackward},
        {.flag = "--plan",
         .value = "FILE.json",
         .help = "save exactly the values named in a report or in {\"saved\": [\"NAME\", ...]} (plan)",
         .scope = scope,
         .session = "partition.plan",
         .report = "partitioning.plan",
         .field = memberAt<kPartition, &PartitionOptions::plan>,
         .set = takePlan,
         .needs = needsNoFunction},
        {.flag = "--partition-fn",
         .value = "FILE.so",
         .help = "load a shared library whose partition function says what to save (plan)",
         .scope = scope,
         .report = "partitioning.function",
         .field = memberAt<kPartition, &PartitionOptions::function>,
         .set = takePartitionFunction,
         .needs = needsPlan},
        {.flag = "--peak",
         .value = "LIMIT",
         .help = "save and recompute so that the predicted peak of forward and backward, without parameters and "
                 "inputs, is at most this, and as little as possible is computed again: a size, as in 4GB, a "
                 "share of the peak if everything is saved, as in 0.7 or 70%, or the lowest peak for a step that takes "
                 "longer by a share, as in +10% (plan)",
         .scope = scope,
         .session = "partition.peak",
         .report = "partitioning.peak",
         .label = "Peak",
         .field = memberAt<kPartition, &PartitionOptions::peak>,
         .set = takePeak,
         .needs = needsNoOtherPlan},
        {.flag = "--plan-seconds",
         .value = "N",
         .help = "how long to improve the plan for a limit of the peak, and to prove how good it is; 0: not at all",
         .scope = scope,
         .session = "partition.planSeconds",
         .report = "partitioning.plan_seconds",
         .label = "Plan Seconds",
         .most = 86400,
         .field = memberAt<kPartition, &PartitionOptions::planSeconds>,
         .needs = needsPeak},
        {.flag = "--static-params",
         .help = "treat parameters and buffers as always in memory, so that saving them costs nothing (min-cut)",
         .scope = scope,
         .session = "partition.cut.staticParameters",
         .report = "static_params partitioning.static_params",
         .label = "Static Parameters",
         .field = memberAt<kPartition, kCut, &MinCutOptions::staticParameters>,
         .needs = needsMinCut},
        {.flag = "--memory-budget,--budget",
         .value = "0..1",
         .help = "how much to save for the backward: 0 saves only the inputs, 1 saves what runs fastest (min-cut)",
         .scope = scope,
         .session = "partition.memoryBudget",
         .report = "partitioning.memory_budget",
         .label = "Memory Budget",
         .most = 1,
         .field = memberAt<kPartition, &PartitionOptions::memoryBudget>,
         .needs = needsMinCut},
        {.flag = "--solver",
         .help = "knapsack solver that chooses what to save within a memory budget",
         .scope = scope,
         .session = "partition.solver",
         .report = "partitioning.solver",
         .label = "Knapsack Solver",
         .field = memberAt<kPartition, &PartitionOptions::solver>,
         .needs = needsBudget},
        {.flag = "--estimator",
         .help = "how to estimate the time to recompute an operation, for a memory budget",
         .scope = scope,
         .session = "partition.estimator",
         .report = "partitioning.estimator",
         .label = "Runtime Estimator",
         .field = memberAt<kPartition, &PartitionOptions::estimator>,
         .needs = needsBudget},
        {.flag = "--save",
         .value = "NODE",
         .help = "save this node of the joint graph if the backward can use it",
         .scope = scope,
         .session = "partition.save",
         .report = "partitioning.save",
         .label = "Always Save",
         .values = OptionValues::several,
         .field = memberAt<kPartition, &PartitionOptions::save>,
         .needs = needsBackward},
        {.flag = "--recompute",
         .value = "NODE",
         .help = "recompute this node of the joint graph in the backward",
         .scope = scope,
         .session = "partition.recompute",
         .report = "partitioning.recompute",
         .label = "Always Recompute",
         .values = OptionValues::several,
         .field = memberAt<kPartition, &PartitionOptions::recompute>,
         .needs = needsBackward},
        {.flag = "--policy",
         .value = "POLICY=QUERY",
         .help = "policy for the forward operations that match a query, as in selective activation checkpointing: "
                 "must_save, prefer_save, must_recompute or prefer_recompute, as in must_save=op:mm; the last match "
                 "applies",
         .scope = scope,
         .session = "partition.policies",
         .report = "partitioning.policies",
         .label = "Checkpoint Policies",
         .values = OptionValues::repeated,
         .field = memberAt<kPartition, &PartitionOptions::policies>,
         .set = takePolicies,
         .needs = needsRules},
        {.flag = "--no-ban",
         .value = "RULE",
         .help = noBanHelp(),
         .scope = scope,
         .report = "partitioning.no_ban",
         .values = OptionValues::several,
         .set = disableRules,
         .get = disabledRules,
         .needs = needsMinCut},
    };
}

/// The window and session files list each rule separately.
std::vector<OptionEntry> banOptions() {
    std::vector<OptionEntry> entries;
    for (const BanRule& rule : banRules())
        if (rule.option)
            entries.push_back(
                {.flag = {},
                 .help = "ban " + std::string(rule.values) + " from recomputation (min-cut): " + std::string(rule.help),
                 .scope = OptionScope::partition,
                 .session = rule.session,
                 .label = rule.label,
                 .field = [option = rule.option](Options& o) -> OptionField { return &(o.partition.cut.*option); },
                 .needs = needsMinCut});
    return entries;
}

std::vector<OptionEntry> recomputationOptions() {
    constexpr auto scope = OptionScope::partition;
    return {
        {.flag = "--aggressive",
         .help = "recompute everything that is not random, compute-intensive or a reduction (min-cut)",
         .scope = scope,
         .set = beAggressive,
         .needs = needsMinCut},
        {.flag = "--recompute-views",
         .help = "recompute views instead of saving them (min-cut)",
         .scope = scope,
         .session = "partition.cut.recomputeViews",
         .report = "partitioning.recompute_views",
         .label = "Recompute Views",
         .field = memberAt<kPartition, kCut, &MinCutOptions::recomputeViews>,
         .needs = needsMinCut},
        {.flag = "--drop-copies",
         .help = "before the partition, drop copies that nobody writes into, such as those that exporting makes of "
                 "dropout with probability 0",
         .scope = scope,
         .session = "partition.dropCopies",
         .report = "partitioning.drop_copies",
         .label = "Drop Copies",
         .field = memberAt<kPartition, &PartitionOptions::dropCopies>,
         .needs = needsBackward},
        {.flag = "--order",
         .help =
             "order of the operations after the partition: as traced, or moved within their dependencies where that "
             "lowers the predicted peak memory",
         .scope = scope,
         .session = "partition.order",
         .report = "partitioning.order",
         .label = "Order",
         .field = memberAt<kPartition, &PartitionOptions::order>},
        {.flag = {},
         .session = "partition.cut.mustSave",
         .field = memberAt<kPartition, kCut, &MinCutOptions::mustSave>},
        {.flag = {},
         .session = "partition.cut.mustRecompute",
         .field = memberAt<kPartition, kCut, &MinCutOptions::mustRecompute>},
        {.flag = {}, .session = "partition.cut.dontBan", .field = memberAt<kPartition, kCut, &MinCutOptions::dontBan>},
        {.flag = {}, .session = "splitAgain", .field = memberAt<&Options::repartition>},
    };
}
}  // namespace

std::vector<OptionEntry> partitionOptions() {
    std::vector<OptionEntry> all = partitionerOptions();
    for (auto& entries : {banOptions(), recomputationOptions()}) all.insert(all.end(), entries.begin(), entries.end());
    return all;
}

}  // namespace aotscope
