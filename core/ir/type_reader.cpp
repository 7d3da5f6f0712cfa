#include "ir/type_reader.h"

#include "support/error.h"

#include <cctype>

namespace aotscope {

std::vector<Symbol> TypeReader::symbols() {
    std::vector<Symbol> list;
    do {
        Symbol symbol;
        symbol.name = word("a symbol's name");
        expect('=');
        symbol.hint = integer();
        expectWord("in");
        symbol.min = integer();
        expectWord("..");
        if (std::isdigit(static_cast<unsigned char>(peek()))) symbol.max = integer();
        if (accept("from")) symbol.origin = quotedText();
        hints_[symbol.name] = symbol.hint;
        list.push_back(std::move(symbol));
    } while (accept(','));
    return list;
}

/// A size expression; ends at the first ',' or closing bracket outside of its parentheses.
SymExpr TypeReader::expression() {
    skipBlanks();
    const auto start = at_;
    for (int depth = 0; at_ < text_.size() && peek() != '\n'; ++at_) {
        if (peek() == '(') ++depth;
        if (peek() == ')' && depth-- == 0) break;
        if (depth == 0 && (peek() == ',' || peek() == ']' || peek() == '>')) break;
    }
    auto source = text_.substr(start, at_ - start);
    while (source.ends_with(' ')) source.remove_suffix(1);
    try {
        return parseSymExpr(source);
    } catch (const Error&) {
        at_ = start;
        fail("an integer or a size expression");
    }
}

std::int64_t TypeReader::evaluated(const SymExpr& e) {
    try {
        return e.evaluate(hints_);
    } catch (const Error&) {
        fail("sizes of the symbols that 'where' declares");
    }
}

TypeReader::Integers TypeReader::integers() {
    Integers list;
    expect('[');
    if (accept(']')) return list;
    do {
        list.expressions.push_back(expression());
        list.values.push_back(evaluated(list.expressions.back()));
        list.symbolic = list.symbolic || !list.expressions.back().isNumber();
    } while (accept(','));
    expect(']');
    return list;
}

void TypeReader::setStrides(TensorType& t, SymbolicLayout& layout, Integers strides) {
    if (strides.values.size() != t.sizes.size()) fail("as many strides as sizes");
    t.strides = std::move(strides.values);
    layout.strides = std::move(strides.expressions);
}

TensorType TypeReader::tensorType(DType dtype) {
    TensorType t;
    t.dtype = dtype;
    Integers sizes = integers();
    bool symbolic = sizes.symbolic;
    t.sizes = std::move(sizes.values);
    SymbolicLayout layout{std::move(sizes.expressions), {}, 0};
    for (auto size : t.sizes)
        if (size < 0) fail("sizes of at least 0");
    if (peek() == '[') {
        Integers strides = integers();
        symbolic = symbolic || strides.symbolic;
        setStrides(t, layout, std::move(strides));
    } else {
        t.strides = contiguousStrides(t.sizes);
        layout.strides = contiguousStrides(layout.sizes);
    }
    if (std::isalpha(static_cast<unsigned char>(peek()))) t.device.name = word("a device");
    t.storageBytes = t.bytes();
    if (accept('<')) {
        t.storage = integer();
        expect(',');
        t.storageOffset = integer();
        expect(',');
        t.storageBytes = integer();
        while (accept(',')) {
            skipBlanks();
            if (peek() == '[') setStrides(t, layout, integers());
            else if (accept("at")) layout.storageOffset = expression(), symbolic = true;
            else expectWord("requires_grad"), t.requiresGrad = true;
        }
        expect('>');
    }
    if (symbolic) t.symbolic = std::make_shared<SymbolicLayout>(std::move(layout));
    return t;
}

ValueType TypeReader::type() {
    if (accept('?')) return {};
    if (accept('(')) {
        TupleType elements;
        if (accept(')')) return {elements};
        enter();
        do elements.push_back(type());
        while (accept(','));
        expect(')');
        leave();
        return {elements};
    }
    if (accept("Sym(")) {
        const SymExpr e = expression();
        expect(')');
        return {ScalarType{ScalarType::Kind::integer, static_cast<double>(evaluated(e)), e}};
    }
    if (accept("int(")) return scalar(ScalarType::Kind::integer);
    if (accept("float(")) return scalar(ScalarType::Kind::real);
    if (accept("bool(")) return scalar(ScalarType::Kind::boolean);
    const auto start = at_;
    const auto name = word("a type such as f32[2, 3]");
    for (const auto other : {OtherType::none, OtherType::text, OtherType::device})
        if (name == aotscope::name(other)) return {other};
    const auto dtype = dtypeFromName(name);
    if (!dtype || peek() != '[') {
        at_ = start;
        fail("a type such as f32[2, 3]");
    }
    return {tensorType(*dtype)};
}

ValueType TypeReader::scalar(ScalarType::Kind kind) {
    ScalarType s{kind, 0, {}};
    if (kind == ScalarType::Kind::boolean) {
        s.hint = accept("True") ? 1 : 0;
        if (s.hint == 0) expectWord("False");
    } else {
        s.hint = number<double>("a number");
    }
    expect(')');
    return {s};
}

}  // namespace aotscope
