#pragma once

#include <cstdint>
#include <string_view>

namespace aotscope {

/// The formats in which Python prints a graph.
enum class GraphForm : std::uint8_t {
    none,
    code,   ///< gm.print_readable(), gm.code: a class or a forward()
    nodes,  ///< print(graph): "graph():", a line for each node
    table   ///< graph.print_tabular(), TORCH_LOGS=graph
};

/// The form of the graph that begins in this line, without looking at earlier lines.
GraphForm formBegunBy(std::string_view line);

/// "class GraphModule(torch.nn.Module):", possibly after the name of the class's file.
bool isClassLine(std::string_view line);

/// Whether a line after the first one of a table belongs to it.
bool isTableRow(std::string_view line);

/// How the second line of a graph begins, and how much it is indented relative to the first.
struct SecondLine {
    std::string_view begins;
    std::size_t indent;
};
SecondLine secondLineOf(GraphForm form);

/// Whether `line` may follow the first one of a graph: lists and tables begin with few distinct words.
bool isSecondLine(GraphForm form, std::string_view line);

}  // namespace aotscope
