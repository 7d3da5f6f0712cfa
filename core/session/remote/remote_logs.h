#pragma once

#include "support/progress.h"
#include "support/temporary_folder.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

class Connection;

/// A log of TORCH_TRACE on another machine.
struct RemoteLog {
    std::string name, path;  ///< of the file
    std::uint64_t bytes = 0;
    std::string written;  ///< when

    bool operator==(const RemoteLog&) const = default;
};

/// Copies of such logs, in a folder that is removed with this. They are read here as logs of this machine are.
class RemoteLogs {
public:
    /// The log that `path` is there, or those of the folder. Too many are left out, but not `wanted`, a name (empty:
    /// none is more wanted than others). Returns `before`, which may be null, if it has what is there now. Throws
    /// Error, Cancelled.
    static std::shared_ptr<const RemoteLogs> fetch(Connection& connection, const std::string& path,
                                                   const std::string& wanted,
                                                   const std::shared_ptr<const RemoteLogs>& before,
                                                   const Progress& progress);
    /// Of a log or folder that "ssh://HOST/PATH" names.
    static std::shared_ptr<const RemoteLogs> fetch(const std::string& model, const Progress& progress);

    const std::filesystem::path& folder() const { return folder_.path(); }
    /// The program ends.
    void remove() const;

private:
    explicit RemoteLogs(std::vector<RemoteLog> logs) : logs_(std::move(logs)) {}
    void receive(Connection& connection, const Progress& progress) const;

    std::vector<RemoteLog> logs_;
    TemporaryFolder folder_;
};

}  // namespace aotscope
