#include "cost/profile/fused_kernels.h"

#include "cost/profile/call_weights.h"
#include "cost/profile/compiled_operators.h"
#include "ir/provenance.h"
#include "load/trace_log/break_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace aotscope {

namespace {

/// A kernel with a name that lists operators, called in a compiled region.
struct FusedKernel {
    std::int32_t index = 0;  ///< of its operation, or of its activity
    bool isActivity = false;
    double time = 0;
    std::string_view name;
    std::vector<int> keys;        ///< of the operators in its name; empty: it has others
    std::set<std::size_t> calls;  ///< what it surely computes
};

/// One call of a compiled graph: where its kernels are, and what is joined between them.
struct Region {
    const GraphCalls* graph = nullptr;
    std::vector<FusedKernel> kernels;
    std::vector<CompiledOperator> operators;
    std::vector<std::pair<std::size_t, double>> joined;  ///< calls, and when they ran
    JoinedBy by = JoinedBy::kernelName;
    bool hasFusedCalls = false;  ///< operators of libraries that compute several nodes, too
};

/// Finds the calls that the kernels of a region compute.
class RegionSolver {
public:
    explicit RegionSolver(Region& region) : region_(region), graph_(*region.graph) {
        const Graph& graph = *graphOf();
        for (std::size_t i = 0; i < graph.size(); ++i) place_.emplace(graph.at(i), i);
        first_.assign(graph.size(), INFINITY);
        last_.assign(graph.size(), -INFINITY);
        for (const auto& [call, time] : region.joined) {
            assign(call, time);
            joined_.insert(call);
        }
    }

    void solve() {
        constexpr int kRounds = 8;
        for (int round = 0; round < kRounds; ++round) {
            boundTimes();
            const bool changed = takeOnlyMeanings() | takeOnlyKernels();
            if (!changed) break;
        }
    }

private:
    /// All nodes of a graph are those of one object.
    const Graph* graphOf() const { return region_.graph->graph; }
    std::size_t placeOf(std::size_t call) const { return place_.at(graph_.calls[call].node); }

    void assign(std::size_t call, double time) {
        const std::size_t place = placeOf(call);
        first_[place] = std::min(first_[place], time);
        last_[place] = std::max(last_[place], time);
    }

    /// When each node can run, by what it depends on and what depends on it.
    void boundTimes() {
        const Graph& graph = *graphOf();
        after_.assign(graph.size(), -INFINITY);
        before_.assign(graph.size(), INFINITY);
        for (std::size_t i = 0; i < graph.size(); ++i)
            for (const Node* input : graph.at(i)->inputs()) {
                const std::size_t place = place_.at(input);
                after_[i] = std::max(after_[i], after_[place]);
                if (first_[place] != INFINITY) after_[i] = std::max(after_[i], first_[place]);
            }
        for (std::size_t i = graph.size(); i-- > 0;)
            for (const Node* user : graph.at(i)->users()) {
                const std::size_t place = place_.at(user);
                before_[i] = std::min(before_[i], before_[place]);
                if (last_[place] != -INFINITY) before_[i] = std::min(before_[i], last_[place]);
            }
    }

    bool isPossible(std::size_t call, const FusedKernel& kernel) const {
        const std::size_t place = placeOf(call);
        return after_[place] <= kernel.time && kernel.time <= before_[place];
    }

    /// Calls that operators compute are none.
    std::vector<std::size_t> meaningsOf(int key, const FusedKernel& kernel) const {
        std::vector<std::size_t> found;
        for (std::size_t call = 0; call < graph_.calls.size(); ++call)
            if (graph_.calls[call].key == key && !joined_.contains(call) && isPossible(call, kernel))
                found.push_back(call);
        return found;
    }

    bool take(FusedKernel& kernel, std::size_t call) {
        if (!kernel.calls.insert(call).second) return false;
        if (!graph_.calls[call].isView) assign(call, kernel.time);
        return true;
    }

    /// A kernel computes each operator of its name at least once.
    bool takeOnlyMeanings() {
        bool changed = false;
        for (FusedKernel& kernel : region_.kernels)
            for (const int key : kernel.keys)
                if (const auto meanings = meaningsOf(key, kernel); meanings.size() == 1)
                    changed |= take(kernel, meanings.front());
        return changed;
    }

