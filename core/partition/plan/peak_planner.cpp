#include "partition/plan/peak_planner.h"

#include "cost/executed_graph.h"
#include "cost/live_memory.h"
#include "partition/extract.h"
#include "partition/order/order_for_memory.h"
#include "partition/plan/plan_proof.h"
#include "partition/planned_split.h"
#include "partition/recompute_tags.h"
#include "record/options/peak_limit.h"
#include "support/elapsed.h"

#include <algorithm>
#include <optional>

namespace aotscope {

namespace {

constexpr int kCorrections = 4, kLoweringRounds = 2000;
constexpr std::int64_t kNoRoom = 200;      ///< less than one part in so many of the limit is no room
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

/// No choice has a lower peak in this order: the forward's outputs, and at each slot what is alive there with any
/// choice, and what runs there reads.
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
          groups_(ExecutedGraph::groupsOperations(context.model.compilers)),
          ordered_(options.order == OperationOrdering::memory),
          step_(stepProblem(facts, context.metadata, msOf(options, context.model), *costs_)) {
        restrict(facts, options, step_);
        plan_.keepAllBytes = split(step_.keepAll()).memory.peakBytes;
        const PeakLimit limit = PeakLimit::of(options.peak);
        plan_.limitBytes = limit.moreTime > 0 ? lowestWithin(limit.moreTime * stepMs()) : bytesOf(limit);
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

    std::int64_t bytesOf(const PeakLimit& limit) const {
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
    /// The lowest peak of a plan that the search finds to recompute at most so long, within a hundredth.
    std::int64_t lowestWithin(double ms) const {
        std::int64_t low = leastPossible(step_), high = std::max(low, modelledPeak());
        StepChoice choice = step_.keepAll();
        while (high - low > plan_.keepAllBytes / 100 + 1) {
            const std::int64_t middle = low + (high - low) / 2;
            PlanSearch search(step_, middle);
            search.first(context_.progress);
            if (search.best() && search.best()->outcome.ms <= ms) {
                high = middle;
                choice = search.best()->choice;
            } else low = middle;
        }
        return isModelled() ? high : split(choice).memory.peakBytes;
    }
    std::int64_t modelledPeak() const { return StepSimulator(step_).run(step_.keepAll()).peak; }

    /// Whether the graphs run as the model of the step has them: one operation at a time, in the order of the joint
    /// graph.
    bool isModelled() const { return !groups_ && !ordered_; }

    /// Graphs that run otherwise than the model of the step, or have a few operations that it has not, take other
    /// memory: then its limit is corrected.
    Found underLimit() {
        std::int64_t limit = plan_.limitBytes + modelledPeak() - plan_.keepAllBytes;
        std::optional<Found> best;
        for (int correction = 0;; ++correction) {
            PlanSearch search(step_, limit);
            search.first(context_.progress);
            if (!search.best()) search.lower(kLoweringRounds, context_.progress);
            for (int round = roundsFor(step_.decisions.size()); round > 0; --round) search.again(context_.progress);
            Found found = foundBy(search);
            const std::int64_t room = plan_.limitBytes - found.split.memory.peakBytes;
            const bool isDifferent = room < 0 || (!isModelled() && room > plan_.limitBytes / kNoRoom);
            const bool again = search.best() && isDifferent && found.choice.outcome.ms > 0 && correction < kCorrections;
            if (!best || isBetter(found, *best)) best = std::move(found);
            if (!again) return proved(search, limit, std::move(*best));
            limit += room;
        }
    }
    bool isBetter(const Found& found, const Found& than) const {
        const std::int64_t peak = found.split.memory.peakBytes, other = than.split.memory.peakBytes;
        if (std::max(peak, other) > plan_.limitBytes) return peak < other;
        return found.choice.outcome.ms < than.choice.outcome.ms;
    }

    Found foundBy(const PlanSearch& search) const {
        const StepPlan& chosen = search.best() ? *search.best() : search.lowest();
        return {chosen, split(chosen.choice)};
    }

    /// With what can be proved about the plan in the time there is; the proof may find a better one. What the program
    /// of moments proves is about graphs that run as modelled; the border between forward and backward is the same
    /// however they run.
    Found proved(PlanSearch& search, std::int64_t limit, Found found) {
        const double seconds = options_.planSeconds;
        const auto solver = seconds > 0 ? highsSolver(&plan_.note) : nullptr;
        PlanBound bound{.ms = boundAtBorder(search.simulator(), isModelled() ? limit : plan_.limitBytes)};
        if (solver && found.choice.outcome.ms > bound.ms) {
            const PlanBound better = proveBest(search, limit, *solver, seconds, context_.progress);
            bound.msPerByte = better.msPerByte;
            if (isModelled()) bound = {better.status, std::max(bound.ms, better.ms), better.msPerByte};
            if (Found again = foundBy(search); isBetter(again, found)) found = std::move(again);
        }
        plan_.boundMs = bound.ms;
        plan_.msPerMegabyte = bound.msPerByte * 1e6;
        plan_.leastPeakBoundBytes = isModelled() ? leastPossible(step_) : step_.outputBytes();
        plan_.status = statusOf(found, bound);
        if (plan_.status == PeakPlan::Status::infeasible) {
            plan_.boundMs = plan_.msPerMegabyte = 0;  // they were about a plan that fits
            if (solver && isModelled())
                plan_.leastPeakBoundBytes =
                    std::max(plan_.leastPeakBoundBytes,
                             boundOfPeak(search, *solver, seconds * kShareOfLeastPeak, context_.progress));
        }
        plan_.leastPeakBytes = found.split.memory.peakBytes;
        if (isModelled()) plan_.leastPeakBytes = std::min(search.lowest().outcome.peak, plan_.leastPeakBytes);
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
        split.memory = memoryOf(split.partition);
        return split;
    }

    /// With the order and the compilers that the graphs will have; a later pass orders them.
    LiveMemory memoryOf(const Partition& partition) const {
        const auto predicted = [&](const Partition& graphs) {
            return liveMemory(graphs, context_.metadata, *costs_, context_.model.compilers);
        };
        return ordered_ ? predicted(withOrder(partition, facts_.joint(), context_.metadata, context_.model))
                        : predicted(partition);
    }

    static int roundsFor(std::size_t decisions) {
        constexpr std::size_t kWork = 20'000, kFewest = 2, kMost = 300;
        return static_cast<int>(std::clamp(kWork / std::max<std::size_t>(decisions, 1), kFewest, kMost));
    }

    const JointFacts& facts_;
    const PartitionOptions& options_;
    const PlanningContext& context_;
    const std::shared_ptr<const OperatorCosts> costs_;
    const bool groups_, ordered_;
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
