#pragma once

#include <cstddef>
#include <optional>
#include <utility>

namespace aotscope::test {

struct Anything {
    template <typename T>
    operator T();  // NOLINT(google-explicit-constructor): that is what it is for
};

/// An optional could be made of Anything in two ways.
struct AnyOptional {
    template <typename T>
    operator std::optional<T>();  // NOLINT(google-explicit-constructor)
};

/// How many members an aggregate has: as many values as it can be made of.
template <typename T, typename... Values>
consteval std::size_t memberCount() {
    if constexpr (requires { T{std::declval<Values>()..., Anything{}}; }) return memberCount<T, Values..., Anything>();
    else if constexpr (requires { T{std::declval<Values>()..., AnyOptional{}}; })
        return memberCount<T, Values..., AnyOptional>();
    else return sizeof...(Values);
}

}  // namespace aotscope::test
