#pragma once

#include <string_view>
#include <vector>

namespace aotscope {

/// A type in LibTorch's pickle syntax, "Dict[str, List[Tensor]]", split into its parts. Refers to the text.
struct TypeText {
    std::string_view text;  ///< the whole type
    std::string_view name;  ///< "Dict"
    std::vector<TypeText> arguments;
};

/// Throws Error (a clause) for an invalid type, or one that is too long or nested too deeply: LibTorch's own parser is
/// recursive.
TypeText parseTypeText(std::string_view text);

}  // namespace aotscope
