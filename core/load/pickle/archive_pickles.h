#pragma once

#include "load/pickle/pickle_check.h"
#include "program/files/archive.h"

namespace torch::jit {
struct Module;
}

namespace aotscope {

/// Checks every pickle of a TorchScript archive, and the checksums of compressed records, before LibTorch reads them.
/// Throws Error (a clause). Returns what must be checked with the code of the archive, and after it.
PickleFacts requireSoundPickles(ZipArchive& archive);

/// Throws Error (a clause) unless the archive's code declares all these members. Reads the code.
void requireEnumMembers(ZipArchive& archive, const std::vector<PickledEnum>& members);

/// Throws Error (a clause) unless every attribute of a loaded module has the type that its class declares: LibTorch
/// does not check that, and its interpreter relies on it.
void requireTypedState(const torch::jit::Module& module);

}  // namespace aotscope
