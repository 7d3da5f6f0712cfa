#include "cost/profile/profile_sites.h"

#include "cost/profile/alignment.h"
#include "cost/profile/call_weights.h"

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

/// A run of the graphs must have joined this share of what it could.
constexpr double kLeastOfRun = 0.3;

constexpr const char *kUnknown = "the graphs have no such operation",
                     *kUnmatched = "the graphs have no more calls of it with these sizes, or in this order",
                     *kAmbiguous = "it could be one of several nodes that are alike",
                     *kOptimizer = "a step of the optimizer, which is not part of the graphs",
                     *kGradients = "autograd accumulates the gradients of parameters, outside of the graphs",
                     *kRuntime = "what PyTorch does around the graphs",
                     *kNotRecorded =
                         "Inductor's kernels in it are not recorded; set "
                         "torch._inductor.config.cpp.enable_kernel_profile = True before compiling",
                     *kPlaces =
                         "several places of the graphs have the operations in its name; record with "
                         "record_shapes=True, or give sizes that differ";

/// An operation with a name that a graph has, and no such operation around it.
struct Candidate {
    std::int32_t operation;
    int key;
    std::size_t graph;
};

class SiteFinder {
public:
    SiteFinder(const Profile& profile, const std::vector<GraphCalls>& graphs, const OperatorKeys& keys,
               const Progress& progress)
        : profile_(profile), graphs_(graphs), progress_(progress) {
        keyOf_.reserve(profile.texts.size());
        for (const std::string& text : profile.texts) keyOf_.push_back(keys.find(text));
        found_.of.assign(profile.operations.size(), -1);
        found_.reasons.assign(profile.operations.size(), nullptr);
        found_.iterations.assign(profile.operations.size(), -1);
        isCompiled_ = std::ranges::any_of(
            profile.texts, [](const auto& text) { return isFusedKernel(text) || isCompiledGraph(text); });
        hasBackward_ = std::ranges::any_of(graphs, &GraphCalls::isBackward);
    }

    OperationSites find() {
        markOptimizer();
        markCompiled();
        collect();
        for (const CpuOperation& each : profile_.operations)  // until they are joined, they stand for nothing
            if (each.sequence >= 0 && !each.isBackward) sequences_.try_emplace(each.sequence);
        for (const GraphCalls& graph : graphs_)
            for (std::size_t call = 0; graph.isBackward && call < graph.calls.size(); ++call)
                backwardOf_[graph.calls[call].forward].push_back({&graph, call});
        alignRuns();
        explainAround();
        giveReasons();
        spreadIterations();
        return std::move(found_);
    }

private:
    const CpuOperation& operation(std::int32_t index) const {
        return profile_.operations[static_cast<std::size_t>(index)];
    }
    const std::string& nameOf(std::int32_t index) const { return profile_.text(operation(index).name); }
    const char*& reason(std::int32_t index) { return found_.reasons[static_cast<std::size_t>(index)]; }
    std::int32_t count() const { return static_cast<std::int32_t>(profile_.operations.size()); }

    /// "Optimizer.step#Adam.step".
    void markOptimizer() {
        std::vector<const ProfiledSpan*> spans;
        for (const ProfiledSpan& span : profile_.spans)
            if (profile_.text(span.name).starts_with("Optimizer.")) spans.push_back(&span);
        if (spans.empty()) return;
        for (std::int32_t i = 0; i < count(); ++i) {
            const double start = operation(i).start;
            const auto after = std::ranges::upper_bound(spans, start, {}, [](auto* span) { return span->start; });
            if (after != spans.begin() && start < after[-1]->start + after[-1]->us) reason(i) = kOptimizer;
        }
    }

    void markCompiled() {
        inCompiled_.resize(profile_.operations.size());
        for (std::int32_t i = 0; i < count(); ++i) {
            const std::int32_t parent = operation(i).parent;
            inCompiled_[static_cast<std::size_t>(i)] =
                isCompiledGraph(nameOf(i)) || (parent >= 0 && inCompiled_[static_cast<std::size_t>(parent)]);
        }
    }

