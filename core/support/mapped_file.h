#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

namespace aotscope {

/// A file mapped into memory. Pages are read when they are touched; writes stay private to this process.
class MappedFile {
public:
    /// Throws Error naming the path when it is missing, no regular file, or cannot be mapped.
    static std::shared_ptr<MappedFile> open(const std::filesystem::path& path);

    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    char* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::string_view text() const { return {data_, size_}; }

private:
    MappedFile(char* data, std::size_t size) : data_(data), size_(size) {}

    char* data_;
    std::size_t size_;
};

}  // namespace aotscope
