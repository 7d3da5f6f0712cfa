#pragma once

#include <ATen/core/ivalue.h>

#include <string>
#include <vector>

namespace aotscope {

/// The nesting of tuples, lists and dicts around a value's leaves (tensors, numbers, booleans, strings, None).
struct Structure {
    enum class Kind : std::uint8_t { leaf, tuple, list, dict } kind = Kind::leaf;
    c10::TypePtr type;              ///< of the container, with element types and field names to rebuild it
    std::vector<c10::IValue> keys;  ///< dict
    std::vector<Structure> children;

    /// How a user refers to each leaf below a value called `name`: "x", "x[0]", "x['key']".
    std::vector<std::string> leafNames(const std::string& name) const;
    /// The path of each leaf in a function's results, as in OutputInfo::name: "logits", "states.1.0", "0"; empty if it
    /// is too long.
    std::vector<std::string> placeNames() const;
};

/// Appends the leaves of `value` to `leaves`, left to right.
/// Throws Error for a leaf of another type (a module, an object), naming `what` and that type.
Structure flatten(const c10::IValue& value, std::vector<c10::IValue>& leaves, const std::string& what);

/// The inverse; takes leaves from `leaves` starting at `next`, which it advances.
c10::IValue unflatten(const Structure& structure, const std::vector<c10::IValue>& leaves, std::size_t& next);

}  // namespace aotscope