    /// Each node that no library computes is computed by a kernel.
    bool takeOnlyKernels() {
        if (region_.hasFusedCalls) return false;
        bool changed = false;
        for (std::size_t call = 0; call < graph_.calls.size(); ++call) {
            if (graph_.calls[call].isView || last_[placeOf(call)] != -INFINITY) continue;
            FusedKernel* only = nullptr;
            std::size_t possible = 0;
            for (FusedKernel& kernel : region_.kernels)
                if (std::ranges::find(kernel.keys, graph_.calls[call].key) != kernel.keys.end() &&
                    isPossible(call, kernel))
                    only = &kernel, ++possible;
            if (possible == 1) changed |= take(*only, call);
        }
        return changed;
    }

    Region& region_;
    const GraphCalls& graph_;
    std::unordered_map<const Node*, std::size_t> place_;
    std::unordered_set<std::size_t> joined_;
    std::vector<double> first_, last_;    ///< when each node surely ran, by place in the graph
    std::vector<double> after_, before_;  ///< when it can run
};

class KernelFinder {
public:
    KernelFinder(const Profile& profile, const std::vector<GraphCalls>& graphs, const OperatorKeys& keys,
                 const std::vector<GeneratedCode>& code, OperationSites& operations)
        : profile_(profile), graphs_(graphs), keys_(keys), code_(code), operations_(operations) {}

    std::vector<std::int32_t> find() {
        std::vector<std::int32_t> sites(profile_.activities.size(), -1);
        findRegions();
        addKernels();
        addJoined();
        addOperators();
        for (auto& [root, region] : regions_) {
            if (!isRunOf(region)) continue;
            if (!takeFromCode(region)) {
                place(region);
                RegionSolver(region).solve();
            }
            for (const CompiledOperator& each : region.operators) setSite(each, region);
            for (const FusedKernel& kernel : region.kernels)
                if (!kernel.calls.empty()) setSite(kernel, region, sites);
        }
        for (std::size_t i = 0; i < sites.size(); ++i)
            if (const std::int32_t operation = profile_.activities[i].operation; sites[i] < 0 && operation >= 0)
                sites[i] = operations_.of[static_cast<std::size_t>(operation)];
        for (std::size_t i = 0; i < sites.size(); ++i)
            if (sites[i] < 0 && !profile_.activities[i].stack.empty()) sites[i] = siteByStack(profile_.activities[i]);
        return sites;
    }

private:
    const CpuOperation& operation(std::int32_t index) const {
        return profile_.operations[static_cast<std::size_t>(index)];
    }

    /// For each operation, the call of a compiled graph that it is in: Inductor's mark, or what is outermost.
    void findRegions() {
        regionOf_.resize(profile_.operations.size());
        for (std::size_t i = 0; i < regionOf_.size(); ++i) {
            const CpuOperation& each = profile_.operations[i];
            regionOf_[i] = isCompiledGraph(profile_.text(each.name)) || each.parent < 0
                               ? static_cast<std::int32_t>(i)
                               : regionOf_[static_cast<std::size_t>(each.parent)];
        }
    }

    const GraphCalls* graphFor(std::int32_t index) const {
        for (const GraphCalls& graph : graphs_)
            if (graph.isBackward == operation(index).isBackward) return &graph;
        return graphs_.empty() ? nullptr : &graphs_.front();
    }
    Region* regionFor(std::int32_t index) {
        const GraphCalls* graph = graphFor(index);
        if (!graph) return nullptr;
        Region& region = regions_[regionOf_[static_cast<std::size_t>(index)]];
        region.graph = graph;
        return &region;
    }

