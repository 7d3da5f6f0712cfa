#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace aotscope {

struct ArchiveRecord {
    std::uint64_t size = 0;      ///< unpacked
    std::uint32_t checksum = 0;  ///< CRC-32 of the unpacked bytes
    bool packed = false;         ///< its checksum is still to be compared, once it is unpacked
};

/// By name, without the archive's own folder.
using ArchiveRecords = std::map<std::string, ArchiveRecord>;

/// Checks a zip archive as PyTorch writes it, before LibTorch reads it: every number in its directory and headers is
/// compared with the size of the file, every small record that is not packed with its checksum. Throws Error that says
/// what is wrong.
ArchiveRecords requireSoundArchive(std::string_view archive);

/// Throws Error unless `content` has the checksum that the directory gives.
void requireChecksum(const std::string& name, std::uint64_t checksum, std::string_view content);

/// Bytes of the record behind a storage's key; nothing where the archive keeps no elements.
using StorageSizes = std::function<std::optional<std::uint64_t>(const std::string& key)>;

/// Checks a pickle before LibTorch's unpickler reads it, which trusts lengths, indices into its memo, and the sizes of
/// tensors and storages. Throws Error that says what is wrong.
void requireSoundPickle(std::string_view pickle, const StorageSizes& storages);

}  // namespace aotscope
