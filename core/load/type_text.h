#pragma once

#include <string_view>
#include <vector>

namespace aotscope {

/// A type as LibTorch writes it into pickles, "Dict[str, List[Tensor]]", taken apart. It refers to the text.
struct TypeText {
    std::string_view text;  ///< all of it
    std::string_view name;  ///< "Dict"
    std::vector<TypeText> arguments;
};

/// Throws Error (a clause) for what is no type, is too long or is nested too deeply: LibTorch's own parser calls
/// itself for every bracket.
TypeText parseTypeText(std::string_view text);

}  // namespace aotscope
