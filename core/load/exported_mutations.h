#pragma once

#include "load/export_schema.h"

#include <map>
#include <set>
#include <string>

namespace aotscope::exported {

/// What an exported program without in-place operations mutates. It returns the new values, and whoever runs it copies
/// them into the inputs at the end.
struct Mutations {
    /// By the input's name in the graph the value that it has in the end.
    std::map<std::string, std::string> newValues;
    /// Inputs that are copied before anything runs, since the backward may need their old values.
    std::set<std::string> keepsOldValue;
    /// Batch norms that return running statistics which nothing else needs: they can update them in place, as the
    /// model did that was exported.
    std::set<const Node*> batchNorms;
    /// The statistics of these.
    std::set<std::string> updatedInPlace;
};

/// The name in the graph of the input that `output` mutates; empty if there is none.
std::string mutatedInput(const OutputSpec& output, const Document& document);
Mutations mutationsOf(const Document& document);

}  // namespace aotscope::exported
