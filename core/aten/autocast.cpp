#include "aten/autocast.h"

#include "aten/convert.h"

#include <ATen/autocast_mode.h>

namespace aotscope {

AutocastState AutocastState::current() {
    AutocastState state{{Entry{at::kCPU}, Entry{at::kCUDA}}};
    for (Entry& entry : state.entries) {
        entry.enabled = at::autocast::is_autocast_enabled(entry.device);
        entry.dtype = at::autocast::get_autocast_dtype(entry.device);
    }
    return state;
}

void AutocastState::apply() const {
    at::autocast::set_autocast_cache_enabled(false);
    for (const Entry& entry : entries) {
        at::autocast::set_autocast_dtype(entry.device, entry.dtype);
        at::autocast::set_autocast_enabled(entry.device, entry.enabled);
    }
}

std::string AutocastState::text() const {
    std::string text;
    for (const Entry& entry : entries)
        if (entry.enabled)
            text += (text.empty() ? "on the " : ", on the ") + c10::DeviceTypeName(entry.device, /*lower_case=*/true) +
                    " to " + std::string(longName(toDType(entry.dtype)));
    return text.empty() ? "off" : text;
}

}  // namespace aotscope
