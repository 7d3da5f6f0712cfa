// Files of tensors.

#include "debug/edit_value.h"
#include "fuzz/fuzz_targets.h"
#include "fuzz/inner_archive.h"
#include "fuzz/memory_file.h"
#include "fuzz/tensors_inside.h"
#include "program/npy_file.h"
#include "program/safetensors_file.h"
#include "program/torch_save.h"

#include <ATen/ops/ones.h>

namespace aotscope::fuzz {

void fuzzNpy(std::string_view bytes) {
    const MemoryFile file(bytes);
    requireInside(readNpy(MappedFile::open(file.path())));
}

void fuzzSafetensors(std::string_view bytes) {
    const MemoryFile file(bytes);
    for (const auto& [name, tensor] : readSafetensors(MappedFile::open(file.path()))) requireInside(tensor);
}

/// A whole file, or the pickle of one whose other records are intact.
void fuzzTorchSave(std::string_view bytes) {
    if (bytes.starts_with("PK")) return requireInside(readTorchSave(bytes));
    const std::string storage(64, '\1');
    const std::string archive = archiveOf({{"data.pkl", bytes},
                                           {"byteorder", "little"},
                                           {"data/0", storage},
                                           {"data/1", std::string_view(storage).substr(0, 24)}});
    requireInside(readTorchSave(archive));
}

void fuzzEditedValue(std::string_view bytes) {
    static const c10::IValue value(at::ones({2, 3}));
    requireInside(editedValue(value, std::string(bytes), "value"));
}

}  // namespace aotscope::fuzz
