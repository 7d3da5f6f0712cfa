#include "load/profile/profile_builder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace aotscope {

namespace {

using Span = ProfileEvents::Span;

constexpr std::string_view kEngine = "autograd::engine::evaluate_function", kStep = "ProfilerStep#",
                           kModulePrefix = "nn.Module: ";

/// Clocks have so many digits that sums of their times are off by nanoseconds.
constexpr double kRounding = 0.002;

double endOf(const Span& span) { return span.start + span.us - kRounding; }

/// Outer spans of a thread before those in them.
bool comesBefore(const Span& a, const Span& b) {
    if (a.thread != b.thread) return a.thread < b.thread;
    if (a.start != b.start) return a.start < b.start;
    return a.us > b.us;
}

class Builder {
public:
    Builder(ProfileEvents events, const Progress& progress) : events_(std::move(events)), progress_(progress) {}

    Profile build() {
        std::ranges::stable_sort(events_.operations, comesBefore);
        progress_.throwIfCancelled();
        origin_ = firstStart();
        nest();
        addSpans();
        attributeModules();
        addActivities();
        assignSteps();
        profile_.device = device();
        profile_.texts = std::move(events_.texts);
        profile_.hasShapes = !events_.arguments.empty();
        profile_.arguments = std::move(events_.arguments);
        return std::move(profile_);
    }

private:
    double firstStart() const {
        double first = INFINITY;
        for (const Span& span : events_.operations) first = std::min(first, span.start);
        for (const Span& span : events_.activities) first = std::min(first, span.start);
        return first;
    }

    std::string_view text(ProfileText which) const { return events_.texts[which]; }

    void nest() {
        std::vector<std::int32_t> open;
        auto& all = profile_.operations;
        all.reserve(events_.operations.size());
        const auto close = [&] {
            all[static_cast<std::size_t>(open.back())].end = static_cast<std::int32_t>(all.size());
            open.pop_back();
        };
        for (const auto& given : events_.operations) {
            const auto isOver = [&](std::int32_t i) {
                const auto& outer = events_.operations[static_cast<std::size_t>(i)];
                return outer.thread != given.thread || endOf(outer) <= given.start;
            };
            while (!open.empty() && isOver(open.back())) close();
            CpuOperation operation{.name = given.name,
                                   .arguments = given.arguments,
                                   .sequence = given.sequence,
                                   .start = given.start - origin_,
                                   .us = given.us,
                                   .selfUs = given.us};
            operation.isBackward = text(given.name).starts_with(kEngine);
            if (!open.empty()) {
                CpuOperation& parent = all[static_cast<std::size_t>(open.back())];
                operation.parent = open.back();
                operation.isBackward |= parent.isBackward;
                parent.selfUs = std::max(parent.selfUs - given.us, 0.0);
            }
            open.push_back(static_cast<std::int32_t>(all.size()));
            all.push_back(operation);
        }
        while (!open.empty()) close();
    }

    void addSpans() {
        for (const Span& span : events_.annotations) {
            const bool isStep = text(span.name).starts_with(kStep);
            (isStep ? profile_.steps : profile_.spans).push_back({span.name, span.start - origin_, span.us});
        }
        for (auto* spans : {&profile_.steps, &profile_.spans})
            std::ranges::stable_sort(*spans, {}, &ProfiledSpan::start);
    }

    /// The class of "nn.Module: Linear_0".
    ProfileText classOf(ProfileText module) {
        std::string_view name = text(module).substr(kModulePrefix.size());
        name = name.substr(0, name.rfind('_'));
        const auto [known, isNew] =
            classes_.try_emplace(std::string(name), static_cast<ProfileText>(events_.texts.size()));
        if (isNew) events_.texts.emplace_back(name);
        return known->second;
    }

