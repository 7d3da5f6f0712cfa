#include "ops/shapes/rules.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

/// "aten::gather" or "aten::sum.dim_IntList".
c10::OperatorName ruleName(const std::string& text) {
    const auto dot = text.find('.');
    return {text.substr(0, dot), dot == std::string::npos ? std::string() : text.substr(dot + 1)};
}

const std::unordered_map<c10::OperatorName, ShapeRule>& table() {
    static const auto rules = [] {
        std::unordered_map<c10::OperatorName, ShapeRule> all;
        for (const auto& family :
             {attentionRules(), collectiveRules(), convolutionRules(), elementwiseRules(), indexingRules(),
              linalgRules(), lossRules(), normalizationRules(), optimizerRules(), quantizationRules(), randomRules(),
              recurrentRules(), reductionRules(), spatialRules(), spectralRules()})
            for (const auto& [name, rule] : family) all.emplace(ruleName(name), rule);
        return all;
    }();
    return rules;
}

}  // namespace

ShapeRule findShapeRule(const c10::OperatorName& name) {
    const auto& rules = table();
    const auto it = rules.find(name);
    return it == rules.end() ? nullptr : it->second;
}

std::vector<std::string> shapeRuleNames() {
    std::vector<std::string> names;
    for (const auto& [name, rule] : table()) names.push_back(c10::toString(name));
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace aotscope
