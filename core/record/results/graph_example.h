#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace aotscope {

/// What a value of a run looks like: enough to make one like it in another program.
struct ValueSketch {
    std::vector<Argument> elements;  ///< of a small tensor, row major, or the number; empty: too many
    bool measured = false;           ///< false: nothing is known but the type
    double mean = 0, deviation = 1;  ///< of its finite elements; of complex ones, of both parts
    double low = 0, high = 0;
    bool kept = false;  ///< the value itself is in the file
};

/// Which values of a run are kept for a program that calls the graph: none, those that random numbers cannot stand for
/// (indices, masks, what a forward saves), or all, with what the graph returned.
enum class ExampleValues : std::uint8_t { none, needed, all };

/// What a graph is called with in a run on the model's inputs.
struct GraphExample {
    std::vector<ValueSketch> inputs;               ///< one for each placeholder; empty: nothing is known
    std::map<std::string, ValueSketch> constants;  ///< by the graph's name for them
    std::uint64_t seed = 0;                        ///< of the random numbers that it draws
    std::string packed;                            ///< a file for torch.load with the kept values; empty: none is kept
    std::string values;                            ///< the name of that file, beside the exported one
    std::size_t leftOut = 0;  ///< inputs and constants that needed their values, which are too large to be kept
    std::string whyNone;      ///< why nothing is known: one clause
};

}  // namespace aotscope
