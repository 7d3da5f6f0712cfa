// Values after the colon or comparison in a query: dtypes, shapes, numbers with units.

#include "query/fields.h"
#include "support/token_reader.h"

#include <array>
#include <cmath>

namespace aotscope {

namespace {

constexpr std::int64_t kAnySize = -1, kAnySizes = -2;

/// The sizes of a pattern; nothing if one of them is invalid.
std::optional<std::vector<std::int64_t>> sizesOf(std::string_view text) {
    if (text.size() >= 2 &&
        ((text.front() == '[' && text.back() == ']') || (text.front() == '(' && text.back() == ')')))
        text = text.substr(1, text.size() - 2);
    std::vector<std::int64_t> sizes;
    const auto separates = [](char c) { return c == 'x' || c == ',' || c == ' '; };
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && !separates(text[end])) ++end;
        const auto part = text.substr(at, end - at);
        if (part == "*" || part == "_") {
            sizes.push_back(kAnySize);
        } else if (part == "...") {
            sizes.push_back(kAnySizes);
        } else if (!part.empty()) {
            const auto size = asNumber<std::int64_t>(part);
            if (!size || *size < 0) return std::nullopt;
            sizes.push_back(*size);
        }
        at = end + 1;
    }
    return sizes;
}

using Sizes = std::span<const std::int64_t>;

/// Dynamic programming over the pattern: time is at most the product of both lengths, whatever the pattern.
bool fits(Sizes pattern, Sizes sizes) {
    std::vector<char> reached(sizes.size() + 1, 0);  // which prefixes of `sizes` match the pattern so far
    reached[0] = 1;
    for (const std::int64_t part : pattern) {
        std::vector<char> next(sizes.size() + 1, 0);
        for (std::size_t i = 0; i <= sizes.size(); ++i) {
            if (part == kAnySizes) next[i] = reached[i] || (i > 0 && next[i - 1]);
            else next[i] = i > 0 && reached[i - 1] && (part == kAnySize || part == sizes[i - 1]);
        }
        reached = std::move(next);
    }
    return reached.back();
}

struct Suffix {
    std::string_view text;
    double factor;
};

constexpr std::array kByteSuffixes = {Suffix{"", 1},          Suffix{"b", 1},           Suffix{"k", 1e3},
                                      Suffix{"kb", 1e3},      Suffix{"m", 1e6},         Suffix{"mb", 1e6},
                                      Suffix{"g", 1e9},       Suffix{"gb", 1e9},        Suffix{"kib", 1024},
                                      Suffix{"mib", 1048576}, Suffix{"gib", 1073741824}};
constexpr std::array kTimeSuffixes = {Suffix{"", 1}, Suffix{"us", 1}, Suffix{"\xC2\xB5s", 1}, Suffix{"ms", 1e3},
                                      Suffix{"s", 1e6}};
constexpr std::array kNoSuffix = {Suffix{"", 1}};

std::span<const Suffix> suffixesOf(Unit unit) {
    switch (unit) {
        case Unit::bytes: return kByteSuffixes;
        case Unit::time: return kTimeSuffixes;
        case Unit::none: break;
    }
    return kNoSuffix;
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

}  // namespace

std::optional<std::function<bool(DType)>> dtypeTest(std::string_view text) {
    const std::string word = lower(text);
    const auto ofKind = [](DTypeKind kind) { return [kind](DType type) { return kindOf(type) == kind; }; };
    if (word == "float") return ofKind(DTypeKind::real);
    if (word == "int") return ofKind(DTypeKind::integer);
    if (word == "complex") return ofKind(DTypeKind::complex);
    const auto wanted = dtypeFromName(word);
    if (!wanted) return std::nullopt;
    return [wanted](DType type) { return type == *wanted; };
}

std::optional<std::function<bool(const TensorType&)>> shapeTest(std::string_view text) {
    auto pattern = sizesOf(text);
    if (!pattern) return std::nullopt;
    return [pattern = std::move(*pattern)](const TensorType& type) { return fits(pattern, type.sizes); };
}

std::optional<double> quantity(std::string_view text, Unit unit) {
    double number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{} || !std::isfinite(number)) return std::nullopt;
    const std::string suffix = lower(text.substr(static_cast<std::size_t>(end - text.data())));
    for (const Suffix& known : suffixesOf(unit))
        if (suffix == known.text) return number * known.factor;
    return std::nullopt;
}

}  // namespace aotscope
