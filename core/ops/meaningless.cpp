#include "ops/meaningless.h"

#include "ops/op_table.h"

namespace aotscope {

namespace {

constexpr std::string_view kUnwritten = "memory that nothing has written yet";

/// Results, from a given one on, that only the operation's own kernels read.
struct MeaninglessResults {
    std::string_view op;
    std::int64_t first;
    std::string_view why;
};
constexpr std::string_view kReserve = "a kernel's reserve of bytes", kRandomState = "the state of random numbers";
constexpr MeaninglessResults kMeaningless[] = {
    {"mkldnn_rnn_layer", 3, kReserve},
    {"_cudnn_rnn", 3, kReserve},
    {"miopen_rnn", 3, kReserve},
    {"cudnn_batch_norm", 3, kReserve},
    {"_batch_norm_with_update", 3, kReserve},
    // Attention on a GPU sets its RNG state only for dropout; logarithms after the query's rows are uninitialized.
    {"_scaled_dot_product_efficient_attention", 1, kUnwritten},
    {"_scaled_dot_product_flash_attention", 2, kRandomState},
    {"_scaled_dot_product_cudnn_attention", 2, kRandomState},
    {"_efficient_attention_forward", 1, kUnwritten},
    {"_flash_attention_forward", 2, kRandomState},
};

}  // namespace

std::string_view whyMeaningless(const Node& node) {
    const Node& call = makerOf(node);
    if (call.kind() != NodeKind::call) return {};
    const auto op = shortOpName(call.op());
    if (op.starts_with("empty") || op.starts_with("new_empty")) return kUnwritten;
    const std::int64_t* result = isGetitem(node) ? node.args()[1].integer() : nullptr;
    if (result && op.find("backward") == op.npos) {
        for (const auto& [name, first, why] : kMeaningless)
            if (op.starts_with(name) && *result >= first) return why;
        return {};
    }
    // Operations that only view or copy such memory.
    const bool moves = opFamily(call.op()) == OpFamily::view || op.starts_with("clone") || op.starts_with("_to_copy");
    return moves && !call.inputs().empty() ? whyMeaningless(*call.inputs().front()) : std::string_view();
}

}  // namespace aotscope
