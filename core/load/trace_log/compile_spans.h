#pragma once

#include "record/compile_story.h"

#include <nlohmann/json_fwd.hpp>

#include <map>

namespace aotscope {

/// Builds stretches of time from the events of a Chrome trace: begins and ends, or whole ones.
class SpanBuilder {
public:
    /// Throws nlohmann::json::exception.
    void add(const nlohmann::json& event);
    /// By start. What has not ended ends with the last event.
    std::vector<CompileSpan> finish();

private:
    struct Thread {
        std::vector<std::size_t> open;  ///< in spans_
    };

    std::vector<CompileSpan> spans_;
    std::map<std::pair<std::int64_t, std::int64_t>, Thread> threads_;
    double last_ = 0;
};

}  // namespace aotscope
