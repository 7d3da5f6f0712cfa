#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// Facts from the schema and the tags of a registered operator. Does not use LibTorch.
struct OperatorFacts {
    bool writes = false;  ///< into an argument
    bool views = false;   ///< a result shares memory with an argument that is not written to
    bool random = false;  ///< draws random numbers
};

/// For "shop.scale_.default"; nothing for operators that neither LibTorch nor a library or definition has registered,
/// and for operators of c10d, whose schemas do not say what they write.
std::optional<OperatorFacts> registeredFacts(std::string_view op);

/// An argument, by position or by name.
struct ArgumentPlace {
    std::size_t index = 0;
    std::string name;
};

/// The arguments that a mutating operator writes to. Without registeredFacts(): the first one, and "out".
std::vector<ArgumentPlace> writtenArguments(std::string_view op);

}  // namespace aotscope
