#include "program/inputs/input_spec.h"
#include "support/error.h"
#include "support/quoted.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Replaces every named size by the hint of its dimension.
void substitute(std::vector<std::int64_t>& sizes, const std::vector<std::string>& names, const InputSpec& spec) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (const NamedDimension* dimension = findDimension(spec, names[i])) sizes[i] = dimension->hint;
}

}  // namespace

const NamedDimension* findDimension(const InputSpec& spec, std::string_view name) {
    const auto it = std::find_if(spec.dims.begin(), spec.dims.end(), [&](const auto& d) { return d.name == name; });
    return it == spec.dims.end() ? nullptr : &*it;
}

std::string faultOf(const NamedDimension& dimension) {
    const auto range = std::to_string(dimension.min) + " to " + std::to_string(dimension.max);
    if (dimension.name.empty()) return "a dimension needs a name";
    if (dimension.min < 0) return "expected a minimum size of at least 0, found " + std::to_string(dimension.min);
    if (dimension.max > NamedDimension::kLargest)
        return "expected a maximum size of at most 2^40, found " + std::to_string(dimension.max);
    if (dimension.max < dimension.min) return "the minimum size is above the maximum: " + range;
    if (dimension.hint < dimension.min || dimension.hint > dimension.max)
        return "expected a hint from " + range + ", found " + std::to_string(dimension.hint);
    return {};
}

InputSpec withSizes(const InputSpec& spec, const std::map<std::string, std::int64_t>& sizes) {
    InputSpec result = spec;
    for (const auto& [name, size] : sizes) {
        const auto it = std::find_if(result.dims.begin(), result.dims.end(),
                                     [&name = name](const auto& d) { return d.name == name; });
        if (it == result.dims.end()) throw Error("the input spec has no dimension " + inQuotes(name));
        it->hint = size;
        if (const std::string fault = faultOf(*it); !fault.empty())
            throw Error("dimension " + inQuotes(name) + ": " + fault);
    }
    for (auto& value : result.values) {
        if (auto* leaf = std::get_if<LeafSpec>(&value)) {
            substitute(leaf->shape, leaf->dimNames, result);
            continue;
        }
        auto& derived = std::get<DerivedSpec>(value);
        for (std::size_t i = 0; i < derived.argNames.size(); ++i)
            if (auto* list = std::get_if<std::vector<std::int64_t>>(&derived.args[i]))
                substitute(*list, derived.argNames[i], result);
    }
    return result;
}

}  // namespace aotscope