    /// Operations get the innermost module around them.
    void attributeModules() {
        auto& modules = events_.modules;
        std::ranges::stable_sort(modules, comesBefore);
        std::vector<const Span*> open;
        std::size_t next = 0;
        for (std::size_t i = 0; i < events_.operations.size(); ++i) {
            const Span& operation = events_.operations[i];
            for (; next < modules.size() && !comesBefore(operation, modules[next]); ++next) {
                leave(open, modules[next]);
                open.push_back(&modules[next]);
            }
            leave(open, operation);
            if (!open.empty()) profile_.operations[i].module = classOf(open.back()->name);
        }
    }
    static void leave(std::vector<const Span*>& open, const Span& next) {
        while (!open.empty() && (open.back()->thread != next.thread || endOf(*open.back()) <= next.start))
            open.pop_back();
    }

    /// The innermost operation of that thread at that time, or -1.
    std::int32_t operationAt(ProfileText thread, double time) const {
        const Span wanted{.thread = thread, .start = time, .us = -1};
        const auto after = std::ranges::upper_bound(events_.operations, wanted, comesBefore);
        auto index = static_cast<std::int32_t>(after - events_.operations.begin()) - 1;
        while (index >= 0) {
            const auto& given = events_.operations[static_cast<std::size_t>(index)];
            if (given.thread != thread) return -1;
            if (time < endOf(given)) return index;
            index = profile_.operations[static_cast<std::size_t>(index)].parent;
        }
        return -1;
    }

    void addActivities() {
        std::unordered_map<std::int64_t, const ProfileEvents::Launch*> launches;
        for (const auto& launch : events_.launches)
            if (launch.correlation >= 0) launches.emplace(launch.correlation, &launch);
        std::unordered_map<std::int64_t, std::int32_t> byExternal;
        for (std::size_t i = 0; i < events_.operations.size(); ++i)
            if (events_.operations[i].external > 0)
                byExternal.emplace(events_.operations[i].external, static_cast<std::int32_t>(i));
        std::ranges::stable_sort(events_.activities, {}, &Span::start);
        for (auto& given : events_.activities) {
            GpuActivity activity{.kind = given.kind,
                                 .name = given.name,
                                 .stream = given.stream,
                                 .start = given.start - origin_,
                                 .us = given.us,
                                 .stack = std::move(given.stack)};
            std::int64_t launchedBy = -1;
            if (const auto launch = launches.find(given.correlation); launch != launches.end()) {
                activity.operation = operationAt(launch->second->thread, launch->second->start);
                activity.launch = launch->second->start - origin_;
                launchedBy = launch->second->external;
            }
            for (const std::int64_t external : {given.external, launchedBy})
                if (const auto found = byExternal.find(external); activity.operation < 0 && found != byExternal.end())
                    activity.operation = found->second;
            profile_.activities.push_back(std::move(activity));
        }
    }

    void assignSteps() {
        for (CpuOperation& operation : profile_.operations) operation.step = stepAt(operation.start);
        for (GpuActivity& activity : profile_.activities)
            activity.step = activity.operation < 0
                                ? stepAt(activity.start)
                                : profile_.operations[static_cast<std::size_t>(activity.operation)].step;
    }
    std::int32_t stepAt(double time) const {
        const auto after = std::ranges::upper_bound(profile_.steps, time, {}, &ProfiledSpan::start);
        if (after == profile_.steps.begin()) return -1;
        const auto step = after - 1;
        return time < step->start + step->us ? static_cast<std::int32_t>(step - profile_.steps.begin()) : -1;
    }

    std::string device() const {
        if (events_.activities.empty()) return "cpu";
        const auto used = events_.devices.find(events_.activities.front().device);
        if (used != events_.devices.end()) return used->second;
        return events_.devices.empty() ? "cuda" : events_.devices.begin()->second;
    }

    ProfileEvents events_;
    const Progress& progress_;
    Profile profile_;
    double origin_ = 0;
    std::unordered_map<std::string, ProfileText> classes_;
};

}  // namespace

Profile buildProfile(ProfileEvents events, const Progress& progress) {
    return Builder(std::move(events), progress).build();
}

}  // namespace aotscope
