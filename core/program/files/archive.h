#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace aotscope {

struct ArchiveRecord {
    std::uint64_t size = 0;        ///< unpacked
    std::uint64_t packedSize = 0;  ///< bytes in the file
    std::uint64_t offset = 0;      ///< of its contents in the file
    std::uint32_t checksum = 0;    ///< CRC-32 of the unpacked bytes
    bool packed = false;           ///< deflated; its checksum is compared after decompression
};

/// LibTorch's reader accepts "DATA.PKL" for "data.pkl"; our checks must not see two different files there.
struct IgnoringCase {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const;
};

/// By name, without the archive's top-level folder.
using ArchiveRecords = std::map<std::string, ArchiveRecord, IgnoringCase>;

/// LibTorch also finds "data.pkl" as "DATA.PKL".
std::string lowercase(std::string name);

/// As zip archives have it: CRC-32.
std::uint32_t checksumOf(std::string_view content);

/// How far compressed records may grow when unpacked: PyTorch's code and pickles become six times as large, our
/// sessions four times.
inline constexpr std::uint64_t kUnpackedAnyway = 16 << 20, kLargestGrowth = 20;

/// A zip archive in PyTorch's format, checked before anything is read: every number in its directory and headers
/// against the size of the file, every small uncompressed record against its checksum. Records do not overlap, and the
/// size of compressed records is bounded. LibTorch can then read the same bytes.
class ZipArchive {
public:
    /// `content` is the whole file and must outlive this object. Throws Error (a clause) with the problem.
    explicit ZipArchive(std::string_view content);

    std::string_view content() const { return content_; }
    const ArchiveRecords& records() const { return records_; }
    bool contains(std::string_view name) const { return records_.contains(name); }
    /// Throws Error (a clause) if it is missing.
    const ArchiveRecord& record(std::string_view name) const;
    /// The contents of a record: in the archive, or a decompressed copy owned by this object. Throws Error (a clause).
    std::string_view bytes(std::string_view name) const;
    /// A decompressed copy of a record, verified against its checksum. Check its size first.
    std::string read(std::string_view name) const;

private:
    std::string_view inFile(const ArchiveRecord& record) const;

    std::string_view content_;
    ArchiveRecords records_;
    mutable std::map<std::string, std::string, std::less<>> unpacked_;
};

}  // namespace aotscope
