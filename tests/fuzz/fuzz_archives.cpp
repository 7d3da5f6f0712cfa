// Zip archives, the pickles in them, and sessions.

#include "fuzz/fuzz_targets.h"
#include "fuzz/memory_file.h"
#include "fuzz/tensors_inside.h"
#include "io/session/document.h"
#include "io/session/session_file.h"
#include "ir/printer.h"
#include "load/pickle/pickle_check.h"
#include "passes/repartition.h"
#include "program/files/archive.h"
#include "program/files/memory_reader.h"
#include "support/error.h"

#include <ATen/Context.h>
#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/serialization/unpickler.h>

#include <optional>

namespace aotscope::fuzz {

namespace {

/// LibTorch refuses with its own exceptions, which the program turns into messages.
template <typename Job>
void refusing(Job&& job) {
    try {
        job();
    } catch (const c10::Error& e) {
        throw Error(e.what());
    }
}

/// Sizes of the records that pickles may refer to.
std::optional<std::uint64_t> storageSize(const std::string& key) {
    if (key == "0") return 64;
    if (key == "1") return 24;
    return std::nullopt;
}

/// Unpickles with LibTorch what has passed our check.
c10::IValue unpickled(std::string_view pickle) {
    std::size_t at = 0;
    const auto read = [&](char* buffer, std::size_t count) {
        const std::size_t got = pickle.copy(buffer, count, std::min(at, pickle.size()));
        at += got;
        return got;
    };
    const auto noClass = [](const c10::QualifiedName& name) -> c10::StrongTypePtr {
        throw Error("there is no class '" + name.qualifiedName() + "'");
    };
    const auto noObject = [](const at::StrongTypePtr&, const c10::IValue&) -> c10::intrusive_ptr<c10::ivalue::Object> {
        throw Error("there are no objects");
    };
    const auto record = [](const std::string& key) {
        const auto size = storageSize(key);
        if (!size) throw Error("there is no record '" + key + "'");
        at::DataPtr data = at::getCPUAllocator()->allocate(*size);
        std::memset(data.get(), 1, *size);
        return data;
    };
    torch::jit::Unpickler unpickler(read, noClass, noObject, record, at::kCPU);
    return unpickler.parse_ivalue();
}

}  // namespace

/// LibTorch reads the archives that pass our check; exported programs have their own reader.
void fuzzArchive(std::string_view bytes) {
    ZipArchive archive(bytes);
    std::optional<Error> refusal;
    try {
        refusing([&] {
            for (const auto& [name, record] : archive.records()) (void)archive.read(name);
        });
    } catch (const Error& e) {
        refusal = e;
    }
    refusing([&] {
        caffe2::serialize::PyTorchStreamReader reader(std::make_shared<MemoryReader>(bytes));
        for (const std::string& name : reader.getAllRecords()) (void)reader.getRecord(name);
    });
    if (refusal) throw Error(*refusal);
}

void fuzzPickle(std::string_view bytes) {
    if (!requireSoundPickle(bytes, storageSize).enums.empty()) throw Error("there are no enumerations");
    refusing([&] { requireInside(unpickled(bytes)); });
}

void fuzzDebugPickle(std::string_view bytes) {
    requireSoundDebugPickle(bytes);
    refusing([&] { unpickled(bytes); });
}

/// A whole file, or the document in one.
void fuzzSession(std::string_view bytes) {
    SessionContent content;
    if (bytes.starts_with("PK")) {
        const MemoryFile file(bytes);
        content = readSessionFile(file.path()).content;
    } else {
        content = decodeSession(bytes);
    }
    for (const auto& [kind, graph] : content.record->graphs) printGraph(*graph, Detail::full);
    decodeSession(encodeSession(content));
    repartition(*content.record, content.options.partition, {});
}

}  // namespace aotscope::fuzz
