#include "io/communication_text.h"

#include "io/duration_column.h"
#include "io/text_report.h"
#include "support/enumerators.h"
#include "support/joined.h"
#include "support/names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr std::size_t kMostRows = 40, kMostReasons = 10;

std::string namesOf(const std::vector<std::string>& nodes) {
    return joined(nodes, ", ", [](const std::string& node) { return "%" + node; });
}

/// The times of `all` in order, at most kMostRows, for a column.
template <typename Time>
std::vector<std::string> timesOf(const std::vector<Time>& all, double (*timeOf)(const Time&)) {
    std::vector<double> ms;
    for (std::size_t i = 0; i < std::min(all.size(), kMostRows); ++i) ms.push_back(timeOf(all[i]));
    return durationColumn(ms);
}

/// "group 0 (8 ranks): 9 collectives, 12.3 kB", a line for each group.
std::string groupsText(const GraphCommunication& graph) {
    struct Sum {
        std::size_t calls = 0;
        std::int64_t bytes = 0, ranks = 0;
    };
    std::map<std::string, Sum> sums;
    for (const CollectiveTime& time : graph.collectives) {
        Sum& sum = sums[time.group.name];
        ++sum.calls;
        sum.bytes += time.sentBytes;
        sum.ranks = time.group.size();
    }
    std::string text;
    for (const auto& [group, sum] : sums)
        text += "  group " + group + " (" + counted(static_cast<std::size_t>(sum.ranks), "rank") +
                "): " + counted(sum.calls, "collective") + ", " + formatBytes(sum.bytes) + " sent by this rank\n";
    return text;
}

/// Longest first.
std::string reasonsText(const GraphCommunication& graph) {
    std::vector<const CollectiveTime*> exposed;
    for (const CollectiveTime& time : graph.collectives)
        if (time.exposed() > 0) exposed.push_back(&time);
    std::ranges::stable_sort(exposed, std::greater<>(), [](const CollectiveTime* time) { return time->exposed(); });
    std::string text = exposed.empty() ? "" : "why exposed:\n";
    for (std::size_t i = 0; i < std::min(exposed.size(), kMostReasons); ++i)
        text += "  %" + exposed[i]->name + ", " + formatDuration(exposed[i]->exposed()) + ": " +
                exposureText(*exposed[i]) + "\n";
    if (exposed.size() > kMostReasons)
        text += "  and " + std::to_string(exposed.size() - kMostReasons) + " more, in the report\n";
    return text;
}

/// Empty if everything is in one module.
std::string byModuleText(const GraphCommunication& graph) {
    const std::vector<ModuleCommunication> modules = graph.modules();
    if (modules.size() < 2) return {};
    using Module = ModuleCommunication;
    const auto times = timesOf<Module>(modules, [](const Module&sum) { return sum.communicating; }),
               exposed = timesOf<Module>(modules, [](const Module&sum) { return sum.exposed; });
    std::vector<std::vector<std::string>> rows = {{"module", "collectives", "sent", "time", "exposed"}};
    for (std::size_t i = 0; i < times.size(); ++i)
        rows.push_back({modules[i].module.empty() ? "(top level)" : modules[i].module, std::to_string(modules[i].calls),
                        formatBytes(modules[i].sentBytes), times[i], exposed[i]});
    return "by module:\n" + textTable(rows);
}

std::string collectivesText(const std::vector<CollectiveTime>& collectives) {
    using Time = CollectiveTime;
    const auto issued = timesOf<Time>(collectives, [](const Time&time) { return time.issue; }),
               times = timesOf<Time>(collectives, [](const Time&time) { return time.duration(); }),
               exposed = timesOf<Time>(collectives, [](const Time&time) { return time.exposed(); });
    std::vector<std::vector<std::string>> rows = {{"node", "collective", "group", "ranks", "data", "sent", "issued at",
                                                   "time", "exposed", "waited for by", "saved as"}};
    for (std::size_t i = 0; i < times.size(); ++i) {
        const CollectiveTime& time = collectives[i];
        const std::string waits = namesOf(time.waits);
        rows.push_back({"%" + time.name, kindAndReduction(time.call), time.group.name,
                        std::to_string(time.group.size()),
                        formatBytes(std::max(time.call.inputBytes, time.call.resultBytes)), formatBytes(time.sentBytes),
                        issued[i], times[i], exposed[i], waits.empty() ? "nothing" : waits, namesOf(time.savedAs)});
    }
    std::string text = textTable(rows);
    if (collectives.size() > kMostRows)
        text += "... and " + counted(collectives.size() - kMostRows, "more collective") + "\n";
    return text;
}

