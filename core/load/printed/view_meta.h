#pragma once

#include "ir/metadata.h"
#include "load/printed/subclass_meta.h"

#include <string_view>
#include <vector>

namespace aotscope {

/// The content of a printed ViewAndMutationMeta.
struct ViewMeta {
    FunctionMetadata metadata;                 ///< without names, roles and types, which are not in the text
    std::vector<PrintedLeaf> inputs, outputs;  ///< as values of the graph; empty: each is one value
    std::vector<std::size_t> staticInputs;     ///< in memory anyway: parameters and buffers
};

/// Reads the known fields of the text; missing ones keep their defaults.
ViewMeta readViewMeta(std::string_view text);

}  // namespace aotscope
