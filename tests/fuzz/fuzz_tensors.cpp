// Files of tensors.

#include "debug/edit_value.h"
#include "distributed/followed_world.h"
#include "distributed/gpu_groups.h"
#include "fuzz/expect.h"
#include "fuzz/fuzz_targets.h"
#include "fuzz/inner_archive.h"
#include "fuzz/memory_file.h"
#include "fuzz/tensors_inside.h"
#include "program/files/npy_file.h"
#include "program/files/safetensors_file.h"
#include "program/files/torch_save.h"
#include "support/json/message_members.h"

#include <ATen/ops/ones.h>

#include <algorithm>

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

/// The head in one line, then the bytes of its tensors; or a zero, then the message of a led rank, as CBOR.
void fuzzRankMessage(std::string_view bytes) {
    constexpr std::size_t ranks = 4;
    if (bytes.starts_with('\0')) {
        const LedRequest request = ledRequestFrom(messageInCbor(bytes.substr(1)), {at::ones({2})}, ranks);
        for (std::size_t i = 0; i < static_cast<std::size_t>(request.group.size()); ++i)
            expect(request.group.member(i) < static_cast<std::int64_t>(ranks), "a group has a rank that there is not");
        return;
    }
    if (bytes.starts_with('\1')) return static_cast<void>(rankGpuFrom(std::string(bytes.substr(1))));
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view rest = bytes.substr(std::min(end + 1, bytes.size()));
    const MeshBody body{std::shared_ptr<char>(new char[rest.size() + 1], std::default_delete<char[]>()), rest.size()};
    std::ranges::copy(rest, body.data.get());
    for (const at::Tensor& tensor : meshMessageFrom(bytes.substr(0, end), body, ranks).contribution.tensors)
        requireInside(tensor);
}

}  // namespace aotscope::fuzz
