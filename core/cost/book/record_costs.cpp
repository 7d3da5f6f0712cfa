#include "cost/book/record_costs.h"

#include "cost/book/record_operations.h"
#include "cost/roofline.h"
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

/// The steps that LibTorch's operators compute one by one: all of the interpreter, and of the fused compiler those
/// outside of its groups.
class SingleSteps {
public:
    explicit SingleSteps(const std::vector<CompilerUse>& compilers) {
        for (const CompilerUse& use : compilers) {
            if (use.used != "interpreter" && use.used != "fused") continue;
            std::unordered_set<NodeId>& grouped = groupedIn_[use.graph];
            for (const std::vector<NodeId>& group : use.groups) grouped.insert(group.begin(), group.end());
        }
    }
    bool contains(const StepTime& step) const {
        const auto graph = groupedIn_.find(step.graph);
        return graph != groupedIn_.end() && !graph->second.contains(step.node);
    }

private:
    std::map<GraphKind, std::unordered_set<NodeId>> groupedIn_;
};

}  // namespace

OperatorCosts costsIn(const OperatorBook& book, const CompileRecord& record, int threads) {
    OperatorCosts costs{.threads = threads};
    if (book.entries().empty()) return costs;
    for (const AlikeOperations& alike : operationsIn(record, GraphsOf::record)) {
        const KnownCost cost = book.costOf(*alike.node, threads);
        if (cost.us || cost.innerBytes) costs.known.push_back(cost);
    }
    std::ranges::sort(costs.known, {}, &KnownCost::signature);
    return costs;
}

std::vector<OperatorEntry> entriesOf(const TimingResult& timing, const CompileRecord& record) {
    std::map<std::string, Calls> bySignature;
    const SingleSteps single(timing.compilers);
    const std::vector<TimedNode> timed = timedNodes(timing, record);
    for (std::size_t i = 0; i < timed.size(); ++i) {
        const StepTime& step = timing.steps[i];
        if (!timed[i].node || !single.contains(step)) continue;
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
