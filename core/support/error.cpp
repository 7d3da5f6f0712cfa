#include "support/error.h"

#include <array>

namespace aotscope {

void check(bool condition, std::string_view what) {
    if (!condition) throw std::logic_error("internal error: " + std::string(what));
}

std::string firstSentence(std::string_view message) {
    constexpr std::array<std::string_view, 3> ends = {"\nException raised from", "\n\nException raised from",
                                                      "\nC++ CapturedTraceback"};
    for (auto end : ends)
        if (auto at = message.find(end); at != std::string_view::npos) message = message.substr(0, at);

    // The TorchScript interpreter wraps the cause: "... operation failed ...\n<trace>\nRuntimeError: cause".
    // A "raise" in the program ends with its own class: "builtins.ValueError: cause".
    constexpr std::string_view cause = "RuntimeError: ", raised = "\nbuiltins.";
    if (message.find("TorchScript") != std::string_view::npos) {
        if (auto at = message.rfind(cause); at != std::string_view::npos) message = message.substr(at + cause.size());
        else if (at = message.rfind(raised); at != std::string_view::npos) message = message.substr(at + raised.size());
    }

    while (!message.empty() && (message.front() == '\n' || message.front() == ' ')) message.remove_prefix(1);
    message = message.substr(0, message.find('\n'));
    // The dispatcher goes on with pages of reasons and backends.
    constexpr std::string_view noKernel = ". This could be because the operator doesn't exist for this backend";
    if (auto at = message.find(noKernel); at != std::string_view::npos)
        return std::string(message.substr(0, at)) + ": it has no kernel there; use another device or another operation";
    constexpr std::string_view noData = "its data is not allocated yet";
    if (message.find(noData) != std::string_view::npos)
        return "an operation of the model looks into the memory of a tensor, which does not exist while tracing; "
               "compute that outside the model";
    while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) message.remove_suffix(1);
    return std::string(message);
}

}  // namespace aotscope
