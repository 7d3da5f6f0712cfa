#pragma once

#include <optional>
#include <string>

namespace aotscope {

/// What CompileRecord::error says where a pass has failed: "pass 'joint' failed: the reason".
struct PassFailure {
    std::string pass;  ///< as PassId is spelled, or "fake inputs", before any pass
    std::string reason;

    std::string text() const { return kBefore + pass + kBetween + reason; }
    /// Nothing: `error` says something else, or nothing.
    static std::optional<PassFailure> from(const std::string& error);

private:
    static constexpr const char *kBefore = "pass '", *kBetween = "' failed: ";
};

}  // namespace aotscope
