#include "record/options/plan_file.h"

#include "ops/repeated_draws.h"
#include "support/error.h"
#include "support/file.h"
#include "support/json/bounded_json.h"

namespace aotscope {

namespace {

using nlohmann::json;

constexpr std::uintmax_t kLargestPlan = std::uintmax_t{1} << 30;  // reports contain whole graphs

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
    throw Error("plan '" + file.string() + "': " + why +
                R"(; expected a report of 'aotscope partition --report', or {"saved": ["NAME", ...]})");
}

json read(const std::filesystem::path& file) {
    const std::string text = readFile(file, kLargestPlan);
    try {
        return parseBounded(text, {.distinct = true});
    } catch (const json::exception&) {
        refuse(file, "this is not JSON");
    } catch (const Error& e) {
        refuse(file, std::string("it ") + e.what());
    }
}

/// An RNG state is saved automatically with an operation that the backward repeats.
bool isState(const json& row) { return row.is_object() && row.value("op", json()) == kRngState; }

const json* nameIn(const json& row) {
    if (row.is_string()) return &row;
    const auto name = row.is_object() ? row.find("name") : row.end();
    return row.is_object() && name != row.end() && name->is_string() ? &*name : nullptr;
}

}  // namespace

std::vector<std::string> readPlan(const std::filesystem::path& file) {
    const json document = read(file);
    if (!document.is_object()) refuse(file, "it holds no object");
    requireKnownSchema(document, kReportSchema, "plan '" + file.string() + "': ");
    const bool report = document.contains("partition") && document["partition"].is_object();
    const json& plan = report ? document["partition"] : document;
    const auto rows = plan.find("saved");
    if (rows == plan.end() || !rows->is_array()) refuse(file, "it does not say what is saved");
    std::vector<std::string> names;
    for (const json& row : *rows) {
        if (isState(row)) continue;
        const json* name = nameIn(row);
        if (!name) refuse(file, "what it saves is not a list of names");
        names.push_back(name->get<std::string>());
    }
    return names;
}

}  // namespace aotscope
