#include "program/files/archive_writer.h"

#include "program/files/archive.h"
#include "support/packed/deflate.h"

#include <boost/crc.hpp>

#include <algorithm>

namespace aotscope {

namespace {

constexpr std::string_view kFolder = "archive/", kVersion = "3\n";
/// The version of zip that readers need: 4.5 has numbers of 64 bits.
constexpr std::uint64_t kZipVersion = 45;
constexpr std::uint64_t kUtf8Names = 1 << 11, kFirstDay = 0x21;  // of 1980: equal contents give equal files
constexpr std::uint64_t kElsewhere = 0xffffffff;                 ///< in place of a number that has 64 bits elsewhere

/// Little-endian.
void append(std::string& bytes, std::uint64_t number, int width) {
    for (; width > 0; --width, number >>= 8) bytes += static_cast<char>(number & 0xff);
}

std::string largeFields(std::initializer_list<std::uint64_t> numbers) {
    std::string extra;
    append(extra, 1, 2);
    append(extra, 8 * numbers.size(), 2);
    for (const std::uint64_t number : numbers) append(extra, number, 8);
    return extra;
}

}  // namespace

void ArchiveWriter::write(std::string_view bytes) {
    sink_(bytes);
    written_ += bytes.size();
}

bool ArchiveWriter::isLarge(const Entry& entry) const {
    return std::max({entry.size, entry.packedSize, entry.offset}) >= large_;
}

/// What the header of a record and its entry in the directory have in common.
std::string ArchiveWriter::fieldsOf(const Entry& entry, std::string_view extra) const {
    std::string fields;
    append(fields, kZipVersion, 2);
    append(fields, kUtf8Names, 2);
    append(fields, entry.packed ? 8 : 0, 2);
    append(fields, 0, 2);
    append(fields, kFirstDay, 2);
    append(fields, entry.checksum, 4);
    append(fields, isLarge(entry) ? kElsewhere : entry.packedSize, 4);
    append(fields, isLarge(entry) ? kElsewhere : entry.size, 4);
    append(fields, entry.name.size(), 2);
    append(fields, extra.size(), 2);
    return fields;
}

void ArchiveWriter::add(std::string_view name, std::string_view content, bool pack) {
    const std::string packed = pack ? deflated(content) : std::string();
    if (content.size() > kUnpackedAnyway + kLargestGrowth * packed.size()) pack = false;
    const std::string_view stored = pack ? packed : content;
    begin({std::string(name), content.size(), stored.size(), written_, checksumOf(content), pack});
    write(stored);
}

bool ArchiveWriter::add(std::string_view name, const std::function<void(const ByteSink&)>& content) {
    boost::crc_32_type first, again;
    std::uint64_t size = 0;
    content([&](std::string_view bytes) {
        first.process_bytes(bytes.data(), bytes.size());
        size += bytes.size();
    });
    begin({std::string(name), size, size, written_, first.checksum(), false});
    const std::uint64_t start = written_;
    content([&](std::string_view bytes) {
        again.process_bytes(bytes.data(), bytes.size());
        write(bytes);
    });
    return written_ - start == size && again.checksum() == first.checksum();
}

/// What stands before the bytes of a record.
void ArchiveWriter::begin(Entry entry) {
    entry.name = std::string(kFolder) + entry.name;
    const std::string extra = isLarge(entry) ? largeFields({entry.size, entry.packedSize}) : std::string();
    write("PK\x03\x04" + fieldsOf(entry, extra) + entry.name + extra);
    entries_.push_back(std::move(entry));
}

void ArchiveWriter::finish() {
    add("version", kVersion, false);
    const std::uint64_t start = written_;
    std::string directory;
    for (const Entry& entry : entries_) {
        const bool large = isLarge(entry);
        const std::string extra = large ? largeFields({entry.size, entry.packedSize, entry.offset}) : std::string();
        directory += "PK\x01\x02";
        append(directory, kZipVersion, 2);
        directory += fieldsOf(entry, extra);
        append(directory, 0, 2 + 2 + 2 + 4);  // no comment, on the first disk, no attributes
        append(directory, large ? kElsewhere : entry.offset, 4);
        directory += entry.name + extra;
    }
    const std::uint64_t size = directory.size(), count = entries_.size();
    const bool large = start >= large_;
    if (large) {
        const std::uint64_t end = start + size;
        directory += "PK\x06\x06";
        append(directory, 44, 8);  // bytes that follow
        append(directory, kZipVersion, 2);
        append(directory, kZipVersion, 2);
        append(directory, 0, 4 + 4);  // the first disk
        for (const std::uint64_t number : {count, count, size, start}) append(directory, number, 8);
        directory += "PK\x06\x07";
        append(directory, 0, 4);
        append(directory, end, 8);
        append(directory, 1, 4);  // of one disk
    }
    directory += "PK\x05\x06";
    append(directory, 0, 2 + 2);
    append(directory, count, 2);
    append(directory, count, 2);
    append(directory, size, 4);
    append(directory, large ? kElsewhere : start, 4);
    append(directory, 0, 2);
    write(directory);
}

}  // namespace aotscope