std::string graphText(const GraphCommunication& graph) {
    std::string text = "communication of the " + std::string(name(graph.graph)) +
                       " graph: " + formatBytes(graph.sentBytes()) + " sent; " + formatDuration(graph.communicating) +
                       ", of which " + formatDuration(graph.exposed) + " exposed beside " +
                       formatDuration(graph.computing) + " of computation\n" + groupsText(graph);
    if (graph.savedGatherBytes() > 0)
        text += "  " + formatBytes(graph.savedGatherBytes()) +
                " of all-gathered memory are saved for the backward, which does not gather them again\n";
    return text + collectivesText(graph.collectives) + reasonsText(graph) + byModuleText(graph);
}

std::string unshardsText(const std::vector<UnshardCost>& unshards) {
    if (unshards.empty()) return {};
    const auto exposed = timesOf<UnshardCost>(unshards, [](const UnshardCost& cost) { return cost.exposed; });
    std::vector<std::vector<std::string>> rows = {
        {"unshard of", "shard", "gathered", "in the backward", "saved", "sent", "exposed"}};
    for (std::size_t i = 0; i < exposed.size(); ++i) {
        const UnshardCost& cost = unshards[i];
        rows.push_back({cost.unshard.parameter, formatBytes(cost.unshard.shardBytes),
                        formatBytes(cost.unshard.gatheredBytes), std::string(describe(cost.fate)),
                        cost.savedBytes > 0 ? formatBytes(cost.savedBytes) : "", formatBytes(cost.sentBytes),
                        exposed[i]});
    }
    std::string text =
        "sharded parameters (--reshard-after-forward gathers them again in the backward)\n" + textTable(rows);
    if (unshards.size() > kMostRows) text += "... and " + counted(unshards.size() - kMostRows, "more parameter") + "\n";
    return text;
}

json exposedPlaceJson(const Exposure::Place& place) { return place.node == kNoNode ? json() : json(place.name); }

json exposureJson(const CollectiveTime& time) {
    const Exposure& why = time.why;
    if (why.cause == Exposure::Cause::none) return nullptr;
    return {{"cause", name(why.cause)},
            {"text", exposureText(time)},
            {"ready_ms", why.ready},
            {"ready_after", exposedPlaceJson(why.readyAfter)},
            {"needed_by", exposedPlaceJson(why.neededBy)},
            {"busy_with", exposedPlaceJson(why.busyWith)},
            {"delay_ms", why.delay},
            {"hidden_if_issued_when_ready_ms", why.hiddenEarly},
            {"hidden_if_waited_for_late_ms", why.hiddenLate}};
}

json byModuleJson(const GraphCommunication& graph) {
    json list = json::array();
    for (const ModuleCommunication& module : graph.modules())
        list.push_back({{"module", module.module},
                        {"collectives", module.calls},
                        {"sent_bytes", module.sentBytes},
                        {"communication_ms", module.communicating},
                        {"exposed_ms", module.exposed}});
    return list;
}

json unshardsJson(const std::vector<UnshardCost>& unshards, const Communication& found) {
    json list = json::array();
    for (const UnshardCost& cost : unshards) {
        const CollectiveTime* gather = found.find(cost.unshard.wait);
        list.push_back({{"parameter", cost.unshard.parameter},
                        {"gather", gather ? json(gather->name) : json()},
                        {"shard_bytes", cost.unshard.shardBytes},
                        {"gathered_bytes", cost.unshard.gatheredBytes},
                        {"backward", spelled(cost.fate)},
                        {"saved_bytes", cost.savedBytes},
                        {"sent_bytes", cost.sentBytes},
                        {"exposed_ms", cost.exposed}});
    }
    return list;
}

