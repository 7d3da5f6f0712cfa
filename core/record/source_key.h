#pragma once

#include "ir/graph.h"

#include <optional>
#include <string_view>
#include <tuple>

namespace aotscope {

/// An operation of the model's source, as far as it is known.
using SourceKey = std::tuple<std::string, std::string, std::int32_t, std::string>;

/// A line of the source without what the printout of a tensor subclass adds to it: "  # DTensor(f32[4], S(0))".
inline std::string_view codeIn(std::string_view text) {
    const auto note = text.rfind("  # ");
    const bool noted = note != std::string_view::npos && text.size() > note + 4 && text[note + 4] >= 'A' &&
                       text[note + 4] <= 'Z' && text.back() == ')';
    return noted ? text.substr(0, note) : text;
}

/// Of forward operations; those of the backward belong to the operation that they differentiate.
inline std::optional<SourceKey> sourceOf(const Node& node) {
    if (!node.source || node.kind() != NodeKind::call || node.stage == Stage::backward) return std::nullopt;
    return SourceKey{node.source->module, node.source->file, node.source->line, std::string(codeIn(node.source->text))};
}

}  // namespace aotscope
