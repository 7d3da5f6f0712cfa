#pragma once

#include <cstddef>
#include <filesystem>

namespace aotscope {

/// Writes graphs as torchtitan's GraphTrainer prints them: a traced training step of about `nodes` operations, and the
/// graph after each of `passes - 1` passes that insert copies. The operation "clone" is of the first pass, "clone_50"
/// of the second, and so on.
void writeStepFolder(const std::filesystem::path& folder, std::size_t passes, std::size_t nodes);

}  // namespace aotscope
