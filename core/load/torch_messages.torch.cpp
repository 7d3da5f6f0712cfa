#include "load/torch_messages.h"

#include "support/error.h"
#include "support/quoted.h"

#include <c10/util/Backtrace.h>
#include <c10/util/Logging.h>
#include <torch/csrc/jit/runtime/print_handler.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace aotscope {

void setTorchLog(bool on) {
    if (!std::getenv("TORCH_CPP_LOG_LEVEL")) FLAGS_caffe2_log_level = on ? c10::GLOG_WARNING : c10::GLOG_FATAL;
    // The stack trace of an error: symbolizing takes milliseconds.
    c10::SetStackTraceFetcher([on] { return on ? c10::get_backtrace(1) : std::string(); });
}

void setTorchPrint() {
    torch::jit::setPrintHandler([](const std::string& printed) {
        std::string_view rest = printed;
        for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
            std::cout << oneLine(rest.substr(0, end)) << '\n';
            rest.remove_prefix(end + 1);
        }
        std::cout << oneLine(rest);
    });
}

void TorchWarnings::process(const c10::Warning& warning) {
    constexpr std::size_t most = 20;
    c10::WarningHandler::process(warning);  // into the log
    const std::string sentence = "LibTorch: " + firstSentence(warning.msg());
    if (sentences_.size() < most && std::find(sentences_.begin(), sentences_.end(), sentence) == sentences_.end())
        sentences_.push_back(sentence);
}

}  // namespace aotscope
