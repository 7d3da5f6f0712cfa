#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace aotscope {

/// An aspect in which graphs and runs can differ; `diff --ignore` takes these.
enum class Aspect : std::uint8_t {
    operations,
    arguments,
    constants,
    dtypes,
    shapes,
    strides,
    devices,
    aliasing,
    metadata,
    order,
    names,
    sources,
    partition,
    reasons,
    guards,
    passes,
    options,
    times,
};
inline constexpr int kAspectCount = 18;

struct AspectInfo {
    Aspect aspect;
    std::string_view name;  ///< its spelling on the command line and in JSON
    std::string_view help;
};
/// In enumeration order.
const std::array<AspectInfo, kAspectCount>& aspects();
std::string_view name(Aspect aspect);
std::optional<Aspect> aspectFromName(std::string_view name);

class AspectSet {
public:
    constexpr AspectSet() = default;
    constexpr AspectSet(std::initializer_list<Aspect> members) {
        for (const Aspect aspect : members) add(aspect);
    }
    constexpr void add(Aspect aspect) { bits_ |= std::uint32_t{1} << static_cast<int>(aspect); }
    constexpr bool has(Aspect aspect) const { return (bits_ >> static_cast<int>(aspect) & 1U) != 0; }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr AspectSet operator|(AspectSet other) const { return AspectSet(bits_ | other.bits_); }
    constexpr AspectSet without(AspectSet other) const { return AspectSet(bits_ & ~other.bits_); }
    constexpr bool operator==(const AspectSet&) const = default;

private:
    constexpr explicit AspectSet(std::uint32_t bits) : bits_(bits) {}
    std::uint32_t bits_ = 0;
};

}  // namespace aotscope
