#pragma once

#include "ir/types.h"
#include "load/printed/symbols.h"

namespace aotscope {

/// The content of a printed annotation.
struct AnnotatedType {
    ValueType type;          ///< unknown when a size has no hint: no byte count is ever made up
    bool symbolic = false;   ///< the text names symbols
    bool expressed = false;  ///< and the type has their expressions; else only the text is known
    bool unstrided = false;  ///< strides are not printed: those of the type are made up
};

/// Reads "f32[s0, 64][64, 1]cuda:0", "Sym(s0//2)", "DTensor(f32[4][1]cpu, S(0))". Strides that were not printed are
/// contiguous until deriveStrides takes them from the operations; a device that was not printed is the CPU.
AnnotatedType readAnnotation(std::string_view text, const SymbolHints& hints);

}  // namespace aotscope
