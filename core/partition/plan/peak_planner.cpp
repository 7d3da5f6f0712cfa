#include "partition/plan/peak_planner.h"

#include "cost/live_memory.h"
#include "partition/extract.h"
#include "partition/plan/plan_proof.h"
#include "partition/planned_split.h"
#include "partition/recompute_tags.h"
#include "record/options/peak_limit.h"
#include "support/elapsed.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr int kCorrections = 4, kLoweringRounds = 2000;
constexpr double kShareOfLeastPeak = 0.4;  ///< of the time to prove that no plan fits

/// Decisions that overrides, policies and tags have taken.
void restrict(const JointFacts& facts, const PartitionOptions& options, StepProblem& model) {
    const RecomputeTags tags(facts, options);
    std::vector<char> save(static_cast<std::size_t>(facts.size())), again(save.size());
    for (int i = 0; i < facts.size(); ++i) {
        const auto own = static_cast<std::size_t>(facts.producer(i));
        if (options.cut.mustSave.contains(facts.node(i)->id()) || tags.mustSave(i)) save[own] = 1;
        if (options.cut.mustRecompute.contains(facts.node(i)->id()) || tags.mustRecompute(i)) again[own] = 1;
    }
    for (StepDecision& decision : model.decisions) {
        const auto node = static_cast<std::size_t>(decision.node);
        if (again[node] && decision.mayRunAgain) decision.mayKeep = false;
        else if (save[node] && decision.mayKeep) decision.mayRunAgain = false;
    }
}

/// The values to save for a choice.
class SavedValues {
public:
    explicit SavedValues(const JointFacts& facts)
        : facts_(facts), saved_(static_cast<std::size_t>(facts.size())), needed_(saved_.size()) {}

    /// What keeps the results of all operations that do not run again. What the backward does not need is dropped.
    std::vector<int> of(const StepProblem& model, const StepChoice& choice) {
        for (int i = 0; i < facts_.size(); ++i) saved_[at(i)] = facts_[i].primal;
        for (const StepBlock& block : model.blocks)
            if (block.decision >= 0 && block.value >= 0 && !choice[at(block.decision)]) saved_[at(block.value)] = 1;
        findNeeded();
        std::vector<int> values;
        for (int i = 0; i < facts_.size(); ++i)
            if (saved_[at(i)]) values.push_back(facts_[i].primal ? i : onlyViewOf(i));
        std::ranges::sort(values);
        return values;
    }

private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    /// What the backward computes, or reads of what is saved.
    void findNeeded() {
        const auto& outputs = facts_.joint().outputs();
        for (std::size_t k = facts_.joint().forwardOutputCount(); k < outputs.size(); ++k)
            if (const Node* gradient = outputs[k].node()) needed_[at(facts_.indexOf(gradient))] = kReturned;
        for (int i = facts_.size() - 1; i >= 0; --i) {
            if (facts_.node(i)->kind() == NodeKind::output) continue;
            if (facts_[i].dependsOnTangent && !needed_[at(i)]) needed_[at(i)] = kRead;
            if (needed_[at(i)] && !saved_[at(i)])
                for (const int input : facts_.inputs(i))
                    if (!needed_[at(input)]) needed_[at(input)] = kRead;
        }
    }

    /// If the backward reads a value only through one view, that view: it has the same memory, and then the backward
    /// need not make it again.
    int onlyViewOf(int value) const {
        while (needed_[at(value)] != kReturned) {
            int only = -1;
            for (const int user : facts_.users(value)) {
                if (facts_.node(user)->kind() == NodeKind::output || !needed_[at(user)]) continue;
                if (only >= 0 || !isViewOf(user, value)) return value;
                only = user;
            }
            if (only < 0) return value;
            value = only;
        }
        return value;
    }
    bool isViewOf(int user, int value) const {
        const TensorType* type = facts_.node(user)->type.tensor();
        const TensorType* base = facts_.node(value)->type.tensor();
        return facts_[user].view && !facts_[user].dependsOnTangent && type && base && type->storage >= 0 &&
               type->storage == base->storage;
    }