    void collect() {
        for (std::int32_t i = 0; i < count();) {
            const int key = reason(i) ? -1 : keyOf_[operation(i).name];
            const auto graph = key < 0 ? graphs_.size() : graphWith(key, operation(i).isBackward);
            if (graph < graphs_.size()) candidates_.push_back({i, key, graph});
            i = graph < graphs_.size() ? operation(i).end : i + 1;
        }
        std::ranges::stable_sort(candidates_, {}, [this](const Candidate& c) { return operation(c.operation).start; });
    }
    std::size_t graphWith(int key, bool isBackward) const {
        for (std::size_t g = 0; g < graphs_.size(); ++g)
            if (graphs_[g].isBackward == (isBackward && hasBackward_) && graphs_[g].keys.contains(key)) return g;
        return graphs_.size();
    }

    /// A run: candidates of one graph, without those of another or another step of the profiler between them.
    void alignRuns() {
        for (std::size_t begin = 0; begin < candidates_.size();) {
            const auto stepOf = [this](const Candidate& c) { return operation(c.operation).step; };
            std::size_t end = begin;
            while (end < candidates_.size() && candidates_[end].graph == candidates_[begin].graph &&
                   stepOf(candidates_[end]) == stepOf(candidates_[begin]))
                ++end;
            alignRun({candidates_.begin() + static_cast<std::ptrdiff_t>(begin),
                      candidates_.begin() + static_cast<std::ptrdiff_t>(end)});
            begin = end;
        }
    }

    void alignRun(const std::vector<Candidate>& run) {
        const GraphCalls& graph = graphs_[run.front().graph];
        CallWeights weights(profile_, graph);
        const bool isCompiled = inCompiled_[static_cast<std::size_t>(run.front().operation)];  // as a whole
        if (graph.isBackward && !isCompiled) weights.setSequences(&sequences_);
        if (run.size() * graph.calls.size() > kLargestAlignment) return;
        const auto weight = [&](std::size_t event, std::size_t call) {
            return weights(run[event].operation, run[event].key, call);
        };
        const Alignment aligned = align(run.size(), graph.calls.size(), weight, leastOf(run, graph), progress_);
        const int first = graph.isBackward ? std::max(found_.iterationCount - 1, 0) : found_.iterationCount;
        for (std::size_t i = 0; i < run.size(); ++i) {
            if (inCompiled_[static_cast<std::size_t>(run[i].operation)]) {
                reason(run[i].operation) = kAmbiguous;
                if (aligned.calls[i] != Alignment::kNone) setIteration(run[i].operation, first + aligned.iterations[i]);
                found_.compiled.push_back({run[i].operation, run[i].key});
                continue;
            }
            if (aligned.calls[i] == Alignment::kAmbiguous) reason(run[i].operation) = kAmbiguous;
            if (aligned.calls[i] >= 0)
                join(run[i].operation, graph, static_cast<std::size_t>(aligned.calls[i]),
                     first + aligned.iterations[i]);
        }
        noteFit(run, aligned, graph);
        found_.iterationCount = std::max(found_.iterationCount, first + aligned.iterationCount);
        if (!graph.isBackward) noteSequences(run);
    }

    /// The calls of the graph whose operators are in the run.
    static std::ptrdiff_t possibleCalls(const std::vector<Candidate>& run, const GraphCalls& graph, bool viewsToo) {
        std::set<int> present;
        for (const Candidate& candidate : run) present.insert(candidate.key);
        return std::ranges::count_if(graph.calls, [&](const GraphCall& call) {
            return present.contains(call.key) && (viewsToo || !call.isView);
        });
    }

    int leastOf(const std::vector<Candidate>& run, const GraphCalls& graph) const {
        const int each = CallWeights::kName + (profile_.hasShapes ? CallWeights::kSizes : 0);
        return std::max(1, static_cast<int>(kLeastOfRun * static_cast<double>(possibleCalls(run, graph, true)) * each));
    }

