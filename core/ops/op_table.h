#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <string_view>

namespace aotscope {

/// Properties of an operator. For PyTorch's own, they are the same for all overloads: from get_default_op_list in
/// torch/_functorch/partitioners.py, and from ATen's operator tags. For others, they follow from schema and tags.
enum OpTag : std::uint16_t {
    kView = 1 << 0,              ///< shares its input's memory
    kRecomputable = 1 << 1,      ///< cheap enough to recompute in the backward: PyTorch's allow list (recomputable_ops)
    kRandomFusible = 1 << 2,     ///< random, but fused with its neighbours
    kComputeIntensive = 1 << 3,  ///< matrix products, convolutions, attention
    kRandom = 1 << 4,            ///< draws random numbers: never removed, merged or repeated
    kEffect = 1 << 5,            ///< returns nothing and does not write into an argument: it checks, or prints
};

/// Tags of "aten.add.Tensor"; 0 for an operator without tags.
std::uint16_t opTags(std::string_view op);

inline bool hasTag(const Node& node, OpTag tag) { return node.kind() == NodeKind::call && (opTags(node.op()) & tag); }
inline bool isGetitem(const Node& node) { return node.isCall("operator.getitem"); }
/// The operation that computes the tuple of a getitem; the node itself if it is not a getitem.
inline const Node& makerOf(const Node& node) { return isGetitem(node) ? *node.inputs().front() : node; }

/// Whether an operator runs subgraphs: "higher_order.cond".
inline bool isHigherOrder(const Node& node) {
    return node.kind() == NodeKind::call && node.op().starts_with("higher_order.");
}

/// Whether an operation writes into an argument ("aten.add_.Tensor", "aten.rrelu_with_noise.default") according to the
/// operator's schema. For operators known only from printed graphs, and for c10d, whose schemas do not say so, the name
/// decides.
bool isMutating(std::string_view op);

/// The kind of work of an operator, for colours and statistics.
enum class OpFamily : std::uint8_t {
    matmul,
    convolution,
    normalization,
    attention,
    reduction,
    pointwise,
    view,
    random,
    indexing,
    communication,
    other
};
OpFamily opFamily(std::string_view op);
std::string_view name(OpFamily family);

}  // namespace aotscope