    const JointFacts& facts_;
    static constexpr char kRead = 1, kReturned = 2;
    std::vector<char> saved_, needed_;
};

/// No choice has a lower peak: the forward's outputs, and at each slot what runs there and what it reads.
std::int64_t leastPossible(const StepProblem& model) {
    const std::int64_t outputs = model.outputBytes();
    std::int64_t most = 0;
    std::vector<std::int64_t> read(model.slots.size());
    for (const StepBlock& block : model.blocks)
        for (const StepUse& use : block.backward)
            if (!use.inPlace && !block.output) read[static_cast<std::size_t>(use.which)] += block.bytes;
    for (std::size_t slot = 1; slot + 1 < model.slots.size(); ++slot)
        most = std::max(most, model.during[slot] + read[slot] + outputs);
    return most;
}

class PeakPlanner {
public:
    PeakPlanner(const JointFacts& facts, const PartitionOptions& options, const PlanningContext& context)
        : facts_(facts),
          options_(options),
          context_(context),
          costs_(context.model.costsOf(facts.joint())),
          step_(stepProblem(facts, context.metadata, msOf(options, context.model), *costs_)) {
        restrict(facts, options, step_);
        plan_.keepAllBytes = split(step_.keepAll()).memory.peakBytes;
        plan_.limitBytes = limitOf(PeakLimit::of(options.peak));
    }

    Partition run() {
        const auto start = std::chrono::steady_clock::now();
        Found found = underLimit();
        plan_.recomputedMs = found.choice.outcome.ms;
        notePeak(plan_, found.split.memory);
        plan_.seconds = msSince(start) / 1000;
        Partition partition = std::move(found.split.partition);
        partition.plan = std::move(plan_);
        return partition;
    }

private:
    /// A partition, and its predicted memory.
    struct Split {
        Partition partition;
        LiveMemory memory;
    };
    struct Found {
        StepPlan choice;
        Split split;
    };

    static std::function<double(const Node&)> msOf(const PartitionOptions& options, const RuntimeModel& model) {
        if (options.estimator == RuntimeEstimator::measured && model.measured) return model.measured;
        return model.roofline ? model.roofline : [](const Node&) { return 0.0; };
    }

    std::int64_t limitOf(const PeakLimit& limit) const {
        if (limit.moreTime > 0) return lowestWithin(limit.moreTime * stepMs());
        return limit.bytes > 0 ? limit.bytes
                               : static_cast<std::int64_t>(limit.share * static_cast<double>(plan_.keepAllBytes));
    }
    double stepMs() const {
        const auto ms = msOf(options_, context_.model);
        double sum = 0;
        for (int i = 0; i < facts_.size(); ++i)
            if (facts_[i].call && !facts_[i].getitem) sum += ms(*facts_.node(i));
        return sum;
    }
    /// The lowest limit under which the search finds a plan that recomputes at most so long, within a hundredth.
    std::int64_t lowestWithin(double ms) const {
        std::int64_t low = leastPossible(step_), high = std::max(low, plan_.keepAllBytes);
        while (high - low > plan_.keepAllBytes / 100 + 1) {
            const std::int64_t middle = low + (high - low) / 2;
            PlanSearch search(step_, middle);
            search.first(context_.progress);
            if (search.best() && search.best()->outcome.ms <= ms) high = middle;
            else low = middle;
        }
        return high;
    }

    /// The graphs of a few operations differ from the model of the step: then its limit is corrected.
    Found underLimit() {
        std::int64_t limit = plan_.limitBytes;
        for (int correction = 0;; ++correction) {
            PlanSearch search(step_, limit);
            search.first(context_.progress);
            if (!search.best()) search.lower(kLoweringRounds, context_.progress);
            for (int round = roundsFor(step_.decisions.size()); round > 0; --round) search.again(context_.progress);
            Found found = foundBy(search);
            const bool fits = found.split.memory.peakBytes <= plan_.limitBytes;
            if (search.best() && !fits && correction < kCorrections) {
                limit -= found.split.memory.peakBytes - plan_.limitBytes;
                continue;
            }
            return proved(search, limit, std::move(found));
        }
    }

