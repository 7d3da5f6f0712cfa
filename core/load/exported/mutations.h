#pragma once

#include "load/exported/export_schema.h"

#include <map>
#include <set>
#include <string>

namespace aotscope::exported {

/// The mutations of an exported program without in-place operations. It returns the new values, which its caller copies
/// into the inputs at the end.
struct Mutations {
    /// For each mutated input, by its name in the graph: its final value.
    std::map<std::string, std::string> newValues;
    /// Inputs that are cloned first, since the backward may need their old values.
    std::set<std::string> keepsOldValue;
    /// Batch norms whose running statistics nothing else needs: they can update them in place, as in the original
    /// model.
    std::set<const Node*> batchNorms;
    /// The statistics of these batch norms.
    std::set<std::string> updatedInPlace;
};

/// The name in the graph of the input that `output` mutates, or empty.
std::string mutatedInput(const OutputSpec& output, const Document& document);
Mutations mutationsOf(const Document& document);

}  // namespace aotscope::exported
