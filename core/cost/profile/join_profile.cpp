#include "cost/profile/join_profile.h"

#include "cost/profile/fused_kernels.h"
#include "cost/profile/profile_sites.h"
#include "support/enumerators.h"
#include "support/formatted.h"

#include <algorithm>
#include <numeric>

namespace aotscope {

namespace {

/// Graphs of which no run has this share are those of another model.
constexpr double kLeastFit = 0.4;
/// A step that takes this many times as long as the median is a warm-up.
constexpr double kWarmUp = 1.5;

constexpr const char *kOtherModel = "the profile does not fit the graphs",
                     *kNoLaunch = "the file does not have the call that launched it",
                     *kOutside = "it was launched outside of the operations in the file";

/// Sums up rows by name and nodes.
class RowCollector {
public:
    explicit RowCollector(std::size_t steps) : steps_(steps) {}

    void add(const std::string& name, double us, bool isCall, const ProfileSite* site, const char* reason,
             std::int32_t step) {
        static const std::vector<std::size_t> nothing;
        const Key key{name, site ? site->graph : nullptr, site ? site->calls : nothing, site ? "" : reason};
        const auto [known, isNew] = index_.try_emplace(key, rows_.size());
        if (isNew) rows_.push_back(start(name, site, reason));
        ProfileRow& row = rows_[known->second];
        row.ms += us / 1000;
        row.calls += isCall;
        if (step >= 0 && static_cast<std::size_t>(step) < steps_)
            row.stepMs[static_cast<std::size_t>(step)] += us / 1000;
    }

    std::vector<ProfileRow> take() {
        std::ranges::stable_sort(rows_, std::greater(), &ProfileRow::ms);
        return std::move(rows_);
    }

private:
    using Key = std::tuple<std::string, const GraphCalls*, std::vector<std::size_t>, std::string>;

    ProfileRow start(const std::string& name, const ProfileSite* site, const char* reason) const {
        ProfileRow row{.name = name, .stepMs = std::vector<double>(steps_)};
        if (!site) {
            row.reason = reason ? reason : "";
            return row;
        }
        row.graph = site->graph->kind;
        row.by = site->by;
        for (const std::size_t call : site->calls) row.nodes.push_back(site->graph->calls[call].node->id());
        return row;
    }

    std::size_t steps_;
    std::map<Key, std::size_t> index_;
    std::vector<ProfileRow> rows_;
};

class Joiner {
public:
    Joiner(const Profile& profile, const CompileRecord& record, const std::vector<GeneratedCode>& code,
           const Progress& progress)
        : profile_(profile),
          graphs_(executedCalls(record, keys_)),
          operations_(siteOperations(profile, graphs_, keys_, progress)) {
        fits_ = operations_.fit >= kLeastFit;
        if (fits_) activities_ = siteKernels(profile, graphs_, keys_, code, operations_);
        joined_.device = profile.device;
        joined_.steps =
            profile.steps.empty() ? static_cast<std::size_t>(operations_.iterationCount) : profile.steps.size();
        joined_.stepMs.resize(joined_.steps);
    }

    JoinedProfile join() {
        joined_.kernelMs = profile_.kernelMs();
        RowCollector rows(joined_.steps), unjoined(joined_.steps);
        if (profile_.onGpu()) addActivities(rows, unjoined);
        else addOperations(rows, unjoined);
        joined_.rows = rows.take();
        joined_.unjoined = unjoined.take();
        for (const ProfileRow& row : joined_.rows) joined_.joinedMs += row.ms;
        findWarmUps();
        addNotes();
        return std::move(joined_);
    }

private:
    std::int32_t stepOf(std::int32_t operation, std::int32_t marked) const {
        if (!profile_.steps.empty() || operation < 0) return marked;
        return operations_.iterations[static_cast<std::size_t>(operation)];
    }

