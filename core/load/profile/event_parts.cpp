#include "load/profile/event_parts.h"

#include "support/error.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr std::size_t kMostEvents = 20'000'000, kMostDistinct = std::size_t{256} << 20, kMostStack = 64,
                      kMostSizes = 1000, kLongestValueText = 200, kLongestName = 4096, kMostProcesses = 64;
constexpr std::string_view kModule = "nn.Module: ", kCompiled = "## Call CompiledFxGraph";

bool isAnyOf(std::string_view text, std::initializer_list<std::string_view> all) {
    return std::ranges::find(all, text) != all.end();
}

/// "cuda_runtime", "cuda_driver", "hip_runtime", "xpu_runtime".
bool launches(std::string_view category) { return category.ends_with("_runtime") || category.ends_with("_driver"); }

}  // namespace

void EventParts::setText(std::string_view key, std::string_view argument, const std::string& value) {
    if (key == "args") {
        if (argument == "name") labelled = value;
        if (argument == "Concrete Inputs" && arguments.values.size() < kMostSizes)
            arguments.values.emplace_back(value, 0, kLongestValueText);
        if (argument == "stack" && stack.size() < kMostStack) stack.push_back(value);
        return;
    }
    for (const auto& [known, member] : {std::pair{"ph", &phase}, std::pair{"cat", &category}, std::pair{"name", &name},
                                        std::pair{"pid", &process}, std::pair{"tid", &thread}})
        if (key == known) member->assign(value, 0, kLongestName);
}

void EventParts::setNumber(std::string_view key, std::string_view argument, int lists, double value,
                           std::int64_t whole) {
    if (key == "args") {
        if (argument == "Input Dims") {
            if (lists >= 2 && !arguments.sizes.empty() && arguments.sizes.back().back().size() < kMostSizes)
                arguments.sizes.back().back().push_back(whole);
            return;
        }
        for (const auto& [known, member] :
             {std::pair{"Sequence number", &sequence}, std::pair{"External id", &external},
              std::pair{"correlation", &correlation}, std::pair{"device", &device}, std::pair{"stream", &stream}})
            if (argument == known) *member = whole;
        return;
    }
    if (key == "ts") start = value;
    else if (key == "dur") us = value;
    else if (key == "pid") process = std::to_string(whole);
    else if (key == "tid") thread = std::to_string(whole);
}

/// "Input Dims" is a list of arguments; each is a list of sizes, or a list of such lists.
void EventParts::openList(std::string_view argument, int lists) {
    if (argument != "Input Dims") return;
    hasShapes = true;
    if (lists == 1 && arguments.sizes.size() < kMostSizes) {
        arguments.sizes.push_back({{}});
        inList = false;
    } else if (lists == 2 && !arguments.sizes.empty() && arguments.sizes.back().size() < kMostSizes) {
        if (inList) arguments.sizes.back().emplace_back();
        inList = true;
    }
}

void EventCollector::noteSection(std::string_view name) {
    if (isAnyOf(name, {"schemaVersion", "deviceProperties", "record_shapes", "baseTimeNanoseconds"}))
        events_.isByTorch = true;
}

void EventCollector::noteMember(std::string_view section, std::string_view name) {
    if (section == "otherData" && name == "times") events_.isOurs = true;
}

void EventCollector::charge(std::size_t bytes) {
    distinctBytes_ += bytes;
    if (distinctBytes_ > kMostDistinct)
        throw Error("has more than " + formatBytes(kMostDistinct) +
                    " of different names and sizes; profile fewer steps");
}

ProfileText EventCollector::text(const std::string& value) {
    if (value.empty()) return 0;
    const auto [it, isNew] = known_.try_emplace(value, static_cast<ProfileText>(events_.texts.size()));
    if (isNew) {
        charge(value.size());
        events_.texts.push_back(value);
    }
    return it->second;
}

std::int32_t EventCollector::numberOf(const ProfiledArguments& arguments) {
    const auto [it, isNew] =
        knownArguments_.try_emplace(arguments, static_cast<std::int32_t>(events_.arguments.size()));
    if (isNew) {
        for (const ProfiledSizes& argument : arguments.sizes)
            for (const auto& tensor : argument) charge(2 * (sizeof argument + sizeof tensor + 8 * tensor.size()));
        for (const std::string& value : arguments.values) charge(2 * (sizeof value + value.size()));
        events_.arguments.push_back(arguments);
    }
    return it->second;
}

ProfileEvents::Span EventCollector::span(const EventParts& event) {
    if (++kept_ > kMostEvents)
        throw Error("has more than " + grouped(kMostEvents) + " operations and kernels; profile fewer steps");
    return {text(event.name), text(event.thread), event.start, std::max(event.us, 0.0)};
}

void EventCollector::addMetadata(const EventParts& event) {
    if (event.name == "process_name" && events_.processes.size() < kMostProcesses)
        events_.processes.push_back(event.labelled);
}

void EventCollector::addOperation(const EventParts& event) {
    ProfileEvents::Operation operation;
    static_cast<ProfileEvents::Span&>(operation) = span(event);
    operation.sequence = event.sequence;
    operation.external = event.external;
    if (event.hasShapes) operation.arguments = numberOf(event.arguments);
    events_.operations.push_back(operation);
    const ProfileText process = text(event.process);
    if (std::ranges::find(events_.operationProcesses, process) == events_.operationProcesses.end() &&
        events_.operationProcesses.size() < kMostProcesses)
        events_.operationProcesses.push_back(process);
}

void EventCollector::addActivity(const EventParts& event, GpuActivity::Kind kind) {
    ProfileEvents::Activity activity;
    static_cast<ProfileEvents::Span&>(activity) = span(event);
    activity.kind = kind;
    activity.correlation = event.correlation;
    activity.external = event.external;
    activity.device = static_cast<std::int32_t>(std::clamp<std::int64_t>(event.device, -1, 1 << 20));
    activity.stream = static_cast<std::int32_t>(std::clamp<std::int64_t>(event.stream, -1, 1 << 30));
    for (const std::string& frame : event.stack) activity.stack.push_back(text(frame));
    events_.activities.push_back(std::move(activity));
}

void EventCollector::addAnnotation(const EventParts& event) {
    if (event.name.starts_with(kCompiled)) addOperation(event);
    else events_.annotations.push_back(span(event));
}

void EventCollector::add(const EventParts& event) {
    ++events_.count;
    if (event.phase == "M") return addMetadata(event);
    if (event.phase != "X") return;
    const std::string_view category = event.category;
    if (category == "cpu_op") addOperation(event);
    else if (category == "kernel") addActivity(event, GpuActivity::Kind::kernel);
    else if (category == "gpu_memcpy") addActivity(event, GpuActivity::Kind::copy);
    else if (category == "gpu_memset") addActivity(event, GpuActivity::Kind::fill);
    else if (category == "user_annotation") addAnnotation(event);
    else if (launches(category)) events_.launches.push_back({span(event), event.correlation, event.external});
    else if (category == "python_function" && event.name.starts_with(kModule)) events_.modules.push_back(span(event));
}

}  // namespace aotscope
