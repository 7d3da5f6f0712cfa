#pragma once

#include "ir/graph.h"
#include "ir/place_with_code.h"

#include <optional>
#include <tuple>

namespace aotscope {

/// An operation in the model's source, as far as known.
using SourceKey = std::tuple<std::string, std::string, std::int32_t, std::string>;

/// For forward operations; backward operations belong to the one that they differentiate.
inline std::optional<SourceKey> sourceOf(const Node& node) {
    if (!node.source || node.kind() != NodeKind::call || node.stage == Stage::backward) return std::nullopt;
    return SourceKey{node.source->module, node.source->file, node.source->line, std::string(codeIn(node.source->text))};
}

}  // namespace aotscope