    void addKernels() {
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(profile_.operations.size()); ++i) {
            const std::string& name = profile_.text(operation(i).name);
            if (name.find("_pointwise") != std::string::npos) regionFor(i)->hasFusedCalls = true;
            if (operations_.of[static_cast<std::size_t>(i)] < 0) add(i, i, false, name);
        }
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(profile_.activities.size()); ++i) {
            const GpuActivity& activity = profile_.activities[static_cast<std::size_t>(i)];
            const std::int32_t launcher = activity.operation;
            if (launcher >= 0 && !isFusedKernel(profile_.text(operation(launcher).name)))
                add(i, launcher, true, profile_.text(activity.name));
        }
    }
    void add(std::int32_t index, std::int32_t launcher, bool isActivity, const std::string& name) {
        Region* region = isFusedKernel(name) ? regionFor(launcher) : nullptr;
        if (!region) return;
        double time = operation(launcher).start;
        if (isActivity) time = std::max(time, profile_.activities[static_cast<std::size_t>(index)].launch);
        region->kernels.push_back({index, isActivity, time, name, operatorsInName(name, keys_), {}});
    }

    void addJoined() {
        for (const auto& [graph, calls] : operations_.joined)
            for (const JoinedCall& call : calls) {
                const auto region = regions_.find(regionOf_[static_cast<std::size_t>(call.operation)]);
                if (region != regions_.end() && region->second.graph == graph)
                    region->second.joined.emplace_back(call.call, operation(call.operation).start);
            }
    }

    void addOperators() {
        for (const CompiledCandidate& each : operations_.compiled) {
            compiledKeys_.insert(each.key);
            if (Region* region = regionFor(each.operation))
                region->operators.push_back({each.operation, each.key, operation(each.operation).start, {}});
        }
    }
    /// Other compiled graphs may have some operators of the same sizes, too: what a region calls most often tells.
    bool isRunOf(const Region& region) const {
        if (!region.joined.empty()) return true;
        std::map<int, std::size_t> counts;
        for (const CompiledOperator& each : region.operators) ++counts[each.key];
        const auto callsWith = [&](auto&& test) {
            return static_cast<std::size_t>(std::ranges::count_if(
                region.graph->calls, [&](const GraphCall& call) { return !call.isView && test(call.key); }));
        };
        if (counts.empty()) return callsWith([this](int key) { return compiledKeys_.contains(key); }) == 0;
        const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
        return 2 * most->second >= callsWith([&](int key) { return key == most->first; });
    }
    void place(Region& region) {
        const CallWeights weights(profile_, *region.graph);
        placeOperators(*region.graph, region.operators, [&](const CompiledOperator& each, std::size_t call) {
            return weights(each.operation, each.key, call) > 0;
        });
        for (const CompiledOperator& each : region.operators)
            for (const std::size_t call : each.calls) region.joined.emplace_back(call, each.time);
    }
    void setSite(const CompiledOperator& each, const Region& region) {
        if (each.calls.empty()) return;
        const JoinedBy by = region.by == JoinedBy::provenance ? region.by : JoinedBy::order;
        operations_.sites.push_back({region.graph, each.calls, by});
        setSite(each.operation, static_cast<std::int32_t>(operations_.sites.size()) - 1);
    }
    void setSite(std::int32_t index, std::int32_t site) {
        for (std::int32_t i = index; i < operation(index).end; ++i) operations_.of[static_cast<std::size_t>(i)] = site;
    }

    /// By Inductor's own word: its code calls the same kernels and operators in the same order, with the nodes of each.
    bool takeFromCode(Region& region) {
        std::ranges::stable_sort(region.kernels, {}, &FusedKernel::time);
        for (const GeneratedCode& code : code_) {
            if (code.graph.ends_with("_backward") != region.graph->isBackward) continue;
            std::vector<const GeneratedCall*> kernels, operators;
            for (const GeneratedCall& call : code.calls) {
                const auto name = kernelOf(call.text);
                if (isFusedKernel(name)) kernels.push_back(&call);
                else if (compiledKeys_.contains(keyOf(name))) operators.push_back(&call);
            }
            const auto isKernel = [](const FusedKernel& kernel, const GeneratedCall* call) {
                return kernel.name.ends_with(kernelOf(call->text));
            };
            const auto isOperator = [this](const CompiledOperator& each, const GeneratedCall* call) {
                return each.key == keyOf(kernelOf(call->text));
            };
            if (!std::ranges::equal(region.kernels, kernels, isKernel)) continue;
            const bool sameOperators = std::ranges::equal(region.operators, operators, isOperator);
            bool any = false;
            for (std::size_t i = 0; i < kernels.size(); ++i) {
                region.kernels[i].calls = callsOf(*kernels[i], *region.graph);
                any |= !region.kernels[i].calls.empty();
            }
            for (std::size_t i = 0; sameOperators && i < operators.size(); ++i) {
                const auto calls = callsOf(*operators[i], *region.graph);
                region.operators[i].calls.assign(calls.begin(), calls.end());
                any |= !calls.empty();
            }
            if (!any) continue;
            if (!sameOperators) place(region);
            region.by = JoinedBy::provenance;
            return true;
        }
        return false;
    }
    /// Of "extern_kernels.addmm", or of "torch.ops.aten.convolution.default".
    int keyOf(std::string_view call) const {
        for (const std::string_view before : {"extern_kernels.", "torch.ops.aten.", "aten."})
            if (call.starts_with(before))
                return keys_.find(
                    "aten::" + std::string(call.substr(before.size(), call.find('.', before.size()) - before.size())));
        return -1;
    }
    static std::set<std::size_t> callsOf(const GeneratedCall& call, const GraphCalls& graph) {
        std::set<std::size_t> calls;
        for (const std::string& name : call.nodes) {
            const Node* node = graph.graph->findByName(name);
            const auto place = node ? graph.index.find(node) : graph.index.end();
            if (place != graph.index.end()) calls.insert(place->second);
        }
        return calls;
    }

    /// By the lines of code that Inductor has written beside a kernel; of operators in its name, if it has any.
    std::int32_t siteByStack(const GpuActivity& activity) {
        const GraphCalls* graph = activity.operation >= 0 ? graphFor(activity.operation) : nullptr;
        if (!graph) return -1;
        std::vector<CodePlace> places;
        for (const ProfileText text : activity.stack)
            if (auto frames = readTraceback(profile_.text(text)); !frames.empty())
                places.push_back(std::move(frames.back()));
        const std::vector<int> keys = operatorsInName(profile_.text(activity.name), keys_);
        ProfileSite site{graph, {}, JoinedBy::provenance};
        for (std::size_t call = 0; call < graph->calls.size(); ++call) {
            const bool isNamed = keys.empty() || std::ranges::find(keys, graph->calls[call].key) != keys.end();
            if (isNamed && !graph->calls[call].isView && isAt(*graph->calls[call].node, places))
                site.calls.push_back(call);
        }
        if (site.calls.empty() || site.calls.size() > kLargestGroup) return -1;
        operations_.sites.push_back(std::move(site));
        return static_cast<std::int32_t>(operations_.sites.size()) - 1;
    }
    static bool isAt(const Node& node, const std::vector<CodePlace>& places) {
        const auto source = provenanceOf(node).source;
        return source && !source->file.empty() && std::ranges::any_of(places, [&](const CodePlace& place) {
                   return place.line == source->line &&
                          (place.file.ends_with(source->file) || source->file.ends_with(place.file));
               });
    }

    void setSite(const FusedKernel& kernel, const Region& region, std::vector<std::int32_t>& ofActivities) {
        const auto number = static_cast<std::int32_t>(operations_.sites.size());
        operations_.sites.push_back({region.graph, {kernel.calls.begin(), kernel.calls.end()}, region.by});
        if (kernel.isActivity) ofActivities[static_cast<std::size_t>(kernel.index)] = number;
        else setSite(kernel.index, number);
    }

    const Profile& profile_;
    const std::vector<GraphCalls>& graphs_;
    const OperatorKeys& keys_;
    const std::vector<GeneratedCode>& code_;
    OperationSites& operations_;
    std::vector<std::int32_t> regionOf_;
    std::map<std::int32_t, Region> regions_;
    std::set<int> compiledKeys_;  ///< of operators that compiled graphs call
};

}  // namespace

std::vector<std::int32_t> siteKernels(const Profile& profile, const std::vector<GraphCalls>& graphs,
                                      const OperatorKeys& keys, const std::vector<GeneratedCode>& code,
                                      OperationSites& operations) {
    return KernelFinder(profile, graphs, keys, code, operations).find();
}

}  // namespace aotscope
