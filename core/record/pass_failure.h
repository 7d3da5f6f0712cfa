#pragma once

#include <optional>
#include <string>

namespace aotscope {

/// CompileRecord::error if a pass failed: "pass 'joint' failed: the reason".
struct PassFailure {
    std::string pass;  ///< name of the PassId, or "fake inputs", which precedes all passes
    std::string reason;

    std::string text() const { return kBefore + pass + kBetween + reason; }
    /// Nothing for any other error, or none.
    static std::optional<PassFailure> from(const std::string& error);

private:
    static constexpr const char *kBefore = "pass '", *kBetween = "' failed: ";
};

}  // namespace aotscope
