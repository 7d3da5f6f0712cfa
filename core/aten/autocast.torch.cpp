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

AutocastStateScope::AutocastStateScope(const AutocastState& state)
    : before_(AutocastState::current()), cache_(at::autocast::is_autocast_cache_enabled()) {
    state.apply();
}

AutocastStateScope::~AutocastStateScope() {
    before_.apply();
    at::autocast::set_autocast_cache_enabled(cache_);
}

AutocastScope::AutocastScope(c10::DeviceType device, bool enabled, std::optional<at::ScalarType> dtype,
                             std::optional<bool> cache)
    : device_(device),
      enabled_(at::autocast::is_autocast_enabled(device)),
      cache_(at::autocast::is_autocast_cache_enabled()),
      dtype_(at::autocast::get_autocast_dtype(device)) {
    at::autocast::set_autocast_enabled(device, enabled);
    if (dtype) at::autocast::set_autocast_dtype(device, *dtype);
    if (cache) at::autocast::set_autocast_cache_enabled(*cache);
    at::autocast::increment_nesting();
}

AutocastScope::~AutocastScope() {
    if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(device_, enabled_);
    at::autocast::set_autocast_dtype(device_, dtype_);
    at::autocast::set_autocast_cache_enabled(cache_);
}

}  // namespace aotscope
