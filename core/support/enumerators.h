#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

/// What the source code says of an enumeration whose values count from 0. The compiler spells its enumerators in the
/// names of functions: "... [with auto value = aotscope::BanReason::mustSave]", or "(aotscope::BanReason)16" for what
/// is none.
namespace aotscope {

/// "mustSave"; empty for a value that is none of the enumerators.
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

/// All of them, in their order.
template <typename E>
inline constexpr auto kEnumerators = []<std::size_t... i>(std::index_sequence<i...>) {
    return std::array{static_cast<E>(i)...};
}
(std::make_index_sequence<countEnumerators<E>()>());

/// "mustSave" and the others, in the same order.
template <typename E>
inline constexpr auto kEnumeratorNames = []<std::size_t... i>(std::index_sequence<i...>) {
    return std::array{enumeratorName<static_cast<E>(i)>()...};
}
(std::make_index_sequence<countEnumerators<E>()>());

/// The one whose name(), in the words of files and of the command line, is `text`.
template <typename E, typename Text>
std::optional<E> enumeratorNamed(const Text& text) {
    for (const E value : kEnumerators<E>)
        if (name(value) == text) return value;
    return std::nullopt;
}

}  // namespace aotscope
