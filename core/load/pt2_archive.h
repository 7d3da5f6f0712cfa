#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// The directory of a zip archive as PyTorch writes it: records without compression, all in one folder.
class RecordArchive {
public:
    /// `bytes` are the whole archive and must outlive this object. Throws Error (without the file's name) when they
    /// are no such archive or a record lies outside of them.
    explicit RecordArchive(std::span<std::byte> bytes);

    /// Names do not include the archive's folder.
    bool contains(std::string_view name) const { return records_.find(name) != records_.end(); }
    /// Throws Error naming the record when it is missing or compressed.
    std::span<std::byte> at(std::string_view name) const;
    std::string_view text(std::string_view name) const;
    std::vector<std::string> names() const;

private:
    struct Record {
        std::span<std::byte> data;
        bool compressed = false;
    };
    std::map<std::string, Record, std::less<>> records_;
};

}  // namespace aotscope
