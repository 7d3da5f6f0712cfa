#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace aotscope {

struct ArchiveRecord {
    std::uint64_t size = 0;        ///< unpacked
    std::uint64_t packedSize = 0;  ///< in the file
    std::uint64_t offset = 0;      ///< of its bytes in the file
    std::uint32_t checksum = 0;    ///< CRC-32 of the unpacked bytes
    bool packed = false;           ///< its checksum is still to be compared, once it is unpacked
};

/// LibTorch's reader takes "DATA.PKL" for "data.pkl"; the checks before it must not see two files there.
struct IgnoringCase {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const;
};

/// By name, without the archive's own folder.
using ArchiveRecords = std::map<std::string, ArchiveRecord, IgnoringCase>;

/// Checks a zip archive as PyTorch writes it, before anything else reads it: every number in its directory and headers
/// is compared with the size of the file, every small record that is not packed with its checksum. No two records
/// share bytes, and what is packed does not grow beyond measure. Throws Error that says what is wrong.
ArchiveRecords requireSoundArchive(std::string_view archive);

/// Throws Error unless `content` has the checksum that the directory gives.
void requireChecksum(const std::string& name, std::uint64_t checksum, std::string_view content);

}  // namespace aotscope
