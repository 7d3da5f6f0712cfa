#pragma once

#include "ir/graph.h"

#include <memory>
#include <vector>

namespace aotscope {

/// Which operation of the model is running; updated by the running program.
class LocationSink {
public:
    explicit LocationSink(const std::vector<std::shared_ptr<const SourceInfo>>& table) : table_(table) {}
    void enter(std::size_t index) {
        current_ = index < table_.size() ? table_[index] : nullptr;
        ++step_;
    }
    void leave() { current_ = nullptr; }
    const std::shared_ptr<const SourceInfo>& current() const { return current_; }
    /// The number of operations that the program has started.
    std::size_t step() const { return step_; }

private:
    const std::vector<std::shared_ptr<const SourceInfo>>& table_;
    std::shared_ptr<const SourceInfo> current_;
    std::size_t step_ = 0;
};

}  // namespace aotscope
