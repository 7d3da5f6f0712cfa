#pragma once

#include <cstdint>
#include <string_view>

namespace aotscope {

/// The ways in which Python prints a graph.
enum class GraphForm : std::uint8_t {
    none,
    code,   ///< gm.print_readable(), gm.code: a class or a forward()
    nodes,  ///< print(graph): "graph():", a line for each node
    table   ///< graph.print_tabular(), TORCH_LOGS=graph
};

/// The form of the graph that begins in this line; lines in front of its first one are not looked at.
GraphForm formBegunBy(std::string_view line);

/// "class GraphModule(torch.nn.Module):", which may stand behind the file that the class is from.
bool isClassLine(std::string_view line);

/// Whether a line below the first one of a table belongs to it.
bool isTableRow(std::string_view line);

/// What the second line of a graph begins with, and how much further right than the first.
struct SecondLine {
    std::string_view begins;
    std::size_t indent;
};
SecondLine secondLineOf(GraphForm form);

/// Whether `line` may follow the first one of a graph: a list and a table have few words that are theirs alone.
bool isSecondLine(GraphForm form, std::string_view line);

}  // namespace aotscope
