#include "ops/before_autograd/rules.h"

#include "aten/convert.h"

#include <unordered_map>

namespace aotscope {

const std::vector<BeforeAutogradRow>& beforeAutogradRows() {
    static const std::vector<BeforeAutogradRow> rows = [] {
        std::vector<BeforeAutogradRow> all;
        for (const auto family : {activationsBeforeAutograd, collectivesBeforeAutograd, cubicUpsamplingBeforeAutograd,
                                  lossesBeforeAutograd, normalizationBeforeAutograd, recurrentBeforeAutograd,
                                  shapesBeforeAutograd, spectralBeforeAutograd, upsamplingBeforeAutograd})
            for (const BeforeAutogradRow& row : family()) all.push_back(row);
        return all;
    }();
    return rows;
}

Decomposition findBeforeAutograd(const c10::OperatorName& name, Dialect dialect) {
    static const std::unordered_map<c10::OperatorName, const BeforeAutogradRow*> known = [] {
        std::unordered_map<c10::OperatorName, const BeforeAutogradRow*> rows;
        for (const BeforeAutogradRow& row : beforeAutogradRows()) rows.emplace(operatorName(row.op), &row);
        return rows;
    }();
    const auto it = known.find(name);
    if (it == known.end() || (dialect == Dialect::libtorch && !it->second->everyDialect)) return nullptr;
    return it->second->run;
}

}  // namespace aotscope
