#include "load/trace_log/symbols_of_sizes.h"

#include "load/trace_log/stack_json.h"
#include "load/trace_log/trace_reader.h"
#include "support/error.h"
#include "support/json/bounded_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <map>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr std::size_t kMostInputs = 10'000;

bool isSymbol(const std::string& text) {
    return text.size() > 1 && text[0] == 's' &&
           std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// Dynamo's name for the input "L['x']": "l_x_".
std::string inputName(const std::string& source) {
    std::string name;
    for (const unsigned char c : source)
        if (std::isalnum(c)) name += static_cast<char>(std::tolower(c));
        else if (!name.ends_with('_')) name += '_';
    return name;
}

/// The sizes of described inputs, by name.
std::map<std::string, json> describedSizes(const TraceLog& log, const TracedCompile& compile) {
    const TraceReader reader(log);
    std::map<std::pair<std::string, std::string>, json> tensors;
    std::map<std::string, json> sizes;
    for (const LogRecord& record : compile.records) {
        const std::string& name = log.nameOf(record);
        if ((name != "describe_tensor" && name != "describe_source") || tensors.size() > kMostInputs) continue;
        const json data = reader.metadata(record);
        const std::pair key(textIn(data, "describer_id"), textIn(data, "id"));
        if (name == "describe_tensor") tensors[key] = data.value("size", json::array());
        else if (const auto tensor = tensors.find(key); tensor != tensors.end())
            sizes[inputName(textIn(data, "source"))] = tensor->second;
    }
    return sizes;
}

/// Whether the static sizes are equal.
bool fits(const json& traced, const json& real) {
    if (!traced.is_array() || !real.is_array() || traced.size() != real.size()) return false;
    for (std::size_t i = 0; i < traced.size(); ++i)
        if (!real[i].is_number_integer() || (traced[i].is_number() && traced[i] != real[i])) return false;
    return true;
}

}  // namespace

std::vector<std::pair<std::string, std::int64_t>> symbolsOfSizes(const TraceLog& log, const TracedCompile& compile,
                                                                 std::string_view text) {
    if (text.find("[\"s") == std::string_view::npos && text.find(", \"s") == std::string_view::npos) return {};
    std::map<std::string, std::int64_t> values;
    try {
        const json graph = parseBounded(text).at("dynamo_output_graph").value("sizes", json::object());
        const auto described = describedSizes(log, compile);
        for (const auto& [name, traced] : graph.items()) {
            const auto real = described.find(inputName(name));
            if (real == described.end() || !fits(traced, real->second)) continue;
            for (std::size_t i = 0; i < traced.size(); ++i)
                if (traced[i].is_string() && isSymbol(traced[i].get<std::string>()))
                    values.try_emplace(traced[i].get<std::string>(), real->second[i].get<std::int64_t>());
        }
    } catch (const json::exception&) {  // sizes remain unknown
    } catch (const Error&) {}
    return {values.begin(), values.end()};
}

}  // namespace aotscope
