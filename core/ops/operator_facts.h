#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// What the schema and the tags of a registered operator say of it. Uses no LibTorch.
struct OperatorFacts {
    bool writes = false;  ///< into an argument
    bool views = false;   ///< a result shares the memory of an argument that it does not write to
    bool random = false;  ///< draws random numbers
};

/// Of "shop.scale_.default"; nothing for what neither LibTorch nor a library or definition has registered, and for
/// operators of c10d, whose schemas do not say what they write.
std::optional<OperatorFacts> registeredFacts(std::string_view op);

/// An argument, by position or by name.
struct ArgumentPlace {
    std::size_t index = 0;
    std::string name;
};

/// The arguments that an operator which writes into some writes to. Where registeredFacts() knows nothing: the first
/// one, and "out".
std::vector<ArgumentPlace> writtenArguments(std::string_view op);

}  // namespace aotscope
