#include "record/pass_id.h"

namespace aotscope {

std::string_view name(PassId pass) { return kPassNames.at(static_cast<std::size_t>(pass)); }

std::optional<PassId> passFromName(std::string_view name) {
    for (std::size_t i = 0; i < kPassNames.size(); ++i)
        if (kPassNames[i] == name) return static_cast<PassId>(i);
    return std::nullopt;
}

}  // namespace aotscope
