#include "io/coverage_text.h"

#include "io/text_report.h"
#include "ops/before_autograd/python_kernels.h"
#include "support/joined.h"
#include "support/names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace aotscope {

namespace {

std::vector<std::string> tagNames(std::uint16_t tags) {
    constexpr std::array<std::pair<OpTag, const char*>, 5> known = {{{kView, "view"},
                                                                     {kRecomputable, "recomputable"},
                                                                     {kRandom, "random"},
                                                                     {kRandomFusible, "random-fusible"},
                                                                     {kComputeIntensive, "compute-intensive"}}};
    std::vector<std::string> names;
    for (const auto& [tag, text] : known)
        if (tags & tag) names.emplace_back(text);
    return names;
}

/// How many operators trace in each way, in the order of TraceMethod.
std::map<TraceMethod, std::size_t> countMethods(const std::vector<OperatorCoverage>& operators) {
    std::map<TraceMethod, std::size_t> counts;
    for (const auto& entry : operators) ++counts[entry.method];
    return counts;
}

}  // namespace

std::vector<OperatorCoverage> selectOperators(const std::vector<OperatorCoverage>& all, const std::string& pattern,
                                              bool uncovered) {
    std::vector<OperatorCoverage> selected;
    std::copy_if(all.begin(), all.end(), std::back_inserter(selected), [&](const OperatorCoverage& entry) {
        return entry.op.find(pattern) != std::string::npos && (!uncovered || isUncovered(entry.method));
    });
    return selected;
}

std::string coverageText(const std::vector<OperatorCoverage>& operators) {
    std::vector<std::vector<std::string>> rows = {{"operator", "traces by", "family", "tags"}};
    for (const auto& entry : operators)
        rows.push_back({entry.op, std::string(name(entry.method)), std::string(name(entry.family)),
                        joined(tagNames(entry.tags), " ")});
    std::string counts;
    for (const auto& [method, count] : countMethods(operators))
        counts += (counts.empty() ? ": " : ", ") + grouped(count) + " " + std::string(name(method));
    return textTable(rows) + counted(operators.size(), "operator") + counts + "\n";
}

nlohmann::json coverageJson(const std::vector<OperatorCoverage>& operators) {
    nlohmann::json list = nlohmann::json::array(), counts = nlohmann::json::object();
    for (const auto& entry : operators)
        list.push_back({{"op", entry.op},
                        {"traces_by", name(entry.method)},
                        {"family", name(entry.family)},
                        {"tags", tagNames(entry.tags)}});
    for (const auto& [method, count] : countMethods(operators)) counts[std::string(name(method))] = count;
    return {{"schema", 1}, {"operators", list}, {"counts", counts}};
}

std::string decompositionText(const DecompositionTable& table, const std::string& pattern) {
    std::vector<std::vector<std::string>> rows = {{"operator", "rule", "of"}};
    for (const auto& entry : table.entries())
        if (entry.op.find(pattern) != std::string::npos) rows.push_back({entry.op, entry.rule, entry.set});
    return textTable(rows) + counted(rows.size() - 1, "operator") + " decomposed by " + table.name() + "\n";
}

nlohmann::json decompositionJson(const DecompositionTable& table, const std::string& pattern) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& entry : table.entries())
        if (entry.op.find(pattern) != std::string::npos)
            list.push_back({{"op", entry.op}, {"rule", entry.rule}, {"set", entry.set}});
    return {{"schema", 1}, {"table", table.name()}, {"decompositions", list}};
}

std::string pythonKernelText(const std::string& pattern) {
    std::vector<std::vector<std::string>> rows = {{"operator", "in the python dialect", "rule", "note"}};
    for (const PythonKernel& kernel : pythonKernels())
        if (std::string_view(kernel.op).find(pattern) != std::string_view::npos)
            rows.push_back({kernel.op, std::string(name(kernel.treatment)), kernel.rule, kernel.why});
    return textTable(rows) + counted(rows.size() - 1, "operator") + " with an implementation in Python\n";
}

nlohmann::json pythonKernelJson(const std::string& pattern) {
    nlohmann::json list = nlohmann::json::array();
    for (const PythonKernel& kernel : pythonKernels())
        if (std::string_view(kernel.op).find(pattern) != std::string_view::npos)
            list.push_back({{"op", kernel.op},
                            {"treatment", name(kernel.treatment)},
                            {"rule", kernel.rule},
                            {"note", kernel.why}});
    return {{"schema", 1}, {"before_autograd", list}};
}

}  // namespace aotscope
