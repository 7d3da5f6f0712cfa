#pragma once

#include "support/file.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// Writes a zip archive in PyTorch's format: records in a folder, one of them with the version of the format, without
/// which LibTorch's reader refuses it.
class ArchiveWriter {
public:
    /// Records and places from `large` on get numbers of 64 bits.
    explicit ArchiveWriter(ByteSink sink, std::uint64_t large = 0xffffffff) : sink_(std::move(sink)), large_(large) {}

    /// Appends a record, deflated if `pack` is set and it then does not grow more than readers allow.
    void add(std::string_view name, std::string_view content, bool pack);
    /// Appends a record as it is. `content` hands all of it to a sink, twice; false if it changes meanwhile.
    [[nodiscard]] bool add(std::string_view name, const std::function<void(const ByteSink&)>& content);
    /// Appends the version and the directory.
    void finish();

private:
    struct Entry {
        std::string name;
        std::uint64_t size = 0, packedSize = 0, offset = 0;
        std::uint32_t checksum = 0;
        bool packed = false;
    };

    void begin(Entry entry);
    void write(std::string_view bytes);
    std::string fieldsOf(const Entry& entry, std::string_view extra) const;
    bool isLarge(const Entry& entry) const;

    ByteSink sink_;
    std::uint64_t large_;
    std::uint64_t written_ = 0;
    std::vector<Entry> entries_;
};

}  // namespace aotscope
