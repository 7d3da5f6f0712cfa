#pragma once

#include "support/error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace aotscope {

/// A new folder that only this user can read, removed with its contents.
class TemporaryFolder {
public:
    explicit TemporaryFolder(std::filesystem::path in = std::filesystem::temp_directory_path()) : in_(std::move(in)) {
        std::string pattern = (in_ / "aotscope-XXXXXX").string();
        if (::mkdtemp(pattern.data())) path_ = pattern;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        if (exists()) std::filesystem::remove_all(path_, ignored);
    }

    /// False if it could not be created; errno then has the reason until the next call.
    bool exists() const { return !path_.empty(); }
    const std::filesystem::path& path() const { return path_; }
    /// The same, directly after it was made. Throws Error if it could not be created.
    const std::filesystem::path& require() const {
        if (!exists())
            throw Error("cannot write into '" + in_.string() + "': " + std::strerror(errno) +
                        "; free some space there");
        return path_;
    }

private:
    std::filesystem::path in_, path_;
};

}  // namespace aotscope
