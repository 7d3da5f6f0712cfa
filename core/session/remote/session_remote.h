#pragma once

#include "session/session.h"

#include <string>
#include <vector>

namespace aotscope {

/// A session on a model on another machine (see RemoteModel): it is compiled and run there, by the same program; what
/// comes of it is kept here. Another partition of graphs that are here is computed here. If the connection breaks, all
/// that was received stays, and what needs the other machine connects anew. Throws Error, Cancelled, and what opening
/// the model throws there.
std::shared_ptr<const Session> openRemote(const Options& options, const Progress& progress,
                                          const std::shared_ptr<const Session>& previous, PassObserver* observer);

/// An entry of a folder on another machine.
struct RemoteEntry {
    std::string name;
    bool folder = false;
    std::uint64_t bytes = 0;  ///< of a file
};

struct RemoteFolder {
    std::string path;  ///< absolute
    std::vector<RemoteEntry> entries;
};

class RemoteHost;

/// The folders on the machine of a model; the connection is kept as long as this.
class RemoteFolders {
public:
    /// `model`: any there. Throws UsageError.
    explicit RemoteFolders(const std::string& model);
    /// The folder that contains the file `path`, or that `path` is; "~/" begins in the home folder. Throws Error.
    RemoteFolder list(const std::string& path, const Progress& progress) const;

private:
    std::shared_ptr<RemoteHost> host_;
};

/// Why the connection of the session is broken: one sentence. Empty: it is not, or there is none.
std::string whyDisconnected(const Session& session);
/// Connects again if it is, and opens there what was open there. Throws Error if that is not the same any more;
/// Cancelled.
void reconnect(const Session& session, const Progress& progress);

}  // namespace aotscope
