#include "io/communication_text.h"

#include "io/tables/communication_tables.h"
#include "io/tables/table_text.h"
#include "io/tables/text_table.h"
#include "support/formatted.h"
#include "support/names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr std::size_t kMostRows = 40, kMostReasons = 10;

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

/// The first rows, with only these columns.
std::string shortText(Table table, const std::vector<std::string_view>& keys, const std::string& what) {
    if (const std::size_t more = keepFirst(kMostRows, table)) table.summary = "... and " + counted(more, what) + "\n";
    return tableText(withColumns(table, keys));
}

/// Empty if everything is in one module.
std::string byModuleText(const GraphCommunication& graph) {
    Table modules = communicatingModuleTable({&graph, 1});
    if (modules.rows.size() < 2) return {};
    keepFirst(kMostRows, modules);
    return "by module:\n" +
           tableText(withColumns(modules, {"module", "collectives", "sent_bytes", "communication_ms", "exposed_ms"}));
}

std::string collectivesText(const GraphCommunication& graph) {
    return shortText(collectiveTable({&graph, 1}),
                     {"node", "collective", "group", "ranks", "data", "sent_bytes", "issue_ms", "time", "exposed_ms",
                      "waits", "saved_as"},
                     "more collective");
}

std::string graphText(const GraphCommunication& graph) {
    std::string text = "communication of the " + std::string(name(graph.graph)) +
                       " graph: " + formatBytes(graph.sentBytes()) + " sent; " + formatDuration(graph.communicating) +
                       ", of which " + formatDuration(graph.exposed) + " exposed beside " +
                       formatDuration(graph.computing) + " of computation\n" + groupsText(graph);
    if (graph.savedGatherBytes() > 0)
        text += "  " + formatBytes(graph.savedGatherBytes()) +
                " of all-gathered memory are saved for the backward, which does not gather them again\n";
    return text + collectivesText(graph) + reasonsText(graph) + byModuleText(graph);
}

std::string unshardsText(const Communication& found) {
    if (found.unshards.empty()) return {};
    return "sharded parameters (--reshard-after-forward gathers them again in the backward)\n" +
           shortText(
               unshardTable(found),
               {"parameter", "shard_bytes", "gathered_bytes", "backward", "saved_bytes", "sent_bytes", "exposed_ms"},
               "more parameter");
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

json collectivesJson(const GraphCommunication& graph) {
    json list = tableJson(collectiveTable({&graph, 1}), {"reduction", "redistribution"});
    for (std::size_t i = 0; i < list.size(); ++i) list[i]["why_exposed"] = exposureJson(graph.collectives[i]);
    return list;
}

}  // namespace

std::string communicationText(const Communication& found, const WorldShape& world, const Links& links) {
    if (!found.problem.empty()) return "communication is not estimated: " + found.problem + "\n";
    if (found.graphs.empty()) return {};
    std::string text = "rank " + std::to_string(world.rank) +
                       (world.size > 0 ? " of " + std::to_string(world.size) : std::string()) + ", links " +
                       links.name + " (estimated)\n";
    for (const GraphCommunication& graph : found.graphs) text += graphText(graph);
    return text + unshardsText(found);
}

json communicationJson(const Communication& found, const WorldShape& world, const Links& links) {
    json list = json::array();
    for (const GraphCommunication& graph : found.graphs)
        list.push_back({{"graph", name(graph.graph)},
                        {"sent_bytes", graph.sentBytes()},
                        {"compute_ms", graph.computing},
                        {"communication_ms", graph.communicating},
                        {"exposed_ms", graph.exposed},
                        {"saved_gather_bytes", graph.savedGatherBytes()},
                        {"total_ms", graph.total},
                        {"modules", tableJson(communicatingModuleTable({&graph, 1}))},
                        {"collectives", collectivesJson(graph)}});
    return {{"rank", world.rank},        {"world_size", world.size},
            {"links", links.name},       {"problem", found.problem},
            {"graphs", std::move(list)}, {"unshards", tableJson(unshardTable(found), {"gather"})}};
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
