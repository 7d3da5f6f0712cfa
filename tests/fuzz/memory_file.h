#pragma once

#include <filesystem>
#include <string_view>

namespace aotscope::fuzz {

/// A file that exists in memory only, for readers that want a path.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view content);
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile();

    std::filesystem::path path() const;

private:
    int descriptor_;
};

}  // namespace aotscope::fuzz
