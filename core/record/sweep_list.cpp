#include "record/sweep_list.h"

#include "support/error.h"
#include "support/json/bounded_json.h"
#include "support/trimmed.h"

namespace aotscope {

namespace {

std::vector<SweepRun> runsInLines(std::string_view document) {
    std::vector<SweepRun> runs;
    for (std::size_t line = 1; !document.empty(); ++line) {
        const std::string_view text = trimmed(takeLine(document));
        if (!text.empty() && text.front() != '#') runs.push_back({std::string(text), line});
    }
    return runs;
}

SweepRun runOf(const nlohmann::json& entry, std::size_t place) {
    if (entry.is_string()) return {entry.get<std::string>(), place};
    const bool known = entry.is_object() && entry.contains("model") && entry["model"].is_string() &&
                       entry.size() == 1 + entry.count("options") &&
                       entry.value("options", nlohmann::json("")).is_string();
    if (!known)
        throw Error("entry " + std::to_string(place) + R"( is neither a text nor {"model": "...", "options": "..."})");
    SweepRun run{entry["model"].get<std::string>(), place};
    if (entry.contains("options")) run.text += " " + entry["options"].get<std::string>();
    return run;
}

std::vector<SweepRun> runsInJson(std::string_view document) {
    nlohmann::json list;
    try {
        list = parseBounded(document);
    } catch (const nlohmann::json::exception& e) {
        throw Error("begins like a JSON list, which it is not: " + invalidJson(e));
    }
    std::vector<SweepRun> runs;
    for (const nlohmann::json& entry : list) runs.push_back(runOf(entry, runs.size() + 1));
    return runs;
}

}  // namespace

std::vector<SweepRun> sweepRuns(std::string_view document) {
    const auto first = document.find_first_not_of(" \t\r\n");
    const bool isList = first != std::string_view::npos && document[first] == '[';
    std::vector<SweepRun> runs = isList ? runsInJson(document) : runsInLines(document);
    if (runs.empty()) throw Error("has no runs; expected one a line, as in: sample:mlp --seed 3");
    if (runs.size() > kMostSweepRuns)
        throw Error("has " + std::to_string(runs.size()) + " runs; at most " + std::to_string(kMostSweepRuns) +
                    " are possible");
    return runs;
}

}  // namespace aotscope
