#pragma once

#include "ir/argument.h"
#include "load/exported/export_schema.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// Maps names in a graph of an exported program to values in the resulting graph.
class ExportedScope {
public:
    /// Throws Error for a name that is already defined.
    void define(const std::string& name, Argument value);
    /// Null for a name that is not defined, or not a node.
    const Node* nodeOf(const std::string& name) const;
    /// Throws Error for an undefined name, and for values that a graph cannot hold.
    Argument convert(const exported::Argument& argument) const;
    /// The same; errors name the argument.
    Argument convert(const exported::NamedArgument& argument) const;

    /// The names that a vmap has defined so far. They are invalid after its end.
    using Batch = std::vector<std::string>;
    void enterBatch(Batch defined = {}) { batches_.push_back(std::move(defined)); }
    Batch takeBatch();
    void leaveBatch();
    bool inBatch() const { return !batches_.empty(); }

private:
    std::unordered_map<std::string, Argument> values_;
    std::vector<Batch> batches_;  ///< the innermost one is last
};

}  // namespace aotscope
