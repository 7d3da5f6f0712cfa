#include "load/torch_messages.h"

#include "support/error.h"

#include <c10/util/Logging.h>

#include <algorithm>
#include <cstdlib>

namespace aotscope {

void setTorchLog(bool on) {
    if (!std::getenv("TORCH_CPP_LOG_LEVEL")) c10::FLAGS_caffe2_log_level = on ? c10::GLOG_WARNING : c10::GLOG_FATAL;
}

void TorchWarnings::process(const c10::Warning& warning) {
    constexpr std::size_t most = 20;
    c10::WarningHandler::process(warning);  // into the log
    const std::string sentence = "LibTorch: " + firstSentence(warning.msg());
    if (sentences_.size() < most && std::find(sentences_.begin(), sentences_.end(), sentence) == sentences_.end())
        sentences_.push_back(sentence);
}

}  // namespace aotscope
