#pragma once

#include "load/printed/printed_text.h"

#include <string_view>

namespace aotscope {

/// Whether the text is a graph as print(graph) or graph.print_tabular() show it: a line for each node.
bool isNodeList(std::string_view text);

/// The same graph as gm.print_readable() would show it, each line with its place in the file. Such lists have no types,
/// and print(graph) writes strings without quotes: a word that is no value is taken for one. Throws Error for a line
/// that is no node.
PrintedText codeOfNodeList(const PrintedText& list);

}  // namespace aotscope
