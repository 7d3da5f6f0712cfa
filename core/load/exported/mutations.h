#pragma once

#include "load/exported/export_schema.h"

#include <map>
#include <set>
#include <string>

namespace aotscope::exported {

/// The mutations of an exported program, which has no in-place operations. It returns the new values, and its caller
/// copies them into the inputs at the end.
struct Mutations {
    /// For each mutated input, by its name in the graph: the value that it has at the end.
    std::map<std::string, std::string> newValues;
    /// Inputs that are cloned before anything runs, since the backward may need their old values.
    std::set<std::string> keepsOldValue;
    /// Batch norms whose running statistics nothing else needs: they can update them in place, as the original model
    /// did.
    std::set<const Node*> batchNorms;
    /// The statistics of these batch norms.
    std::set<std::string> updatedInPlace;
};

/// The name in the graph of the input that `output` mutates; empty if there is none.
std::string mutatedInput(const OutputSpec& output, const Document& document);
Mutations mutationsOf(const Document& document);

}  // namespace aotscope::exported
