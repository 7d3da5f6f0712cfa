#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

/// The names of an enumeration whose values count from 0. The compiler includes enumerators in names of functions: "...
/// [with auto value = aotscope::BanReason::mustSave]", or "(aotscope::BanReason)16" for other values.
namespace aotscope {

/// "mustSave"; empty for a value that is not an enumerator.
template <auto value>
constexpr std::string_view enumeratorName() {
    std::string_view text = __PRETTY_FUNCTION__;
    const auto start = text.find("value = ") + std::string_view("value = ").size();
    text = text.substr(start, text.find_first_of(";]", start) - start);
    return text.starts_with('(') ? std::string_view() : text.substr(text.rfind(':') + 1);
}

template <typename E, std::size_t first = 0>
constexpr std::size_t countEnumerators() {
    if constexpr (enumeratorName<static_cast<E>(first)>().empty()) return first;
    else return countEnumerators<E, first + 1>();
}

/// All enumerators, in order.
template <typename E>
inline constexpr auto kEnumerators = []<std::size_t... i>(std::index_sequence<i...>) {
    return std::array{static_cast<E>(i)...};
}
(std::make_index_sequence<countEnumerators<E>()>());

/// Their names: "mustSave" etc., in the same order.
template <typename E>
inline constexpr auto kEnumeratorNames = []<std::size_t... i>(std::index_sequence<i...>) {
    return std::array{enumeratorName<static_cast<E>(i)>()...};
}
(std::make_index_sequence<countEnumerators<E>()>());

/// "notFinite" as "not finite" or, with another `separator`, "not-finite".
template <auto value, char separator>
inline constexpr auto kSpelled = [] {
    constexpr std::string_view name = enumeratorName<value>();
    std::pair<std::array<char, 2 * name.size()>, std::size_t> spelled{};
    for (const char c : name) {
        const bool capital = c >= 'A' && c <= 'Z';
        if (capital) spelled.first[spelled.second++] = separator;
        spelled.first[spelled.second++] = capital ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return spelled;
}();

/// The name in the source code as words, for enumerations that define name() by it.
template <char separator = ' ', typename E>
constexpr std::string_view spelled(E value) {
    constexpr auto texts = []<std::size_t... i>(std::index_sequence<i...>) {
        return std::array{std::string_view(kSpelled<static_cast<E>(i), separator>.first.data(),
                                           kSpelled<static_cast<E>(i), separator>.second)...};
    }
    (std::make_index_sequence<countEnumerators<E>()>());
    return texts.at(static_cast<std::size_t>(value));
}

template <typename E>
constexpr std::optional<E> enumeratorSpelled(std::string_view text) {
    for (const E value : kEnumerators<E>)
        if (spelled(value) == text) return value;
    return std::nullopt;
}

/// The text of the row for `value`; every enumerator must have one.
template <typename E, std::size_t rows>
constexpr std::string_view textFor(E value, const std::pair<E, std::string_view> (&table)[rows]) {
    static_assert(rows == countEnumerators<E>());
    for (const auto& [each, text] : table)
        if (each == value) return text;
    return {};
}

/// The enumerator whose name() is `text`, if any.
template <typename E, typename Text>
std::optional<E> enumeratorNamed(const Text& text) {
    for (const E value : kEnumerators<E>)
        if (name(value) == text) return value;
    return std::nullopt;
}

}  // namespace aotscope
