#include "ops/shape_rules.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

const std::unordered_map<std::string, ShapeRule>& table() {
    static const auto rules = [] {
        std::unordered_map<std::string, ShapeRule> all;
        for (const auto& family :
             {attentionRules(), convolutionRules(), elementwiseRules(), indexingRules(), linalgRules(), lossRules(),
              normalizationRules(), optimizerRules(), quantizationRules(), randomRules(), recurrentRules(),
              reductionRules(), spatialRules(), spectralRules()})
            for (const auto& [name, rule] : family) all.emplace(name, rule);
        return all;
    }();
    return rules;
}

}  // namespace

ShapeRule findShapeRule(const c10::OperatorName& name) {
    const auto& rules = table();
    const auto it = rules.find(name.overload_name.empty() ? name.name : name.name + "." + name.overload_name);
    return it == rules.end() ? nullptr : it->second;
}

std::vector<std::string> shapeRuleNames() {
    std::vector<std::string> names;
    for (const auto& [name, rule] : table()) names.push_back(name);
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace aotscope
