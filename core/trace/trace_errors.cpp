#include "trace/trace_errors.h"

#include "support/error.h"

#include <array>

namespace aotscope {

namespace {

struct Explanation {
    std::string_view found;  ///< in LibTorch's message
    std::string_view sentence;
};

constexpr std::array kExplanations = {
    Explanation{"a mutation on a view chain",
                "the model writes into a view that as_strided made of another view; no functional operation can repeat "
                "that, so write into the tensor itself or into a clone of the view"},
    Explanation{
        "being mutated that has internal overlap",
        "the model writes into a tensor whose elements share memory (made by expand, unfold or as_strided): what "
        "eager leaves there depends on the order in which its kernel happens to write, which no functional "
        "operation can repeat; write into a clone of it"},
    Explanation{
        "cannot mutate tensors with frozen storage",
        "cannot mutate tensors with frozen storage: the model writes into an old view of a tensor that got a new "
        "storage (set_); write into the tensor itself"},
};

}  // namespace

std::string explainTraceError(std::string_view message) {
    for (const Explanation& known : kExplanations)
        if (message.find(known.found) != std::string_view::npos) return std::string(known.sentence);
    return firstSentence(message);
}

}  // namespace aotscope
