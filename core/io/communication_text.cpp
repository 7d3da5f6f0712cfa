#include "io/communication_text.h"

#include "io/text_report.h"
#include "support/names.h"

#include <nlohmann/json.hpp>

#include <map>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr std::size_t kMostRows = 40;

std::string joinedNames(const std::vector<std::string>& nodes) {
    std::string text;
    for (const std::string& node : nodes) text += (text.empty() ? "%" : ", %") + node;
    return text;
}

std::vector<std::string> rowOf(const CollectiveTime& time) {
    const std::int64_t data = std::max(time.call.inputBytes, time.call.resultBytes);
    const std::string waits = joinedNames(time.waits);
    return {"%" + time.name,
            kindAndReduction(time.call),
            time.group.name,
            std::to_string(time.group.size()),
            formatBytes(data),
            formatBytes(time.sentBytes),
            formatDuration(time.issue),
            formatDuration(time.duration()),
            formatDuration(time.exposed()),
            waits.empty() ? "nothing" : waits,
            joinedNames(time.savedAs)};
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

std::string graphText(const GraphCommunication& graph) {
    std::string text = "communication of the " + std::string(name(graph.graph)) +
                       " graph: " + formatBytes(graph.sentBytes()) + " sent; " + formatDuration(graph.communicating) +
                       ", of which " + formatDuration(graph.exposed) + " exposed beside " +
                       formatDuration(graph.computing) + " of computation\n" + groupsText(graph);
    if (graph.savedGatherBytes() > 0)
        text += "  " + formatBytes(graph.savedGatherBytes()) +
                " of all-gathered memory are saved for the backward, which does not gather them again\n";
    std::vector<std::vector<std::string>> rows = {{"node", "collective", "group", "ranks", "data", "sent", "issued at",
                                                   "time", "exposed", "waited for by", "saved as"}};
    for (std::size_t i = 0; i < std::min(graph.collectives.size(), kMostRows); ++i)
        rows.push_back(rowOf(graph.collectives[i]));
    text += textTable(rows);
    if (graph.collectives.size() > kMostRows)
        text += "... and " + counted(graph.collectives.size() - kMostRows, "more collective") + "\n";
    return text;
}

json collectiveJson(const CollectiveTime& time) {
    return {{"node", time.name},
            {"collective", name(time.call.kind)},
            {"reduction", time.call.reduction.empty() ? json() : json(time.call.reduction)},
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
    return text;
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
                        {"collectives", std::move(collectives)}});
    }
    return {{"rank", world.rank},
            {"world_size", world.size},
            {"links", links.name},
            {"problem", found.problem},
            {"graphs", std::move(list)}};
}

}  // namespace aotscope
