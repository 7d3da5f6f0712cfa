#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace aotscope {

/// The properties of a value in a run that are needed to create a similar one in another program.
struct ValueSketch {
    std::vector<Argument> elements;  ///< of a small tensor in row-major order, or the number; empty: too many
    bool measured = false;           ///< false: only the type is known
    double mean = 0, deviation = 1;  ///< of its finite elements; for complex ones, of both parts
    double low = 0, high = 0;
    bool kept = false;  ///< the value itself is in the file
};

/// Which values of a run are kept for a program that calls the graph: none, those that random numbers cannot replace
/// (indices, masks, saved values), or all, including the graph's results.
enum class ExampleValues : std::uint8_t { none, needed, all };

/// The arguments of a graph in a run on the model's inputs.
struct GraphExample {
    std::vector<ValueSketch> inputs;               ///< one for each placeholder; empty: unknown
    std::map<std::string, ValueSketch> constants;  ///< by the graph's name for them
    std::uint64_t seed = 0;                        ///< for its random numbers
    std::string packed;                            ///< a file for torch.load with the kept values, or empty
    std::string values;                            ///< the name of that file, beside the exported one
    std::size_t leftOut = 0;  ///< number of inputs and constants that needed their values, but are too large
    std::string whyNone;      ///< why it is unknown: one clause
};

}  // namespace aotscope
