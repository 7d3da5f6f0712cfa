#pragma once

#include <c10/util/Exception.h>

#include <string>
#include <vector>

namespace aotscope {

/// LibTorch's log on stderr. Off unless a person asks for it, here or with TORCH_CPP_LOG_LEVEL: it would stand between
/// the lines of this program.
void setTorchLog(bool on);

/// Lets what TorchScript programs print reach std::cout without what a terminal would obey.
void setTorchPrint();

/// Keeps what LibTorch warns of in this thread, as long as it lives: each sentence once, and not without end.
class TorchWarnings final : private c10::WarningHandler {
public:
    TorchWarnings() : guard_(this) {}
    TorchWarnings(const TorchWarnings&) = delete;
    TorchWarnings& operator=(const TorchWarnings&) = delete;
    ~TorchWarnings() override = default;

    /// In the order in which they came.
    const std::vector<std::string>& sentences() const { return sentences_; }

private:
    void process(const c10::Warning& warning) override;

    std::vector<std::string> sentences_;
    c10::WarningUtils::WarningHandlerGuard guard_;
};

}  // namespace aotscope
