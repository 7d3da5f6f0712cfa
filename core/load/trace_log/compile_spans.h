#pragma once

#include "record/compile_story.h"

#include <nlohmann/json_fwd.hpp>

#include <map>

namespace aotscope {

/// Builds spans from the events of a Chrome trace: begin and end events, or complete ones.
class SpanBuilder {
public:
    /// Throws nlohmann::json::exception.
    void add(const nlohmann::json& event);
    /// Ordered by start. Unfinished spans end with the last event.
    std::vector<CompileSpan> finish();

private:
    struct Thread {
        std::vector<std::size_t> open;  ///< indices of spans_
    };

    std::vector<CompileSpan> spans_;
    std::map<std::pair<std::int64_t, std::int64_t>, Thread> threads_;
    double last_ = 0;
};

}  // namespace aotscope
