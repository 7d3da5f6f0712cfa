#pragma once

#include "record/compile_record.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace aotscope {

/// Values for nodes from another program, to colour a graph by.
struct Overlay {
    using Value = std::variant<double, std::string>;
    using Values = std::map<std::string, Value, std::less<>>;  ///< by node name, without '%'

    std::string title, unit;
    Values everywhere;                    ///< for every graph that has a node of that name
    std::map<GraphKind, Values> inGraph;  ///< take precedence in graphs of this kind

    const Value* find(GraphKind kind, std::string_view node) const;
    std::size_t size() const;
};

/// Reads `{"mm": 3.5, "relu_1": "slow"}`, the same under "values" with "title" and "unit", or values by graph:
/// `{"values": {"joint": {"mm": 1}, "backward": {"mm_3": 2}}}`. Throws Error, naming `where` and what is wrong.
Overlay parseOverlay(std::string_view text, const std::string& where);
Overlay readOverlay(const std::filesystem::path& file);
/// In the format of parseOverlay.
std::string overlayJson(const Overlay& overlay);

/// Throws Error if no node of the graph has a value.
void requireOverlap(const Overlay& overlay, const Graph& graph, GraphKind kind);

}  // namespace aotscope
