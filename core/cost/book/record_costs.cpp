#include "cost/book/record_costs.h"

#include "cost/book/signature.h"
#include "cost/roofline.h"
#include "ir/subgraphs.h"
#include "record/results/statistics.h"

#include <map>
#include <unordered_set>

namespace aotscope {

namespace {

/// The operations of one signature in a timed run.
struct Calls {
    OperatorEntry entry;
    std::vector<double> us, lower, upper;

    void add(const StepTime& step) {
        us.push_back(step.medianUs);
        lower.push_back(step.lowerUs);
        upper.push_back(step.upperUs);
        entry.resultBytes = step.resultBytes;
        if (step.innerBytes >= 0) entry.innerBytes = std::max(entry.innerBytes.value_or(0), step.innerBytes);
    }
    OperatorEntry finish(const MachineLoad& load) {
        entry.threads = std::max(load.threads, 1);
        entry.waiting = load.waiting;
        entry.us = spreadOf(us).median;
        entry.lowerUs = spreadOf(lower).median;
        entry.upperUs = spreadOf(upper).median;
        return std::move(entry);
    }
};

bool isInterpreted(const TimingResult& timing, GraphKind graph) {
    const auto use = std::ranges::find(timing.compilers, graph, &CompilerUse::graph);
    return use != timing.compilers.end() && use->used == "interpreter" && use->groups.empty();
}

}  // namespace

OperatorCosts costsIn(const OperatorBook& book, const CompileRecord& record, int threads) {
    OperatorCosts costs;
    if (book.entries().empty()) return costs;
    std::unordered_set<std::uint64_t> seen;
    const auto addGraph = [&](const Graph& graph) {
        for (const Node* node : graph.nodes()) {
            const std::uint64_t signature = signatureNumber(*node);
            if (signature == 0 || !seen.insert(signature).second) continue;
            const KnownCost cost = book.costOf(*node, threads);
            if (cost.us || cost.innerBytes) costs.known.push_back(cost);
        }
    };
    for (const auto& [kind, graph] : record.graphs) {
        addGraph(*graph);
        for (const auto& subgraph : subgraphsWithin(*graph)) addGraph(*subgraph);
    }
    std::ranges::sort(costs.known, {}, &KnownCost::signature);
    return costs;
}

std::vector<OperatorEntry> entriesOf(const TimingResult& timing, const CompileRecord& record) {
    std::map<std::string, Calls> bySignature;
    const std::vector<TimedNode> timed = timedNodes(timing, record);
    for (std::size_t i = 0; i < timed.size(); ++i) {
        const StepTime& step = timing.steps[i];
        if (!timed[i].node || !isInterpreted(timing, step.graph)) continue;
        OperatorEntry entry = entryOf(*timed[i].node);
        if (entry.signature.empty()) continue;
        const std::string signature = entry.signature;
        bySignature.try_emplace(signature, Calls{std::move(entry), {}, {}, {}}).first->second.add(step);
    }
    std::vector<OperatorEntry> entries;
    for (auto& [signature, calls] : bySignature) entries.push_back(calls.finish(timing.load));
    return entries;
}

}  // namespace aotscope
