#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// An input or output of the program in a printed ViewAndMutationMeta. A tensor subclass, such as a DTensor, can be
/// several values of the graph.
struct PrintedLeaf {
    std::size_t first = 0;           ///< its first value
    std::string subclass;            ///< "DTensor(f32[16, 8], Shard(0)), mesh (tp=4)"; empty: a plain tensor
    std::vector<std::string> parts;  ///< for a subclass: "_local_tensor", "device_mesh"
};

/// The entries of a printed "subclass_inp_meta=[...]", without its brackets. Nothing if one cannot be parsed.
std::vector<PrintedLeaf> readSubclasses(std::string_view list);

/// Whether an annotation is that of a tensor subclass: "DTensor(f32[16, 8], S(0))".
bool annotatesSubclass(std::string_view annotation);

}  // namespace aotscope
