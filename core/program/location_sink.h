#pragma once

#include "ir/node_attributes.h"

#include <memory>
#include <utility>
#include <vector>

namespace aotscope {

/// The operation of the model that is running, and its region; updated by the running program.
class LocationSink {
public:
    explicit LocationSink(const std::vector<std::shared_ptr<const SourceInfo>>& table) : table_(table) {}
    void enter(std::size_t index) {
        current_ = index < table_.size() ? table_[index] : nullptr;
        ++step_;
    }
    void leave() { current_ = nullptr; }
    const std::shared_ptr<const SourceInfo>& current() const { return current_; }
    /// Enters an activation checkpointing region; returns the enclosing one, to be restored afterwards.
    std::int32_t enterRegion(std::int32_t region) { return std::exchange(region_, region); }
    /// -1 outside of regions.
    std::int32_t region() const { return region_; }
    /// The number of operations that the program has started.
    std::size_t step() const { return step_; }

    /// Marks a program compiled by TorchScript, which chooses different overloads for numbers than a call in Python.
    void setTorchScript() { torchScript_ = true; }
    bool isTorchScript() const { return torchScript_; }

private:
    const std::vector<std::shared_ptr<const SourceInfo>>& table_;
    std::shared_ptr<const SourceInfo> current_;
    std::size_t step_ = 0;
    std::int32_t region_ = -1;
    bool torchScript_ = false;
};

}  // namespace aotscope
