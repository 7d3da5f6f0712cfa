#pragma once

#include "ir/metadata.h"

#include <string_view>
#include <vector>

namespace aotscope {

/// What the text of a ViewAndMutationMeta says.
struct ViewMeta {
    FunctionMetadata metadata;              ///< names, roles and types are not in the text
    std::vector<std::size_t> staticInputs;  ///< stay in memory anyway: parameters and buffers
};

/// Reads the text as far as it is known; what is not there keeps its default.
ViewMeta readViewMeta(std::string_view text);

}  // namespace aotscope
