#pragma once

#include "load/printed/printed_text.h"

#include <string_view>

namespace aotscope {

/// Whether the text is a graph in the format of print(graph) or graph.print_tabular(): a line for each node.
bool isNodeList(std::string_view text);

/// The same graph in the format of gm.print_readable(), each line with its place in the file. Such lists have no types,
/// and print(graph) writes strings without quotes: a word that is not a value is taken for a string. Throws Error for a
/// line that is not a node.
PrintedText codeOfNodeList(const PrintedText& list);

}  // namespace aotscope
