#include "io/tables/operator_tables.h"

#include "ops/before_autograd/python_kernels.h"
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

Table coverageTable(const std::vector<OperatorCoverage>& operators) {
    Table table{"operators",
                {{"op", "operator", "name with its namespace and overload"},
                 {"traces_by", "traces by", "how a trace finds sizes and strides of its results"},
                 {"family", "family", "what kind of operator it is"},
                 {"tags", "tags", "its properties for the partitioner"}}};
    for (const OperatorCoverage& each : operators)
        table.add(each.op, name(each.method), name(each.family), tagNames(each.tags));
    std::string counts;
    for (const auto& [method, count] : countMethods(operators))
        counts += (counts.empty() ? ": " : ", ") + grouped(count) + " " + std::string(name(method));
    table.summary = counted(operators.size(), "operator") + counts + "\n";
    return table;
}

nlohmann::json methodCounts(const std::vector<OperatorCoverage>& operators) {
    nlohmann::json counts = nlohmann::json::object();
    for (const auto& [method, count] : countMethods(operators)) counts[std::string(name(method))] = count;
    return counts;
}

Table decompositionsTable(const DecompositionTable& decompositions, const std::vector<DecompositionRule>& rules,
                          const std::string& pattern) {
    Table table{"decompositions",
                {{"op", "operator", "what is decomposed"},
                 {"rule", "rule", "the function that computes it"},
                 {"set", "of", "the table that the rule comes from"}}};
    for (const auto& entry : decompositions.entries(rules))
        if (entry.op.find(pattern) != std::string::npos) table.add(entry.op, entry.rule, entry.set);
    table.summary = counted(table.rows.size(), "operator") + " decomposed by " + decompositions.name + "\n";
    return table;
}

Table pythonKernelsTable(const std::string& pattern) {
    Table table{"before_autograd",
                {{"op", "operator", "an operator that PyTorch implements in Python"},
                 {"treatment", "in the python dialect", "how it is handled here"},
                 {"rule", "rule", "the function that implements Python's decomposition"},
                 {"note", "note", "why no rule is needed, or where it differs"}}};
    for (const PythonKernel& kernel : pythonKernels())
        if (std::string_view(kernel.op).find(pattern) != std::string_view::npos)
            table.add(kernel.op, name(kernel.treatment), kernel.rule, kernel.why);
    table.summary = counted(table.rows.size(), "operator") + " with an implementation in Python\n";
    return table;
}

}  // namespace aotscope
