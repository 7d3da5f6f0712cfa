#pragma once

#include "program/files/pickle_decoder.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace aotscope {

/// The keys of dicts in a snapshot that are read. Other keys are ignored.
enum class SnapshotField : std::uint8_t {
    none,
    action,
    addr,
    address,
    blocks,
    category,
    device,
    device_free,
    device_traces,
    filename,
    frames,
    fx_node_name,
    is_expandable,
    line,
    name,
    requested_size,
    segments,
    size,
    state,
    stream,
    time_us,
    total_size,
    user_metadata,
    allocator_settings,
    PYTORCH_CUDA_ALLOC_CONF,
    PYTORCH_ALLOC_CONF,
};
inline constexpr std::size_t kSnapshotFields = 26;

/// The values of a dict, by key.
class SnapshotFields {
public:
    using Value = PickleVisitor::Value;

    void set(SnapshotField field, Value value) {
        present_ |= 1u << static_cast<unsigned>(field);
        values_[static_cast<std::size_t>(field)] = value;
    }
    bool has(SnapshotField field) const { return (present_ >> static_cast<unsigned>(field) & 1) != 0; }
    /// 0, which is no value, if it is missing.
    Value operator[](SnapshotField field) const { return values_[static_cast<std::size_t>(field)]; }

private:
    std::array<Value, kSnapshotFields> values_{};
    std::uint32_t present_ = 0;
};

}  // namespace aotscope
