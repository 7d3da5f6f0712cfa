#pragma once

#include "distributed/rank_mesh.h"
#include "distributed/world.h"

#include <nlohmann/json.hpp>

namespace aotscope {

/// A contribution as a message to another process: its description, and the bytes of its tensors, which are not copied.
/// Throws Error for tensors that are not plain data, such as quantized ones.
nlohmann::json describe(const Contribution& contribution);
std::vector<MeshPiece> bytesOf(const Contribution& contribution);

/// The tensors use the memory of `body`. Throws Error, a clause, if the description does not match it.
Contribution contributionOf(const nlohmann::json& description, const MeshBody& body);

}  // namespace aotscope
