#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace aotscope {

struct MappedRange;

/// A file mapped into memory. Pages are read on access; writes stay private to this process.
///
/// If the file is truncated while it is mapped, missing pages read as zeros instead of ending the program; a
/// MappedFileWatch detects it.
class MappedFile {
public:
    /// Throws Error naming the path if it is missing, not a regular file, or cannot be mapped.
    static std::shared_ptr<MappedFile> open(const std::filesystem::path& path);

    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    char* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::string_view text() const { return {data_, size_}; }
    const std::filesystem::path& path() const { return path_; }  ///< as it was opened

    /// Takes the first bytes, of which none were written to, out of memory: reading them again reads the file.
    void release(std::size_t bytes) const;

private:
    MappedFile(const std::filesystem::path& path, char* data, std::size_t size);

    std::filesystem::path path_;
    char* data_;
    std::size_t size_;
    MappedRange* range_ = nullptr;  ///< null for an empty file
};

/// Detects whether mapped files were complete when they were read. Trust their contents only after requireWhole().
class MappedFileWatch {
public:
    MappedFileWatch();  ///< Starts watching.
    /// Throws Error naming the file if a page that was read was missing.
    void requireWhole() const;

private:
    std::uint64_t since_;
};

}  // namespace aotscope
