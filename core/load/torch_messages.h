#pragma once

#include <c10/util/Exception.h>

#include <string>
#include <vector>

namespace aotscope {

/// Enables LibTorch's log on stderr, and C++ stack traces in its errors. Off unless requested here or with
/// TORCH_CPP_LOG_LEVEL, since it would mix with this program's output.
void setTorchLog(bool on);

/// Lets TorchScript programs print to std::cout, without terminal control sequences.
void setTorchPrint();

/// Collects LibTorch's warnings on this thread during its lifetime: each sentence once, up to a limit.
class TorchWarnings final : private c10::WarningHandler {
public:
    TorchWarnings() : guard_(this) {}
    TorchWarnings(const TorchWarnings&) = delete;
    TorchWarnings& operator=(const TorchWarnings&) = delete;
    ~TorchWarnings() override = default;

    /// In order of appearance.
    const std::vector<std::string>& sentences() const { return sentences_; }

private:
    void process(const c10::Warning& warning) override;

    std::vector<std::string> sentences_;
    c10::WarningUtils::WarningHandlerGuard guard_;
};

}  // namespace aotscope
