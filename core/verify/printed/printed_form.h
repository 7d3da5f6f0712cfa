#pragma once

#include "ir/graph.h"

#include <memory>

namespace aotscope {

/// Whether a placeholder has no type, and is not read by any operation: a device mesh, a number added by torch.export.
bool isOpaque(const Node* node);

/// Whether `node` is the RNG state with which a random operation is repeated.
bool isRepeatedState(const Node* node);

/// A printed graph in executable form; itself, if it already is. Remaining nodes keep their ids.
///
/// * Opaque inputs of the program are kept, other opaque values are not; nothing returns or saves them.
/// * Operators that run a graph unchanged (wrap_with_set_grad_enabled, strict_mode, wrap) are replaced by its
///   operations, where nothing is differentiated.
/// * run_and_save_rng_state is replaced by the RNG state and the random operation; such states have their sizes.
/// * auto_functionalized_v2 is replaced by its operator, which writes into copies.
///
/// Throws Error for a call that does not match its graph.
std::shared_ptr<const Graph> runnableForm(const std::shared_ptr<const Graph>& printed);

}  // namespace aotscope
