#include "load/printed/annotation.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace aotscope {

namespace {

/// The parts of "a, f(b, c), d" between commas outside of parentheses.
std::vector<std::string_view> splitList(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i == text.size() || (text[i] == ',' && depth == 0)) {
            if (i > start || !parts.empty() || i < text.size()) parts.push_back(text.substr(start, i - start));
            start = i + 1;
        } else if (text[i] == '(') {
            ++depth;
        } else if (text[i] == ')') {
            --depth;
        }
    }
    for (auto& part : parts)
        while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    return parts;
}

bool hasSymbol(std::string_view expression) {
    return std::any_of(expression.begin(), expression.end(),
                       [](char c) { return std::isalpha(static_cast<unsigned char>(c)); });
}

/// The one place where printed dimensions become those of a type.
bool readDims(std::string_view text, const SymbolHints& hints, std::vector<std::int64_t>& dims, bool& symbolic) {
    bool known = true;
    for (const auto part : splitList(text)) {
        symbolic = symbolic || hasSymbol(part);
        const auto value = evaluateSize(part, hints);
        known = known && value;
        dims.push_back(value.value_or(0));
    }
    return known;
}

/// Cuts "[...]" off the front of `text` and returns what is inside; nothing if there is none.
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
    } else if (has("Eq(") || has("Ne(") || has("<") || has(">") || expression == "True" || expression == "False") {
        scalar.kind = ScalarType::Kind::boolean;
        scalar.hint = expression == "True" ? 1 : 0;
    } else if (has(".") || has("TrueDiv") || has("ToFloat") || expression.starts_with("zf")) {
        scalar.kind = ScalarType::Kind::real;
    }
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
    const auto sizes = takeBrackets(rest);
    if (!sizes) return result;
    bool known = readDims(*sizes, hints, tensor.sizes, result.symbolic);
    known = known && sizesFit(tensor);
    if (const auto strides = takeBrackets(rest))
        known = readDims(*strides, hints, tensor.strides, result.symbolic) && known;
    else if (known) tensor.strides = contiguousStrides(tensor.sizes);
    std::size_t length = 0;
    while (length < rest.size() && (std::isalnum(static_cast<unsigned char>(rest[length])) || rest[length] == ':'))
        ++length;
    if (length) tensor.device.name = std::string(rest.substr(0, length));
    if (known && tensor.strides.size() == tensor.sizes.size() && stridesFit(tensor)) {
        tensor.storageBytes = tensor.bytes();
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
