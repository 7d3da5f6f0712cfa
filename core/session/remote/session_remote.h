#pragma once

#include "session/session.h"

#include <string>
#include <vector>

namespace aotscope {

class RemoteHost;

/// A session on a model that the engine of `host` compiles and runs; the results are kept here. Other partitions of
/// these graphs are computed here. If the engine ends, or the connection to it, received results remain, and whatever
/// needs it starts it again, or reconnects. Throws Error, Cancelled, and what opening the model throws there.
std::shared_ptr<const Session> openOn(const std::shared_ptr<RemoteHost>& host, const Options& options,
                                      const Progress& progress, const std::shared_ptr<const Session>& previous,
                                      PassObserver* observer);

/// An entry of a remote folder.
struct RemoteEntry {
    std::string name;
    bool folder = false;
    std::uint64_t bytes = 0;  ///< for a file
};

struct RemoteFolder {
    std::string path;  ///< absolute
    std::vector<RemoteEntry> entries;
};

/// The folders on a model's machine; the connection is kept as long as this object.
class RemoteFolders {
public:
    /// `model`: any on that machine. Throws UsageError.
    explicit RemoteFolders(const std::string& model);
    /// The folder that contains the file `path`, or that `path` is; "~/" is the home folder. Throws Error.
    RemoteFolder list(const std::string& path, const Progress& progress) const;

private:
    std::shared_ptr<RemoteHost> host_;
};

}  // namespace aotscope