    void add(RowCollector& rows, RowCollector& unjoined, const std::string& name, double us, bool isCall,
             const ProfileSite* site, const char* reason, std::int32_t step) {
        if (step >= 0 && static_cast<std::size_t>(step) < joined_.steps)
            joined_.stepMs[static_cast<std::size_t>(step)] += us / 1000;
        if (site && fits_) rows.add(name, us, isCall, site, nullptr, step);
        else unjoined.add(name, us, isCall, nullptr, fits_ ? reason : kOtherModel, step);
    }

    /// A joined operation is one row with what it calls; the others are rows of their own.
    void addOperations(RowCollector& rows, RowCollector& unjoined) {
        for (std::size_t i = 0; i < profile_.operations.size(); ++i) {
            const CpuOperation& each = profile_.operations[i];
            const std::int32_t site = operations_.of[i];
            auto top = static_cast<std::int32_t>(i);
            for (std::int32_t up = each.parent; site >= 0 && fits_ && up >= 0; up = profile_.operations[up].parent) {
                if (operations_.of[static_cast<std::size_t>(up)] != site) break;
                top = up;
            }
            const bool isTop = top == static_cast<std::int32_t>(i);
            if (site < 0 && isOverhead(operations_.reasons[i])) joined_.overheadMs += each.selfUs / 1000;
            add(rows, unjoined, profile_.text(profile_.operations[static_cast<std::size_t>(top)].name), each.selfUs,
                isTop, site >= 0 ? &operations_.sites[static_cast<std::size_t>(site)] : nullptr, operations_.reasons[i],
                stepOf(static_cast<std::int32_t>(i), each.step));
        }
    }

    void addActivities(RowCollector& rows, RowCollector& unjoined) {
        for (std::size_t i = 0; i < profile_.activities.size(); ++i) {
            const GpuActivity& each = profile_.activities[i];
            const ProfileSite* site =
                fits_ && activities_[i] >= 0 ? &operations_.sites[static_cast<std::size_t>(activities_[i])] : nullptr;
            const char* reason =
                each.operation < 0 ? kNoLaunch : operations_.reasons[static_cast<std::size_t>(each.operation)];
            add(rows, unjoined, profile_.text(each.name), each.us, true, site, reason ? reason : kOutside,
                stepOf(each.operation, each.step));
        }
    }

    void findWarmUps() {
        if (joined_.steps < 3) return;
        std::vector<double> sorted = joined_.stepMs;
        std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
        const double median = sorted[sorted.size() / 2];
        while (joined_.warmUps < joined_.steps / 2 && joined_.stepMs[joined_.warmUps] > kWarmUp * median)
            ++joined_.warmUps;
    }

    void addNotes() {
        const double own = joined_.kernelMs - joined_.overheadMs, share = own > 0 ? 100 * joined_.joinedMs / own : 0;
        if (profile_.operations.empty())
            joined_.notes.emplace_back(
                "the profile has no operations of the CPU, which say what launched each kernel; record it with "
                "activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]");
        else if (!fits_)
            joined_.notes.push_back(
                "at most " + formatted("%.0f %%", 100 * operations_.fit) +
                " of the graphs' operations are in the profile in this order and with these sizes, so nothing was "
                "joined; is it a profile of this model, with these inputs?");
        else if (share < 50)
            joined_.notes.push_back(
                formatted("only %.0f %% of the time could be joined; 'unjoined' has the reasons", share));
        if (!profile_.hasShapes && !profile_.operations.empty())
            joined_.notes.emplace_back(
                "the profile has no sizes, so that fewer operations can be told apart; record it "
                "with record_shapes=True");
    }

    const Profile& profile_;
    OperatorKeys keys_;
    std::vector<GraphCalls> graphs_;
    OperationSites operations_;
    std::vector<std::int32_t> activities_;  ///< for each: in the sites, or -1
    bool fits_ = false;
    JoinedProfile joined_;
};

}  // namespace

std::string_view name(JoinedBy by) { return spelled(by); }

JoinedProfile joinProfile(const Profile& profile, const CompileRecord& record, const std::vector<GeneratedCode>& code,
                          const Progress& progress) {
    return Joiner(profile, record, code, progress).join();
}

}  // namespace aotscope
