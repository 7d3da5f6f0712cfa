#include "cost/added_tangents.h"

#include <algorithm>

namespace aotscope {

std::vector<bool> addedTangents(const FunctionMetadata& metadata) {
    std::vector<bool> added;
    const std::vector<bool> mask = metadata.tangentMask();
    const std::size_t first = metadata.mutatedInputIndices().size(), bases = first + metadata.outputs.size();
    for (std::size_t i = 0; i < mask.size(); ++i) {
        if (!mask[i]) continue;
        const bool isBase = i >= bases;
        const auto views = std::ranges::count_if(metadata.outputs, [&](const OutputInfo& output) {
            const bool ofOutput = output.type == OutputType::aliasOfIntermediateBaseIsUserOutput;
            const bool ofBase = output.type == OutputType::aliasOfIntermediate ||
                                output.type == OutputType::aliasOfIntermediateSaveAsOutput;
            return output.requiresGradForBackward && (isBase ? ofBase : ofOutput) &&
                   output.base == i - (isBase ? bases : first);
        });
        added.push_back(views + (isBase ? 0 : 1) > 1);
    }
    return added;
}

}  // namespace aotscope
