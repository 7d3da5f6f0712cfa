#pragma once

#include "ir/text_cursor.h"
#include "ir/types.h"

#include <vector>

namespace aotscope {

/// Reads the types of a graph text and the symbols that its header declares.
class TypeReader : protected TextCursor {
public:
    using TextCursor::TextCursor;

protected:
    /// s0 = 8 in 2..64 from "x.size(0)", ...
    std::vector<Symbol> symbols();
    ValueType type();

private:
    struct Integers {
        std::vector<std::int64_t> values;
        std::vector<SymExpr> expressions;
        bool symbolic = false;
    };

    SymExpr expression();
    std::int64_t evaluated(const SymExpr& e);
    Integers integers();
    void setStrides(TensorType& t, SymbolicLayout& layout, Integers strides);
    TensorType tensorType(DType dtype);
    ValueType scalar(ScalarType::Kind kind);

    SymbolValues hints_;
};

}  // namespace aotscope
