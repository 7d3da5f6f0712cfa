#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace caffe2::serialize {
class PyTorchStreamReader;
}

namespace aotscope {

struct ArchiveRecord {
    std::uint64_t size = 0;        ///< unpacked
    std::uint64_t packedSize = 0;  ///< in the file
    std::uint64_t offset = 0;      ///< of its bytes in the file
    std::uint32_t checksum = 0;    ///< CRC-32 of the unpacked bytes
    bool packed = false;           ///< deflated; its checksum is compared when it is decompressed
};

/// LibTorch's reader accepts "DATA.PKL" for "data.pkl"; the checks before it must not see two different files there.
struct IgnoringCase {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const;
};

/// By name, without the archive's own folder.
using ArchiveRecords = std::map<std::string, ArchiveRecord, IgnoringCase>;

/// A zip archive as PyTorch writes it, checked before anything is read from it: every number in its directory and
/// headers against the size of the file, every small uncompressed record against its checksum. No two records share
/// bytes, and compressed records have a bounded size. LibTorch can then read the same bytes.
class ZipArchive {
public:
    /// `content` is the whole file and must outlive this object. Throws Error (a clause) that says what is wrong.
    explicit ZipArchive(std::string_view content);
    ~ZipArchive();

    std::string_view content() const { return content_; }
    const ArchiveRecords& records() const { return records_; }
    bool contains(std::string_view name) const { return records_.contains(name); }
    /// Throws Error (a clause) if it is missing.
    const ArchiveRecord& record(std::string_view name) const;
    /// The bytes of a record: in the archive, or a decompressed copy that this object keeps. Throws Error (a clause).
    std::string_view bytes(std::string_view name) const;
    /// A decompressed copy of a record, compared with its checksum. Check its size first.
    std::string read(std::string_view name) const;

private:
    std::string_view inFile(const ArchiveRecord& record) const;

    std::string_view content_;
    ArchiveRecords records_;
    /// From the first packed record on.
    mutable std::unique_ptr<caffe2::serialize::PyTorchStreamReader> unpacker_;
    mutable std::map<std::string, std::string, std::less<>> unpacked_;
};

}  // namespace aotscope
