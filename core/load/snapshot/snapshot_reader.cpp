#include "load/snapshot/snapshot_reader.h"

#include "load/snapshot/snapshot_visitor.h"
#include "support/error.h"
#include "support/mapped_file.h"

namespace aotscope {

namespace {

/// Where the first key of a snapshot is: behind the protocol, a frame and an empty dict.
constexpr std::size_t kFirstKey = 32;

std::shared_ptr<const MemorySnapshot> decode(std::string_view pickle, const MappedFile* file,
                                             const Progress& progress) {
    if (!looksLikePickle(pickle))
        throw Error("is not a memory snapshot: expected the pickle that torch.cuda.memory._dump_snapshot writes");
    auto snapshot = std::make_shared<MemorySnapshot>();
    SnapshotVisitor visitor(*snapshot, [&](std::size_t offset) {
        if (file) file->release(offset);
        progress.enter("reading the snapshot");
    });
    visitor.finish(decodePickle(pickle, PickleDialect::python, visitor));
    return snapshot;
}

}  // namespace

bool looksLikeMemorySnapshot(std::string_view beginning) {
    const auto first = beginning.substr(0, kFirstKey);
    return looksLikePickle(beginning) &&
           (first.find("segments") != std::string_view::npos || first.find("device_traces") != std::string_view::npos);
}

std::shared_ptr<const MemorySnapshot> readMemorySnapshot(std::string_view pickle, const Progress& progress) {
    return decode(pickle, nullptr, progress);
}

std::shared_ptr<const MemorySnapshot> readMemorySnapshot(const std::filesystem::path& path, const Progress& progress) {
    const auto file = MappedFile::open(path);
    const MappedFileWatch watch;
    try {
        auto snapshot = decode(file->text(), file.get(), progress);
        watch.requireWhole();
        return snapshot;
    } catch (const Error& e) {
        watch.requireWhole();
        throw Error("'" + path.string() + "' " + e.what());
    }
}

}  // namespace aotscope