    /// Compiled graphs have kernels in place of most calls.
    void noteFit(const std::vector<Candidate>& run, const Alignment& aligned, const GraphCalls& graph) {
        std::vector<std::size_t> joined(static_cast<std::size_t>(aligned.iterationCount));
        for (std::size_t i = 0; i < aligned.calls.size(); ++i)
            if (aligned.calls[i] >= 0 && !graph.calls[static_cast<std::size_t>(aligned.calls[i])].isView)
                ++joined[static_cast<std::size_t>(aligned.iterations[i])];
        const auto all =
            isCompiled_ ? possibleCalls(run, graph, false) : std::ranges::count(graph.calls, false, &GraphCall::isView);
        for (const std::size_t n : joined)
            if (all > 0) found_.fit = std::max(found_.fit, static_cast<double>(n) / static_cast<double>(all));
    }

    void join(std::int32_t index, const GraphCalls& graph, std::size_t call, int iteration) {
        setSite(index, {&graph, {call}, JoinedBy::order});
        setIteration(index, iteration);
        found_.joined[&graph].push_back({index, call, iteration});
    }

    void setIteration(std::int32_t index, int iteration) {
        for (std::int32_t inner = index; inner < operation(index).end; ++inner)
            found_.iterations[static_cast<std::size_t>(inner)] = iteration;
    }

    /// For the operation and all in it.
    void setSite(std::int32_t index, ProfileSite site) {
        const auto number = static_cast<std::int32_t>(found_.sites.size());
        found_.sites.push_back(std::move(site));
        for (std::int32_t inner = index; inner < operation(index).end; ++inner) siteOf(inner) = number;
    }
    std::int32_t& siteOf(std::int32_t index) { return found_.of[static_cast<std::size_t>(index)]; }

    /// Which forward nodes the autograd nodes of a run stand for.
    void noteSequences(const std::vector<Candidate>& run) {
        for (const Candidate& candidate : run) {
            const std::int32_t site = siteOf(candidate.operation);
            if (site < 0) continue;
            const ProfileSite& joined = found_.sites[static_cast<std::size_t>(site)];
            const NodeId node = joined.graph->calls[joined.calls.front()].node->id();
            for (std::int32_t i = candidate.operation; i < operation(candidate.operation).end; ++i) note(i, node);
            for (std::int32_t i = operation(candidate.operation).parent; i >= 0; i = operation(i).parent) note(i, node);
        }
    }
    void note(std::int32_t index, NodeId node) {
        if (operation(index).sequence >= 0) sequences_[operation(index).sequence].insert(node);
    }

    /// Operations that call joined ones, and those that autograd runs for them.
    void explainAround() {
        std::vector<std::set<std::pair<const GraphCalls*, std::size_t>>> inside(profile_.operations.size());
        for (std::int32_t i = count(); i-- > 0;) {  // those in it come after an operation
            auto& own = inside[static_cast<std::size_t>(i)];
            const std::int32_t site = siteOf(i);
            if (site >= 0)
                for (const std::size_t call : found_.sites[static_cast<std::size_t>(site)].calls)
                    own.insert({found_.sites[static_cast<std::size_t>(site)].graph, call});
            const std::int32_t parent = operation(i).parent;
            if (parent < 0) continue;
            inside[static_cast<std::size_t>(parent)].insert(own.begin(), own.end());
        }
        for (std::int32_t i = 0; i < count(); ++i)
            if (siteOf(i) < 0 && reason(i) != kOptimizer) siteOf(i) = around(i, inside[static_cast<std::size_t>(i)]);
    }
    /// The group that the calls in an operation are, or that of the one around it; -1: neither.
    std::int32_t around(std::int32_t index, const std::set<std::pair<const GraphCalls*, std::size_t>>& inside) {
        ProfileSite site{nullptr, {}, JoinedBy::enclosing};
        if (!inside.empty() && inside.size() <= kLargestGroup && isPartOfModel(index)) {
            site.graph = inside.begin()->first;
            for (const auto& [graph, call] : inside)
                if (graph == site.graph) site.calls.push_back(call);
        } else {
            const std::int32_t parent = operation(index).parent;
            if (inside.empty() && parent >= 0 && siteOf(parent) >= 0) return siteOf(parent);
            site = differentiated(index);
        }
        if (site.calls.empty()) return -1;
        found_.sites.push_back(std::move(site));
        return static_cast<std::int32_t>(found_.sites.size()) - 1;
    }
    /// Operators, and what autograd runs; not what runs a compiled graph as a whole.
    bool isPartOfModel(std::int32_t index) const {
        const std::string& name = nameOf(index);
        if (name.find("Compiled") != std::string::npos) return false;
        return name.find("::") != std::string::npos || operation(index).isBackward;
    }
    /// The nodes that differentiate those for which this autograd node stands.
    ProfileSite differentiated(std::int32_t index) const {
        ProfileSite site{nullptr, {}, JoinedBy::sequence};
        const auto known = sequences_.find(operation(index).sequence);
        if (!operation(index).isBackward || !isPartOfModel(index) || known == sequences_.end()) return site;
        for (const NodeId forward : known->second) {
            const auto calls = backwardOf_.find(forward);
            if (calls == backwardOf_.end()) continue;
            site.graph = calls->second.front().first;
            for (const auto& [graph, call] : calls->second) site.calls.push_back(call);
        }
        std::ranges::sort(site.calls);
        if (site.calls.size() > kLargestGroup) site.calls.clear();
        return site;
    }

