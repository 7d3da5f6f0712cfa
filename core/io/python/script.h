#pragma once

#include "ir/graph.h"
#include "record/results/graph_example.h"

#include <string>
#include <vector>

namespace aotscope {

/// A graph to write as a Python program.
struct ScriptGraph {
    const Graph& graph;
    std::string title;  ///< "the joint graph of resnet18"
    GraphExample example;
};

/// A program that creates inputs of the graph's types, calls the graph and prints the results; with the name of a
/// compiler as argument, it uses torch.compile. For two graphs, it calls both and compares their results. If the
/// example has values, the program uses those, and compares with the results obtained here.
std::string pythonScript(const std::vector<ScriptGraph>& graphs);

}  // namespace aotscope
