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

/// Local copies of such logs, in a folder that is removed with this object.
class RemoteLogs {
public:
    /// The remote log `path`, or those in the folder. If there are too many, drops some, but not `wanted`, a name (may
    /// be empty). Returns `before`, which may be null, if it is still current. Throws Error, Cancelled.
    static std::shared_ptr<const RemoteLogs> fetch(Connection& connection, const std::string& path,
                                                   const std::string& wanted,
                                                   const std::shared_ptr<const RemoteLogs>& before,
                                                   const Progress& progress);
    /// For a log or folder "ssh://HOST/PATH".
    static std::shared_ptr<const RemoteLogs> fetch(const std::string& model, const Progress& progress);

    const std::filesystem::path& folder() const { return folder_.path(); }
    /// Call when the program ends.
    void remove() const;

private:
    explicit RemoteLogs(std::vector<RemoteLog> logs) : logs_(std::move(logs)) {}
    void receive(Connection& connection, const Progress& progress) const;

    std::vector<RemoteLog> logs_;
    TemporaryFolder folder_;
};

}  // namespace aotscope
