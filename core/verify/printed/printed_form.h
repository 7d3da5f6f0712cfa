#pragma once

#include "ir/graph.h"

#include <memory>

namespace aotscope {

/// Whether a placeholder has no type, and no operation reads it: a device mesh, a number that torch.export has put in.
bool isOpaque(const Node* node);

/// Whether `node` is the RNG state that a random operation is repeated with.
bool isRepeatedState(const Node* node);

/// A printed graph in the form in which it can run; itself, if it is in that form. Nodes that stay keep their ids.
///
/// * Inputs of the program that are opaque stay, other opaque values do not; nothing returns or saves them.
/// * Operators that run a graph as it is (wrap_with_set_grad_enabled, strict_mode, wrap) are replaced by its
/// operations,
///   where nothing is differentiated.
/// * run_and_save_rng_state is replaced by the RNG state and the random operation; such states have their sizes.
/// * auto_functionalized_v2 is replaced by the operator that it stands for, which writes into copies.
///
/// Throws Error for a call that does not fit its graph.
std::shared_ptr<const Graph> runnableForm(const std::shared_ptr<const Graph>& printed);

}  // namespace aotscope