    void giveReasons() {
        for (std::int32_t i = 0; i < count(); ++i)
            if (siteOf(i) < 0 && !reason(i)) reason(i) = reasonFor(i);
    }
    /// What is around operations of a run, or beside them, is in that run.
    void spreadIterations() {
        auto& of = found_.iterations;
        for (std::int32_t i = count(); i-- > 0;)
            if (const std::int32_t parent = operation(i).parent; parent >= 0 && of[static_cast<std::size_t>(i)] >= 0)
                of[static_cast<std::size_t>(parent)] = of[static_cast<std::size_t>(i)];
        for (std::int32_t i = 0; i < count(); ++i)
            if (const std::int32_t parent = operation(i).parent; parent >= 0 && of[static_cast<std::size_t>(i)] < 0)
                of[static_cast<std::size_t>(i)] = of[static_cast<std::size_t>(parent)];
    }

    bool callsKernels(std::int32_t index) const {
        for (std::int32_t inner = index + 1; inner < operation(index).end; ++inner)
            if (isFusedKernel(nameOf(inner))) return true;
        return false;
    }

    const char* reasonFor(std::int32_t index) {
        const std::string& name = nameOf(index);
        if (isFusedKernel(name)) return kPlaces;
        if (isCompiledGraph(name) && !callsKernels(index)) return kNotRecorded;
        if (name.find("AccumulateGrad") != std::string::npos) return kGradients;
        const std::int32_t parent = operation(index).parent;
        if (parent >= 0 && siteOf(parent) < 0 && reason(parent) == kGradients) return kGradients;
        if (keyOf_[operation(index).name] >= 0) return kUnmatched;
        const bool isRuntime = name.find("::") == std::string::npos || name.find("Compiled") != std::string::npos;
        return isRuntime ? kRuntime : kUnknown;
    }

    const Profile& profile_;
    const std::vector<GraphCalls>& graphs_;
    const Progress& progress_;
    std::vector<int> keyOf_;  ///< by text
    bool hasBackward_ = false;
    bool isCompiled_ = false;
    std::vector<bool> inCompiled_;  ///< for each operation
    std::vector<Candidate> candidates_;
    std::unordered_map<NodeId, std::vector<std::pair<const GraphCalls*, std::size_t>>>
        backwardOf_;  ///< by forward node
    std::unordered_map<std::int64_t, std::set<NodeId>> sequences_;
    OperationSites found_;
};

}  // namespace

bool isCompiledGraph(std::string_view name) { return name.starts_with("## Call CompiledFxGraph"); }

bool isOverhead(const char* reason) { return reason == kRuntime; }

OperationSites siteOperations(const Profile& profile, const std::vector<GraphCalls>& graphs, const OperatorKeys& keys,
                              const Progress& progress) {
    return SiteFinder(profile, graphs, keys, progress).find();
}

}  // namespace aotscope
