#pragma once

#include "load/pickle_check.h"
#include "program/archive.h"

namespace torch::jit {
struct Module;
}

namespace aotscope {

/// Checks every pickle of a TorchScript archive, and the checksums of packed records, before LibTorch reads them.
/// Throws Error (a clause). What it returns can be checked once the code of the archive has been.
std::vector<PickledEnum> requireSoundPickles(ZipArchive& archive);

/// Throws Error (a clause) unless the archive's code has all these members. Reads the code.
void requireEnumMembers(ZipArchive& archive, const std::vector<PickledEnum>& members);

/// Throws Error (a clause) unless every attribute of a loaded module holds a value of the type that its class
/// declares: LibTorch does not compare them, and its interpreter relies on it.
void requireTypedState(const torch::jit::Module& module);

}  // namespace aotscope
