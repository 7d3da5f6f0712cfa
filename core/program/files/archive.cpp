#include "program/files/archive.h"

#include "support/error.h"
#include "support/packed/deflate.h"
#include "support/quoted.h"

#include <boost/crc.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace aotscope {

namespace {

constexpr std::uint32_t kEnd = 0x06054b50, kEnd64 = 0x06064b50, kLocator64 = 0x07064b50, kEntry = 0x02014b50,
                        kLocal = 0x04034b50;
constexpr std::uint64_t kEndSize = 22, kLocatorSize = 20, kEnd64Size = 56, kEntrySize = 46, kLocalSize = 30;
constexpr std::uint64_t kLargestDirectory = 64 << 20, kLargestChecked = 16 << 20;
constexpr std::uint64_t kMostInArchive = 200'000;
constexpr std::uint16_t kStored = 0, kDeflated = 8;

char lowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

void requireChecksum(std::string_view name, std::uint64_t checksum, std::string_view content) {
    if (checksumOf(content) != checksum) throw Error("record " + inQuotes(name) + " does not match its checksum");
}

class DirectoryReader {
public:
    explicit DirectoryReader(std::string_view archive) : archive_(archive), size_(archive.size()) {}

    ArchiveRecords run() {
        findDirectory();
        const std::string directory = bytes(directoryOffset_, directorySize_, "its directory");
        std::uint64_t at = 0;
        for (std::uint64_t i = 0; i < entries_; ++i) readEntry(directory, at);
        requireApart();
        if (unpacked_ > kUnpackedAnyway + kLargestGrowth * packed_)
            fail("its compressed records grow too much when unpacked; store them (zip -0)");
        return std::move(records_);
    }

private:
    [[noreturn]] static void fail(const std::string& what) { throw Error(what); }

    std::string bytes(std::uint64_t offset, std::uint64_t count, const char* what) {
        if (offset > size_ || count > size_ - offset) fail(std::string(what) + " lies beyond the end of the file");
        return std::string(archive_.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(count)));
    }

    /// A little-endian number of `width` bytes.
    static std::uint64_t number(const std::string& content, std::uint64_t at, int width) {
        if (at > content.size() || static_cast<std::uint64_t>(width) > content.size() - at) fail("a header is cut off");
        std::uint64_t value = 0;
        for (int i = width - 1; i >= 0; --i)
            value = value << 8 |
                    static_cast<unsigned char>(content[static_cast<std::size_t>(at) + static_cast<std::size_t>(i)]);
        return value;
    }

    void findDirectory() {
        const std::uint64_t tail = std::min<std::uint64_t>(size_, 65535 + kEndSize);
        const std::string end = bytes(size_ - tail, tail, "its end");
        if (end.size() < kEndSize) fail("it is too short for a zip archive");
        const auto found = end.rfind("PK\x05\x06", end.size() - kEndSize);
        if (found == std::string::npos) fail("its directory is missing, as when a file is cut off");
        // Later readers must find the same directory.
        if (found + kEndSize + number(end, found + 20, 2) != end.size()) fail("data follows its directory");
        entries_ = number(end, found + 10, 2);
        directorySize_ = number(end, found + 12, 4);
        directoryOffset_ = number(end, found + 16, 4);
        const std::uint64_t at = size_ - tail + found;
        if (at >= kLocatorSize) readZip64(at - kLocatorSize);
        if (directorySize_ > kLargestDirectory || entries_ > directorySize_ / kEntrySize || entries_ > kMostInArchive)
            fail("its directory has impossible sizes");
    }

    void readZip64(std::uint64_t offset) {
        const std::string locator = bytes(offset, kLocatorSize, "its directory");
        if (number(locator, 0, 4) != kLocator64) return;
        const std::string end = bytes(number(locator, 8, 8), kEnd64Size, "its directory");
        if (number(end, 0, 4) != kEnd64) fail("its directory is not where it should be");
        entries_ = number(end, 32, 8);
        directorySize_ = number(end, 40, 8);
        directoryOffset_ = number(end, 48, 8);
    }

    struct Entry {
        std::uint64_t method = 0, flags = 0, checksum = 0, packed = 0, size = 0, offset = 0;
        std::string name;
    };

