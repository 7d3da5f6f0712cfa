#include "record/pass_id.h"

#include <array>

namespace aotscope {

namespace {

constexpr std::array<std::string_view, kPassIds> kPassNames = {"source",
                                                               "pre-grad",
                                                               "forward-traced",
                                                               "functional",
                                                               "arguments",
                                                               "inference",
                                                               "joint",
                                                               "decompose",
                                                               "dynamic-shapes",
                                                               "dead-code",
                                                               "common-subexpressions",
                                                               "partition",
                                                               "compile",
                                                               "post-grad",
                                                               "printed",
                                                               "collectives"};

}  // namespace

std::string_view name(PassId pass) { return kPassNames.at(static_cast<std::size_t>(pass)); }

std::optional<PassId> passFromName(std::string_view name) {
    for (std::size_t i = 0; i < kPassNames.size(); ++i)
        if (kPassNames[i] == name) return static_cast<PassId>(i);
    return std::nullopt;
}

}  // namespace aotscope
