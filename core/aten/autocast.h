#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <string>

namespace aotscope {

/// The autocast state of a thread, for each type of device.
struct AutocastState {
    struct Entry {
        at::DeviceType device;
        bool enabled = false;
        at::ScalarType dtype = at::kFloat;
        bool operator==(const Entry& other) const {
            return enabled == other.enabled && (!enabled || dtype == other.dtype);
        }
    };
    std::array<Entry, 2> entries;

    static AutocastState current();
    /// Sets the calling thread to this state. Casts are not cached between operations.
    void apply() const;
    bool operator==(const AutocastState&) const = default;
    /// "on the cpu to bfloat16", "off"
    std::string text() const;
};

}  // namespace aotscope
