#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <string>

namespace aotscope {

/// Automatic mixed precision as a thread has it switched on, for each kind of device.
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
    /// Switches the calling thread to this state; casts are not remembered between operations.
    void apply() const;
    bool operator==(const AutocastState&) const = default;
    /// "on the cpu to bfloat16", "off"
    std::string text() const;
};

}  // namespace aotscope