    Found foundBy(const PlanSearch& search) const {
        const StepPlan& chosen = search.best() ? *search.best() : search.lowest();
        return {chosen, split(chosen.choice)};
    }

    /// With what can be proved about the plan in the time there is; the proof may find a better one.
    Found proved(PlanSearch& search, std::int64_t limit, Found found) {
        const double seconds = options_.planSeconds;
        const auto solver = seconds > 0 ? highsSolver(&plan_.note) : nullptr;
        PlanBound bound{.ms = boundAtBorder(search.simulator(), limit)};
        if (solver) {
            const PlanBound better = proveBest(search, limit, *solver, seconds, context_.progress);
            bound = {better.status, std::max(bound.ms, better.ms), better.msPerByte};
            if (Found again = foundBy(search);
                again.split.memory.peakBytes <= plan_.limitBytes && again.choice.outcome.ms < found.choice.outcome.ms)
                found = std::move(again);
        }
        plan_.boundMs = bound.ms;
        plan_.msPerMegabyte = bound.msPerByte * 1e6;
        plan_.leastPeakBoundBytes = leastPossible(step_);
        plan_.status = statusOf(found, bound);
        if (plan_.status == PeakPlan::Status::infeasible) {
            plan_.boundMs = plan_.msPerMegabyte = 0;  // they were about a plan that fits
            if (solver)
                plan_.leastPeakBoundBytes =
                    std::max(plan_.leastPeakBoundBytes,
                             boundOfPeak(search, *solver, seconds * kShareOfLeastPeak, context_.progress));
        }
        plan_.leastPeakBytes = std::min(search.lowest().outcome.peak, found.split.memory.peakBytes);
        return found;
    }

    PeakPlan::Status statusOf(const Found& found, const PlanBound& bound) const {
        if (found.split.memory.peakBytes > plan_.limitBytes) return PeakPlan::Status::infeasible;
        return provesBest(bound.ms, found.choice.outcome.ms) ? PeakPlan::Status::optimal : PeakPlan::Status::bounded;
    }

    Split split(const StepChoice& choice) const {
        auto decisions = undecided(facts_);
        for (ValueDecision& decision : decisions) decision.exemption = Exemption::planned;
        Split split{buildPartition(facts_, SavedValues(facts_).of(step_, choice), PartitionAlgorithm::planned,
                                   std::move(decisions))};
        split.memory = liveMemory(split.partition, context_.metadata, *costs_);
        return split;
    }

    static int roundsFor(std::size_t decisions) {
        constexpr std::size_t kWork = 20'000, kFewest = 2, kMost = 300;
        return static_cast<int>(std::clamp(kWork / std::max<std::size_t>(decisions, 1), kFewest, kMost));
    }

    const JointFacts& facts_;
    const PartitionOptions& options_;
    const PlanningContext& context_;
    const std::shared_ptr<const OperatorCosts> costs_;
    StepProblem step_;
    PeakPlan plan_;
};

}  // namespace

void notePeak(PeakPlan& plan, const LiveMemory& memory) {
    plan.peakBytes = memory.peakBytes;
    if (plan.status == PeakPlan::Status::infeasible && plan.peakBytes <= plan.limitBytes)
        plan.status = PeakPlan::Status::bounded;
    if (memory.curve.empty()) return;
    const MemoryPoint& peak = memory.curve[memory.peak];
    plan.tightest = peak.node;
    plan.moment = peak.node == kNoNode ? peak.name : "at %" + peak.name + " in the " + std::string(name(peak.stage));
}

Partition partitionByPeak(const JointFacts& facts, const PartitionOptions& options, const PlanningContext& context) {
    return PeakPlanner(facts, options, context).run();
}

}  // namespace aotscope
