#pragma once

#include "ir/types.h"
#include "load/printed/symbols.h"

namespace aotscope {

/// The content of a printed annotation.
struct AnnotatedType {
    ValueType type;          ///< unknown if a size has no hint: byte counts are never guessed
    bool symbolic = false;   ///< the text contains symbols
    bool expressed = false;  ///< and the type has their expressions; otherwise only the text is known
    bool unstrided = false;  ///< strides are not printed: those of the type are guesses
};

/// Reads "f32[s0, 64][64, 1]cuda:0", "Sym(s0//2)", "DTensor(f32[4][1]cpu, S(0))". Missing strides are contiguous until
/// GraphRules derives them from the operations; a missing device is the CPU.
AnnotatedType readAnnotation(std::string_view text, const SymbolHints& hints);

}  // namespace aotscope
