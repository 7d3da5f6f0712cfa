#pragma once

#include <cstddef>
#include <utility>

namespace aotscope::test {

struct Anything {
    template <typename T>
    operator T();  // NOLINT(google-explicit-constructor): that is what it is for
};

/// How many members an aggregate has: as many values as it can be made of.
template <typename T, typename... Values>
consteval std::size_t memberCount() {
    if constexpr (requires { T{std::declval<Values>()..., Anything{}}; }) return memberCount<T, Values..., Anything>();
    else return sizeof...(Values);
}

}  // namespace aotscope::test
