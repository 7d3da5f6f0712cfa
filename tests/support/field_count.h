#pragma once

#include <cstddef>
#include <optional>
#include <utility>

namespace aotscope::test {

struct Anything {
    template <typename T>
    operator T();  // NOLINT(google-explicit-constructor): that is what it is for
};

/// An optional could be made from Anything in two ways.
struct AnyOptional {
    template <typename T>
    operator std::optional<T>();  // NOLINT(google-explicit-constructor)
};

/// The number of members of an aggregate: the largest number of values that it can be initialized with.
template <typename T, typename... Values>
consteval std::size_t memberCount() {
    if constexpr (requires { T{std::declval<Values>()..., Anything{}}; }) return memberCount<T, Values..., Anything>();
    else if constexpr (requires { T{std::declval<Values>()..., AnyOptional{}}; })
        return memberCount<T, Values..., AnyOptional>();
    else return sizeof...(Values);
}

}  // namespace aotscope::test
