#pragma once

#include "program/pytree.h"

#include <map>
#include <string>
#include <vector>

namespace aotscope {

/// The nesting that a torch.export file describes as JSON ("in_spec", "out_spec"). `namedTuples` has the field names of
/// its named tuples. Containers registered only in the exporting program become dictionaries if they have keys,
/// otherwise tuples. `what` names the text in errors.
Structure readStructure(const std::string& json, const std::map<std::string, std::vector<std::string>>& namedTuples,
                        const std::string& what);

std::size_t leafCount(const Structure& structure);

/// The types of a value with that structure whose leaves have the types `leaves` (from `next` on).
c10::TypePtr typeOfStructure(const Structure& structure, const std::vector<c10::TypePtr>& leaves, std::size_t& next);

/// Appends the leaves of `value` in the order of `structure`; entries of dictionaries are found by their keys. Throws
/// Error naming `name` if the structure differs.
void collectLeaves(const Structure& structure, const c10::IValue& value, const std::string& name,
                   std::vector<c10::IValue>& leaves);

}  // namespace aotscope