json collectiveJson(const CollectiveTime& time) {
    return {{"node", time.name},
            {"module", time.module},
            {"collective", name(time.call.kind)},
            {"reduction", time.call.reduction.empty() ? json() : json(time.call.reduction)},
            {"redistribution", time.call.redistribution.empty() ? json() : json(time.call.redistribution)},
            {"group", time.group.name},
            {"ranks", time.group.size()},
            {"input_bytes", time.call.inputBytes},
            {"result_bytes", time.call.resultBytes},
            {"sent_bytes", time.sentBytes},
            {"issue_ms", time.issue},
            {"start_ms", time.start},
            {"end_ms", time.end},
            {"wait_ms", time.wait},
            {"exposed_ms", time.exposed()},
            {"why_exposed", exposureJson(time)},
            {"waits", time.waits},
            {"saved_as", time.savedAs}};
}

}  // namespace

std::string communicationText(const Communication& found, const WorldShape& world, const Links& links) {
    if (!found.problem.empty()) return "communication is not estimated: " + found.problem + "\n";
    if (found.graphs.empty()) return {};
    std::string text = "rank " + std::to_string(world.rank) +
                       (world.size > 0 ? " of " + std::to_string(world.size) : std::string()) + ", links " +
                       links.name + " (estimated)\n";
    for (const GraphCommunication& graph : found.graphs) text += graphText(graph);
    return text + unshardsText(found.unshards);
}

json communicationJson(const Communication& found, const WorldShape& world, const Links& links) {
    json list = json::array();
    for (const GraphCommunication& graph : found.graphs) {
        json collectives = json::array();
        for (const CollectiveTime& time : graph.collectives) collectives.push_back(collectiveJson(time));
        list.push_back({{"graph", name(graph.graph)},
                        {"sent_bytes", graph.sentBytes()},
                        {"compute_ms", graph.computing},
                        {"communication_ms", graph.communicating},
                        {"exposed_ms", graph.exposed},
                        {"saved_gather_bytes", graph.savedGatherBytes()},
                        {"total_ms", graph.total},
                        {"modules", byModuleJson(graph)},
                        {"collectives", std::move(collectives)}});
    }
    return {{"rank", world.rank},       {"world_size", world.size},  {"links", links.name},
            {"problem", found.problem}, {"graphs", std::move(list)}, {"unshards", unshardsJson(found.unshards, found)}};
}

std::string againstMeasuredText(const std::vector<GraphAgainstMeasured>& graphs, const Links& links) {
    if (graphs.empty()) return {};
    std::vector<std::vector<std::string>> rows = {
        {"graph", "computation", "measured", "exchanges", "measured", "total", "measured", "ratio", "around it"}};
    const auto add = [&](const std::string& graph, const CommunicationTimes& simulated,
                         const CommunicationTimes& measured, double around) {
        rows.push_back({graph, formatEstimate(simulated.computing), formatDuration(measured.computing),
                        formatEstimate(simulated.exchanging), formatDuration(measured.exchanging),
                        formatEstimate(simulated.total()), formatDuration(measured.total()),
                        threeDigits(measured.total() > 0 ? simulated.total() / measured.total() : 0),
                        formatDuration(around)});
    };
    CommunicationTimes simulated, measured;
    double around = 0;
    for (const GraphAgainstMeasured& graph : graphs) {
        add(std::string(name(graph.graph)), graph.simulated, graph.measured, graph.around);
        around += graph.around;
        for (const auto& [sum, part] :
             {std::pair{&simulated, &graph.simulated}, std::pair{&measured, &graph.measured}}) {
            sum->computing += part->computing;
            sum->exchanging += part->exchanging;
        }
    }
    if (graphs.size() > 1) add("all", simulated, measured, around);
    return "simulated against measured, exchanged within this process (" +
           formatEstimate(links.within.latencyUs / 1000) + " for a collective, " +
           formatBytes(static_cast<std::int64_t>(links.within.bytesPerSecond)) + "/s, measured)\n" + textTable(rows);
}

std::string changedCommunicationText(const CommunicationFigures& before, const CommunicationFigures& after) {
    const auto row = [](const char* what, const std::string& a, const std::string& b) {
        return std::vector<std::string>{what, a, b};
    };
    return textTable({row("", "without", "with moved and repeated collectives"),
                      row("sent", formatBytes(before.sentBytes), formatBytes(after.sentBytes)),
                      row("exposed", formatDuration(before.exposed), formatDuration(after.exposed)),
                      row("simulated time", formatDuration(before.total), formatDuration(after.total)),
                      row("simulated peak", formatBytes(before.peakBytes), formatBytes(after.peakBytes)),
                      row("saved for backward", formatBytes(before.savedBytes), formatBytes(after.savedBytes))});
}

}  // namespace aotscope
