#include "support/error.h"

#include "support/library_error.h"
#include "support/quoted.h"

#include <algorithm>
#include <array>

namespace aotscope {

void failCheck(std::string_view what) { throw std::logic_error("internal error: " + std::string(what)); }

namespace {

/// Removes source locations from the messages of LibTorch's own checks: "isInt() INTERNAL ASSERT FAILED at
/// "ivalue.h":643, please report a bug to PyTorch. Expected Int", "[enforce fail at zip.cc:7] size > 0. no entries".
std::string withoutPlaces(std::string_view message) {
    constexpr std::string_view assertion = "INTERNAL ASSERT FAILED at ", bug = "please report a bug to PyTorch.",
                               enforce = "[enforce fail at ";
    if (const auto at = message.find(assertion); at != std::string_view::npos) {
        const auto end = message.find(bug, at);
        std::string_view rest = end == std::string_view::npos ? "" : message.substr(end + bug.size());
        rest.remove_prefix(std::min(rest.find_first_not_of(" \n"), rest.size()));
        return rest.empty() || rest.front() == '(' ? "LibTorch cannot do this and does not say why" +
                                                         std::string(rest.empty() ? "" : " ") + std::string(rest)
                                                   : std::string(rest);
    }
    if (!message.starts_with(enforce)) return std::string(message);
    const auto end = message.find("] ");
    if (end == std::string_view::npos) return std::string(message);
    const std::string_view condition = message.substr(end + 2);
    const auto text = condition.find(". ");
    return std::string(text == std::string_view::npos ? condition : condition.substr(text + 2));
}

}  // namespace

std::string firstSentence(std::string_view whole) {
    std::string_view message = whole;
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
    const std::string plain = withoutPlaces(message);
    message = plain;
    message = message.substr(0, message.find('\n'));
    // The dispatcher appends pages of reasons and backends.
    constexpr std::string_view noKernel = ". This could be because the operator doesn't exist for this backend";
    if (auto at = message.find(noKernel); at != std::string_view::npos)
        return oneLine(message.substr(0, at)) + ": it has no kernel there; use another device or another operation";
    constexpr std::string_view noData = "its data is not allocated yet";
    if (message.find(noData) != std::string_view::npos)
        return "an operation of the model reads the data of a tensor, which does not exist while tracing; "
               "compute that outside the model";
    constexpr std::string_view allocation = "can't allocate memory: you tried to allocate ";
    if (const auto at = message.find(allocation); at != std::string_view::npos) {
        const std::string_view size = message.substr(at + allocation.size());
        return "out of memory: it tried to allocate " + oneLine(size.substr(0, size.find('.'))) +
               "; choose smaller inputs or a smaller model";
    }
    if (message.starts_with("Resource temporarily unavailable"))
        return "cannot start another thread; allow this program more memory or threads (ulimit -v, -u)";
    while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) message.remove_suffix(1);
    return oneLine(translatedLibraryError(message));
}

}  // namespace aotscope
