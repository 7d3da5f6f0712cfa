#include "record/pass_failure.h"

#include <string_view>

namespace aotscope {

std::optional<PassFailure> PassFailure::from(const std::string& error) {
    const std::string_view before = kBefore, between = kBetween;
    const auto end = error.find(between);
    if (!error.starts_with(before) || end == std::string::npos) return std::nullopt;
    return PassFailure{error.substr(before.size(), end - before.size()), error.substr(end + between.size())};
}

}  // namespace aotscope
