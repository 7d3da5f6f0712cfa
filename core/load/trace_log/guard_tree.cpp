#include "load/trace_log/guard_tree.h"

#include "load/trace_log/stack_json.h"
#include "load/trace_log/text_lines.h"

#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

constexpr std::size_t kDeepestTree = 1000;

/// "TENSOR_MATCH"; managers of the tree are "GuardManager".
bool isCondition(std::string_view type) {
    return !type.empty() && type.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == std::string_view::npos;
}

/// The value of "source=", up to the next member of the line.
std::string sourceIn(std::string_view line) {
    const auto at = line.find("source=");
    if (at == std::string_view::npos) return {};
    auto source = line.substr(at + 7);
    return std::string(source.substr(0, source.find(", accessed_by=")));
}

LoggedGuard guardOf(std::string_view type, std::string_view rest, std::string source) {
    LoggedGuard guard;
    guard.type = type;
    guard.source = std::move(source);
    const auto comment = rest.find("  # ");
    guard.check = trimmed(rest.substr(0, comment));
    if (comment != std::string_view::npos) guard.why = trimmed(rest.substr(comment + 4));
    return guard;
}

}  // namespace

std::vector<LoggedGuard> readGuardTree(std::string_view text) {
    std::vector<LoggedGuard> guards;
    std::vector<std::string> sources;  // by depth
    while (!text.empty()) {
        const auto line = takeLine(text);
        const auto at = line.find("+- ");
        if (at == std::string_view::npos || at / 2 >= kDeepestTree) continue;
        const auto depth = at / 2;
        const auto entry = line.substr(at + 3);
        const auto colon = entry.find(": ");
        const auto type = entry.substr(0, colon);
        if (sources.size() <= depth) sources.resize(depth + 1);
        if (!isCondition(type)) {
            sources[depth] = sourceIn(entry);
            continue;
        }
        const auto rest = colon == std::string_view::npos ? std::string_view() : entry.substr(colon + 2);
        guards.push_back(guardOf(type, rest, depth > 0 ? sources[depth - 1] : std::string()));
    }
    return guards;
}

std::vector<LoggedGuard> readGuardList(const nlohmann::json& list) {
    std::vector<LoggedGuard> guards;
    if (!list.is_array()) return guards;
    for (const auto& each : list)
        guards.push_back(guardOf(textIn(each, "type"), textIn(each, "code"), textIn(each, "name")));
    return guards;
}

}  // namespace aotscope
