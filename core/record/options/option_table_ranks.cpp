// Options of distributed programs.

#include "record/options/option_member.h"
#include "record/options/option_needs.h"
#include "record/options/option_setters.h"

namespace aotscope {

namespace {

constexpr auto kWorld = &Options::world;
constexpr auto kSplit = &Options::partition;
constexpr auto kMoves = &PartitionOptions::moves;

std::vector<OptionEntry> worldOptions() {
    constexpr auto scope = OptionScope::run;
    return {
        {.flag = "--world-size",
         .value = "N",
         .help = "number of ranks of a distributed program; they need not exist: collectives then assume the data of "
                 "this rank on all ranks",
         .scope = scope,
         .session = "world.size",
         .report = "world_size",
         .label = "World Size",
         .most = static_cast<double>(kMostRanks),
         .field = memberAt<kWorld, &WorldShape::size>},
        {.flag = "--rank",
         .value = "R",
         .help = "with --world-size: the rank to compile for, from 0",
         .scope = scope,
         .session = "world.rank",
         .report = "rank",
         .label = "Rank",
         .most = static_cast<double>(kMostRanks),
         .field = memberAt<kWorld, &WorldShape::rank>},
        {.flag = "--group",
         .value = "NAME=SIZE[xSTRIDE]",
         .help = "ranks in the process group of this name: SIZE consecutive ones, or every STRIDEth, as in tp=8 and "
                 "dp=4x8; default: as the program says, otherwise all",
         .scope = scope,
         .session = "world.groups",
         .report = "groups",
         .label = "Process Groups",
         .values = OptionValues::repeated,
         .field = memberAt<kWorld, &WorldShape::groups>},
        {.flag = "--links",
         .value = "LINKS",
         .help = "network between the ranks, to estimate the times of collectives: h100, a100, pcie, ethernet, or "
                 "ranks per node and GB/s within and between nodes, as in 8x450,50, or a .json file with these",
         .scope = scope,
         .session = "links",
         .report = "links",
         .label = "Links",
         .field = memberAt<&Options::links>,
         .set = takeLinks},
    };
}

std::vector<OptionEntry> collectiveOptions() {
    constexpr auto scope = OptionScope::partition;
    return {
        {.flag = "--reshard-after-forward",
         .value = "PARAMETER",
         .help = "repeat the all-gather of this sharded parameter in the backward instead of saving its result, like "
                 "FSDP with reshard_after_forward; all: for every parameter",
         .scope = scope,
         .session = "partition.reshard",
         .report = "partitioning.reshard_after_forward",
         .label = "Reshard After Forward",
         .values = OptionValues::several,
         .field = memberAt<kSplit, &PartitionOptions::reshard>,
         .needs = needsBackward},
        {.flag = "--bucket",
         .value = "SIZE",
         .help = "merge independent collectives of the same kind, process group and dtype, up to this size of data, as "
                 "in 25MB; for programs that are the same on all ranks",
         .scope = scope,
         .session = "partition.moves.bucket",
         .report = "bucket",
         .label = "Bucket Collectives",
         .field = memberAt<kSplit, kMoves, &CollectiveMoves::bucket>,
         .set = takeBucket},
        {.flag = "--issue-early",
         .help = "issue collectives as soon as their operands are ready and the peak limit allows",
         .scope = scope,
         .session = "partition.moves.issueEarly",
         .report = "issue_early",
         .label = "Issue Early",
         .field = memberAt<kSplit, kMoves, &CollectiveMoves::issueEarly>},
        {.flag = "--wait-late",
         .help = "wait for a collective immediately before the first operation that needs its result",
         .scope = scope,
         .session = "partition.moves.waitLate",
         .report = "wait_late",
         .label = "Wait Late",
         .field = memberAt<kSplit, kMoves, &CollectiveMoves::waitLate>},
        {.flag = "--peak-limit",
         .value = "SIZE",
         .help = "with --bucket or --issue-early: the largest simulated peak memory, as in 2GB; default: that of the "
                 "unchanged graphs",
         .scope = scope,
         .session = "partition.moves.peakLimit",
         .report = "peak_limit",
         .label = "Peak Limit",
         .field = memberAt<kSplit, kMoves, &CollectiveMoves::peakLimit>,
         .set = takePeakLimit,
         .needs = needsMoves},
    };
}

}  // namespace

std::vector<OptionEntry> rankOptions() {
    std::vector<OptionEntry> all = worldOptions();
    for (OptionEntry& entry : collectiveOptions()) all.push_back(std::move(entry));
    return all;
}

}  // namespace aotscope
