#include "load/pt2_archive.h"

#include "support/error.h"

#include <cstdint>

namespace aotscope {

namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void damaged(const std::string& what) {
    throw Error("the zip archive is damaged (" + what + "); save the model again");
}

/// A little-endian number of `count` bytes at `offset`.
std::uint64_t number(Bytes bytes, std::uint64_t offset, std::size_t count) {
    if (offset > bytes.size() || bytes.size() - offset < count) damaged("it ends too early");
    std::uint64_t value = 0;
    for (std::size_t i = count; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(bytes[offset + i]);
    return value;
}
std::uint64_t u16(Bytes b, std::uint64_t at) { return number(b, at, 2); }
std::uint64_t u32(Bytes b, std::uint64_t at) { return number(b, at, 4); }
std::uint64_t u64(Bytes b, std::uint64_t at) { return number(b, at, 8); }

std::string textAt(Bytes bytes, std::uint64_t offset, std::uint64_t size) {
    if (offset > bytes.size() || bytes.size() - offset < size) damaged("it ends too early");
    const Bytes part = bytes.subspan(offset, size);
    return {reinterpret_cast<const char*>(part.data()), part.size()};
}

// Layout of a zip file's structures: APPNOTE.TXT of PKWARE, sections 4.3.7 to 4.3.16 and 4.5.3.
constexpr std::uint32_t kEnd = 0x06054b50, kEnd64 = 0x06064b50, kLocator64 = 0x07064b50, kEntry = 0x02014b50,
                        kLocal = 0x04034b50;
constexpr std::uint64_t kEndSize = 22, kLocator64Size = 20, kEntrySize = 46, kLocalSize = 30;
constexpr std::uint64_t kLongestComment = 0xffff, kSee64 = 0xffffffff;

struct Directory {
    std::uint64_t entries = 0, size = 0, offset = 0;
};

Directory findDirectory(Bytes bytes) {
    if (bytes.size() < kEndSize) damaged("it ends too early");
    std::uint64_t end = bytes.size() - kEndSize;
    const std::uint64_t last = end > kLongestComment ? end - kLongestComment : 0;
    while (u32(bytes, end) != kEnd) {
        if (end == last) damaged("its directory is missing");
        --end;
    }
    Directory directory{u16(bytes, end + 10), u32(bytes, end + 12), u32(bytes, end + 16)};
    if (end >= kLocator64Size && u32(bytes, end - kLocator64Size) == kLocator64) {
        const std::uint64_t end64 = u64(bytes, end - kLocator64Size + 8);
        if (end64 > bytes.size() || u32(bytes, end64) != kEnd64) damaged("its directory is missing");
        directory = {u64(bytes, end64 + 32), u64(bytes, end64 + 40), u64(bytes, end64 + 48)};
    }
    if (directory.offset > bytes.size() || directory.size > bytes.size() - directory.offset)
        damaged("its directory lies outside of the file");
    return directory;
}

struct Entry {
    std::string name;
    std::uint64_t method = 0, size = 0, packedSize = 0, offset = 0, next = 0;
};

/// The extra field of large archives replaces, in this order, the numbers that did not fit into 32 bits.
void applyExtra64(Bytes extra, Entry& entry) {
    for (std::uint64_t at = 0; at + 4 <= extra.size();) {
        const std::uint64_t id = u16(extra, at), size = u16(extra, at + 2);
        at += 4;
        if (id == 1) {
            std::uint64_t field = at;
            for (std::uint64_t* value : {&entry.size, &entry.packedSize, &entry.offset}) {
                if (*value != kSee64) continue;
                *value = u64(extra, field);
                field += 8;
            }
            return;
        }
        at += size;
    }
}

Entry readEntry(Bytes bytes, std::uint64_t at) {
    if (u32(bytes, at) != kEntry) damaged("its directory holds something else than entries");
    Entry entry;
    entry.method = u16(bytes, at + 10);
    entry.packedSize = u32(bytes, at + 20);
    entry.size = u32(bytes, at + 24);
    const std::uint64_t name = u16(bytes, at + 28), extra = u16(bytes, at + 30), comment = u16(bytes, at + 32);
    entry.offset = u32(bytes, at + 42);
    entry.name = textAt(bytes, at + kEntrySize, name);
    textAt(bytes, at + kEntrySize + name, extra);
    applyExtra64(bytes.subspan(at + kEntrySize + name, extra), entry);
    entry.next = at + kEntrySize + name + extra + comment;
    return entry;
}

std::span<std::byte> dataOf(std::span<std::byte> bytes, const Entry& entry) {
    if (entry.offset > bytes.size() || u32(bytes, entry.offset) != kLocal)
        damaged("record '" + entry.name + "' lies outside of the file");
    const std::uint64_t data =
        entry.offset + kLocalSize + u16(bytes, entry.offset + 26) + u16(bytes, entry.offset + 28);
    if (data > bytes.size() || entry.packedSize > bytes.size() - data)
        damaged("record '" + entry.name + "' lies outside of the file");
    return bytes.subspan(data, entry.packedSize);
}

}  // namespace

RecordArchive::RecordArchive(std::span<std::byte> bytes) {
    const Directory directory = findDirectory(bytes);
    const Bytes whole(bytes.data(), directory.offset + directory.size);
    std::uint64_t at = directory.offset;
    std::string folder;
    for (std::uint64_t i = 0; i < directory.entries; ++i) {
        const Entry entry = readEntry(whole, at);
        at = entry.next;
        if (entry.name.ends_with('/')) continue;
        if (folder.empty()) folder = entry.name.substr(0, entry.name.find('/') + 1);
        if (!entry.name.starts_with(folder)) damaged("record '" + entry.name + "' is not in the folder of the others");
        const bool compressed = entry.method != 0 || entry.size != entry.packedSize;
        records_.emplace(entry.name.substr(folder.size()), Record{dataOf(bytes, entry), compressed});
    }
}

std::span<std::byte> RecordArchive::at(std::string_view name) const {
    const auto it = records_.find(name);
    if (it == records_.end()) throw Error("its record '" + std::string(name) + "' is missing; save the model again");
    if (it->second.compressed)
        throw Error("its record '" + std::string(name) +
                    "' is compressed, while PyTorch saves records as they are; save the model again");
    return it->second.data;
}

std::string_view RecordArchive::text(std::string_view name) const {
    const auto record = at(name);
    return {reinterpret_cast<const char*>(record.data()), record.size()};
}

std::vector<std::string> RecordArchive::names() const {
    std::vector<std::string> names;
    for (const auto& [name, record] : records_) names.push_back(name);
    return names;
}

}  // namespace aotscope
