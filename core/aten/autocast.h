#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <optional>
#include <string>

namespace aotscope {

/// The autocast state of a thread for each device type.
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
    bool isOn() const { return entries[0].enabled || entries[1].enabled; }
    /// "on the cpu to bfloat16", "off"
    std::string text() const;
};

/// Sets the calling thread to a state for its lifetime.
class AutocastStateScope {
public:
    explicit AutocastStateScope(const AutocastState& state);
    ~AutocastStateScope();
    AutocastStateScope(const AutocastStateScope&) = delete;
    AutocastStateScope& operator=(const AutocastStateScope&) = delete;

private:
    AutocastState before_;
    bool cache_;
};

/// Switches autocast of the calling thread for its lifetime, like Python's context manager.
class AutocastScope {
public:
    /// Without a dtype or `cache`, those of the thread are kept. `cache`: keeps casts of parameters for later
    /// operations.
    AutocastScope(c10::DeviceType device, bool enabled, std::optional<at::ScalarType> dtype, std::optional<bool> cache);
    ~AutocastScope();
    AutocastScope(const AutocastScope&) = delete;
    AutocastScope& operator=(const AutocastScope&) = delete;

private:
    c10::DeviceType device_;
    bool enabled_, cache_;  ///< before
    at::ScalarType dtype_;
};

}  // namespace aotscope