    /// Reads the entry at `at` and advances to the next one.
    void readEntry(const std::string& directory, std::uint64_t& at) {
        if (number(directory, at, 4) != kEntry) fail("an entry of its directory is damaged");
        Entry entry{number(directory, at + 10, 2),
                    number(directory, at + 8, 2),
                    number(directory, at + 16, 4),
                    number(directory, at + 20, 4),
                    number(directory, at + 24, 4),
                    number(directory, at + 42, 4),
                    {}};
        const auto nameSize = number(directory, at + 28, 2), extraSize = number(directory, at + 30, 2),
                   commentSize = number(directory, at + 32, 2);
        at += kEntrySize;
        if (nameSize + extraSize + commentSize > directory.size() - at) fail("an entry of its directory is cut off");
        entry.name = directory.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(nameSize));
        readExtra(directory.substr(static_cast<std::size_t>(at + nameSize), static_cast<std::size_t>(extraSize)),
                  entry);
        at += nameSize + extraSize + commentSize;
        if (entry.name.ends_with('/') && entry.size == 0) return;  // a folder
        add(entry, requireSound(entry));
    }

    void add(const Entry& entry, std::uint64_t data) {
        const std::string shown = inQuotes(entry.name);
        if (folder_.empty()) folder_ = entry.name.substr(0, entry.name.find('/') + 1);
        if (!entry.name.starts_with(folder_)) fail("record " + shown + " is not in the folder of the others");
        const std::string name = entry.name.substr(folder_.size());
        if (name.empty() || ("/" + name + "/").find("/../") != std::string::npos ||
            name.find('\0') != std::string::npos)
            fail("record " + shown + " has an impossible name");
        const bool packed = entry.method != kStored;
        const ArchiveRecord record{entry.size, entry.packed, data, static_cast<std::uint32_t>(entry.checksum), packed};
        if (!records_.emplace(name, record).second) fail("it holds " + shown + " twice");
        places_.emplace_back(entry.offset, data + entry.packed);
        if (!packed) return;
        packed_ += entry.packed;
        unpacked_ += entry.size;
    }

    /// Overlapping records could unpack to more than the size of the file.
    void requireApart() {
        places_.emplace_back(directoryOffset_, size_);
        std::sort(places_.begin(), places_.end());
        for (std::size_t i = 1; i < places_.size(); ++i)
            if (places_[i].first < places_[i - 1].second) fail("two of its records share bytes");
    }

    /// Sizes that do not fit in 32 bits.
    static void readExtra(const std::string& extra, Entry& entry) {
        constexpr std::uint64_t large = 0xffffffff;
        for (std::uint64_t at = 0; at + 4 <= extra.size();) {
            const auto id = number(extra, at, 2), size = number(extra, at + 2, 2);
            at += 4;
            if (id == 1) {
                std::uint64_t field = at;
                for (std::uint64_t* value : {&entry.size, &entry.packed, &entry.offset})
                    if (*value == large) *value = number(extra, field, 8), field += 8;
                return;
            }
            at += size;
        }
    }

    /// Returns the offset of its contents.
    std::uint64_t requireSound(const Entry& entry) {
        const std::string what = "record " + inQuotes(entry.name);
        if (entry.name.empty() || entry.flags & 1) fail(what + " cannot be read");
        if (entry.method != kStored && entry.method != kDeflated)
            fail(what + " is compressed, and not by deflate; store it (zip -0)");
        const bool possible = entry.method == kStored ? entry.size == entry.packed : entry.size / 1100 <= entry.packed;
        if (!possible) fail(what + " has impossible sizes");
        const std::string header = bytes(entry.offset, kLocalSize, what.c_str());
        if (number(header, 0, 4) != kLocal || number(header, 8, 2) != entry.method)
            fail(what + " has a damaged header");
        const std::uint64_t nameSize = number(header, 26, 2), extraSize = number(header, 28, 2);
        if (bytes(entry.offset + kLocalSize, nameSize, what.c_str()) != entry.name)
            fail(what + " has a different name in its header");
        const std::uint64_t data = entry.offset + kLocalSize + nameSize + extraSize;
        if (data > size_ || entry.packed > size_ - data) fail(what + " lies beyond the end of the file");
        if (entry.method == kStored && !holdsElements(entry))
            requireChecksum(entry.name, entry.checksum, bytes(data, entry.size, "a record"));
        return data;
    }

    /// Damaged tensor elements are harmless, and there may be many of them.
    static bool holdsElements(const Entry& entry) {
        const auto slash = entry.name.rfind('/');
        const std::string folder = entry.name.substr(0, slash), name = entry.name.substr(slash + 1);
        return entry.size > kLargestChecked || name.find_first_not_of("0123456789") == std::string::npos ||
               ((folder.ends_with("/data/weights") || folder.ends_with("/data/constants")) && !name.ends_with(".json"));
    }

    std::string_view archive_;
    std::uint64_t size_ = 0, entries_ = 0, directorySize_ = 0, directoryOffset_ = 0;
    std::uint64_t packed_ = 0, unpacked_ = 0;  ///< of compressed records
    std::string folder_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> places_;  ///< where records begin and end in the file
    ArchiveRecords records_;
};

}  // namespace

std::uint32_t checksumOf(std::string_view content) {
    boost::crc_32_type crc;
    crc.process_bytes(content.data(), content.size());
    return crc.checksum();
}

std::string lowercase(std::string name) {
    std::ranges::transform(name, name.begin(), lowerAscii);
    return name;
}

bool IgnoringCase::operator()(std::string_view a, std::string_view b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](char x, char y) { return lowerAscii(x) < lowerAscii(y); });
}

ZipArchive::ZipArchive(std::string_view content) : content_(content), records_(DirectoryReader(content).run()) {}

const ArchiveRecord& ZipArchive::record(std::string_view name) const {
    const auto it = records_.find(name);
    if (it == records_.end()) throw Error("its record " + inQuotes(name) + " is missing; save the file again");
    return it->second;
}

std::string_view ZipArchive::inFile(const ArchiveRecord& record) const {
    return content_.substr(static_cast<std::size_t>(record.offset), static_cast<std::size_t>(record.packedSize));
}

std::string_view ZipArchive::bytes(std::string_view name) const {
    const ArchiveRecord& found = record(name);
    if (!found.packed) return inFile(found);
    auto copy = unpacked_.find(name);
    if (copy == unpacked_.end()) copy = unpacked_.emplace(name, read(name)).first;
    return copy->second;
}

std::string ZipArchive::read(std::string_view name) const {
    const ArchiveRecord& found = record(name);
    auto content = found.packed ? inflated(inFile(found), static_cast<std::size_t>(found.size))
                                : std::optional(std::string(inFile(found)));
    if (!content) throw Error("record " + inQuotes(name) + " is damaged: it cannot be unpacked");
    requireChecksum(name, found.checksum, *content);
    return std::move(*content);
}

}  // namespace aotscope
