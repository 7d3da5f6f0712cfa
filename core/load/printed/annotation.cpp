#include "load/printed/annotation.h"

#include "load/printed/text_parts.h"
#include "support/error.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace aotscope {

namespace {

bool hasSymbol(std::string_view expression) {
    return std::any_of(expression.begin(), expression.end(),
                       [](char c) { return std::isalpha(static_cast<unsigned char>(c)); });
}

/// A printed size as an expression; nothing for functions that SymExpr lacks, such as Max.
std::optional<SymExpr> expressionOf(std::string_view text) {
    try {
        return parseSymExpr(text);
    } catch (const Error&) {
        return std::nullopt;
    }
}

struct Dims {
    std::vector<std::int64_t> values;
    std::vector<SymExpr> expressions;
    bool known = true;      ///< every size has a value
    bool expressed = true;  ///< every size has an expression
    bool symbolic = false;
};

/// The only place where printed dimensions become those of a type.
Dims readDims(std::string_view text, const SymbolHints& hints) {
    Dims dims;
    for (const auto part : splitOutside(text)) {
        dims.symbolic = dims.symbolic || hasSymbol(part);
        const auto value = evaluateSize(part, hints);
        dims.known = dims.known && value;
        dims.values.push_back(value.value_or(0));
        const auto expression = expressionOf(part);
        dims.expressed = dims.expressed && expression;
        dims.expressions.push_back(expression.value_or(0));
    }
    return dims;
}

/// Removes "[...]" from the front of `text` and returns its contents; nothing without brackets.
std::optional<std::string_view> takeBrackets(std::string_view& text) {
    if (!text.starts_with('[')) return std::nullopt;
    const auto end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    const auto inside = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    return inside;
}

AnnotatedType readScalar(std::string_view expression, const SymbolHints& hints) {
    AnnotatedType result;
    result.symbolic = hasSymbol(expression);
    ScalarType scalar;
    const auto has = [&](std::string_view what) { return expression.find(what) != std::string_view::npos; };
    if (const auto value = evaluateSize(expression, hints)) {
        scalar.hint = static_cast<double>(*value);
        if (result.symbolic) scalar.expression = expressionOf(expression);
    } else if (const auto sizes = result.symbolic ? expressionOf(expression) : std::nullopt) {
        scalar.expression = sizes;  // without a value, it is shown as printed
    } else if (has("Eq(") || has("Ne(") || has("<") || has(">") || expression == "True" || expression == "False") {
        scalar.kind = ScalarType::Kind::boolean;
        scalar.hint = expression == "True" ? 1 : 0;
    } else if (has(".") || has("TrueDiv") || has("ToFloat") || expression.starts_with("zf")) {
        scalar.kind = ScalarType::Kind::real;
    }
    result.expressed = scalar.expression.has_value();
    result.type.data = scalar;
    return result;
}

/// Whether byte counts stay in range.
bool sizesFit(const TensorType& type) {
    auto bytes = static_cast<std::int64_t>(itemSize(type.dtype));
    return std::all_of(type.sizes.begin(), type.sizes.end(), [&](std::int64_t size) {
        return size >= 0 && !__builtin_mul_overflow(bytes, std::max<std::int64_t>(size, 1), &bytes);
    });
}

bool stridesFit(const TensorType& type) {
    constexpr std::int64_t limit = std::int64_t{1} << 56;
    std::int64_t reach = 0;
    for (std::size_t i = 0; i < type.sizes.size(); ++i) {
        std::int64_t step = 0;
        if (type.strides[i] < 0 || __builtin_mul_overflow(type.sizes[i], type.strides[i], &step) ||
            __builtin_add_overflow(reach, step, &reach) || reach > limit)
            return false;
    }
    return true;
}

AnnotatedType readTensor(DType dtype, std::string_view rest, const SymbolHints& hints) {
    AnnotatedType result;
    TensorType tensor;
    tensor.dtype = dtype;
    const auto printedSizes = takeBrackets(rest);
    if (!printedSizes) return result;
    Dims sizes = readDims(*printedSizes, hints), strides;
    tensor.sizes = sizes.values;
    bool known = sizes.known && sizesFit(tensor);
    if (const auto printedStrides = takeBrackets(rest)) {
        strides = readDims(*printedStrides, hints);
    } else if (known) {
        result.unstrided = !sizes.values.empty();
        strides.values = contiguousStrides(sizes.values);
        strides.expressions = contiguousStrides(sizes.expressions);
    }
    known = known && strides.known;
    tensor.strides = strides.values;
    result.symbolic = sizes.symbolic || strides.symbolic;
    if (result.symbolic && sizes.expressed && strides.expressed)
        tensor.symbolic = std::make_shared<SymbolicLayout>(SymbolicLayout{sizes.expressions, strides.expressions, 0});
    std::size_t length = 0;
    while (length < rest.size() && (std::isalnum(static_cast<unsigned char>(rest[length])) || rest[length] == ':'))
        ++length;
    if (length) tensor.device.name = std::string(rest.substr(0, length));
    if (known && tensor.strides.size() == tensor.sizes.size() && stridesFit(tensor)) {
        tensor.storageBytes = tensor.bytes();
        result.expressed = tensor.symbolic != nullptr;
        result.type.data = std::move(tensor);
    }
    return result;
}

}  // namespace

AnnotatedType readAnnotation(std::string_view text, const SymbolHints& hints) {
    if (text.starts_with("Sym(") && text.ends_with(")")) return readScalar(text.substr(4, text.size() - 5), hints);
    const auto bracket = text.find('[');
    if (bracket == std::string_view::npos) return {};
    auto name = text.substr(0, bracket);
    if (const auto open = name.rfind('('); open != std::string_view::npos) name = name.substr(open + 1);
    const auto dtype = dtypeFromName(name);
    return dtype ? readTensor(*dtype, text.substr(bracket), hints) : AnnotatedType{};
}

}  // namespace aotscope
