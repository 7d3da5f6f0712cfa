#pragma once

#include "ir/graph.h"
#include "record/results/graph_example.h"

#include <string>
#include <vector>

namespace aotscope {

/// A graph to write as a program of Python.
struct ScriptGraph {
    const Graph& graph;
    std::string title;  ///< "the joint graph of resnet18"
    GraphExample example;
};

/// A program that makes inputs of the graph's types, calls it and prints what it returns; started with the name of a
/// compiler, it calls what torch.compile makes of it. Of two graphs, it calls both and compares what they return.
/// If the example has values, the program takes those, and compares with what the graph returned here.
std::string pythonScript(const std::vector<ScriptGraph>& graphs);

}  // namespace aotscope
