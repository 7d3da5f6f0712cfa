#pragma once

#include "ir/metadata.h"
#include "load/printed/subclass_meta.h"

#include <string_view>
#include <vector>

namespace aotscope {

/// The content of a printed ViewAndMutationMeta.
struct ViewMeta {
    FunctionMetadata metadata;                 ///< names, roles and types are not in the text
    std::vector<PrintedLeaf> inputs, outputs;  ///< as values of the graph; empty: each is one
    std::vector<std::size_t> staticInputs;     ///< stay in memory anyway: parameters and buffers
};

/// Reads the known fields of the text; missing ones keep their defaults.
ViewMeta readViewMeta(std::string_view text);

}  // namespace aotscope
