#include "session/remote/remote_logs.h"

#include "record/options/remote_model.h"
#include "session/remote/remote_host.h"
#include "support/error.h"
#include "support/formatted.h"
#include "support/quoted.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

using nlohmann::json;

constexpr std::size_t kMostLogs = 64;
constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30, kPiece = std::uint64_t{4} << 20;

std::vector<RemoteLog> logsThere(Connection& connection, const std::string& path, const Progress& progress) {
    const json reply = connection.call("logs", session_format::about(path), progress).result;
    auto logs = session_format::unpackedOf<std::vector<RemoteLog>>(reply, "value");
    for (const RemoteLog& log : logs) {
        // It becomes a local file name.
        if (const fs::path name = log.name; name.empty() || name != name.filename() || name == "..")
            throw Error("the other machine names a log " + inQuotes(log.name) + ", which is not a file name");
    }
    return logs;
}

/// As many as allowed, `wanted` first.
void keepFew(std::vector<RemoteLog>& logs, const std::string& wanted) {
    std::stable_partition(logs.begin(), logs.end(), [&](const RemoteLog& log) { return log.name == wanted; });
    std::uint64_t total = 0;
    std::size_t few = 0;
    while (few < std::min(logs.size(), kMostLogs) && logs[few].bytes <= kMostBytes - total) total += logs[few++].bytes;
    if (few == 0 && !logs.empty())
        throw Error("the log " + inQuotes(logs[0].name) + " has " +
                    formatBytes(static_cast<std::int64_t>(logs[0].bytes)) + "; at most " +
                    formatBytes(static_cast<std::int64_t>(kMostBytes)) +
                    " are read from another machine; run 'aotscope compiles' there");
    logs.resize(few);
    std::ranges::sort(logs, {}, &RemoteLog::name);
}

}  // namespace

std::shared_ptr<const RemoteLogs> RemoteLogs::fetch(Connection& connection, const std::string& path,
                                                    const std::string& wanted,
                                                    const std::shared_ptr<const RemoteLogs>& before,
                                                    const Progress& progress) {
    std::vector<RemoteLog> logs = logsThere(connection, path, progress);
    keepFew(logs, wanted);
    if (before && before->logs_ == logs) return before;
    std::shared_ptr<const RemoteLogs> copies(new RemoteLogs(std::move(logs)));
    copies->receive(connection, progress);
    return copies;
}

std::shared_ptr<const RemoteLogs> RemoteLogs::fetch(const std::string& model, const Progress& progress) {
    RemoteHost host(remoteModel(model));
    return fetch(*host.connection(progress), host.there().model, {}, nullptr, progress);
}

void RemoteLogs::receive(Connection& connection, const Progress& progress) const {
    folder_.require();
    std::uint64_t total = 0, done = 0;
    for (const RemoteLog& log : logs_) total += log.bytes;
    for (const RemoteLog& log : logs_) {
        std::ofstream file(folder() / log.name, std::ios::binary);
        for (std::uint64_t at = 0; at < log.bytes;) {
            progress.enter("receiving logs: " + formatBytes(static_cast<std::int64_t>(done + at)) + " of " +
                           formatBytes(static_cast<std::int64_t>(total)));
            const auto wanted = std::min(kPiece, log.bytes - at);
            const json reply =
                connection.call("piece", {{"path", log.path}, {"offset", at}, {"count", wanted}}, progress).result;
            const std::string_view piece = bytesOf(reply, "bytes");
            if (piece.empty()) break;  // it has shrunk
            if (piece.size() > wanted) throw Error("the other machine sends more of a log than requested");
            file.write(piece.data(), static_cast<std::streamsize>(piece.size()));
            at += piece.size();
        }
        file.close();
        if (!file)
            throw Error("cannot write '" + (folder() / log.name).string() + "': " + std::strerror(errno) +
                        "; the logs need " + formatBytes(static_cast<std::int64_t>(total)) + " there");
        done += log.bytes;
    }
}

void RemoteLogs::remove() const {
    std::error_code ignored;
    fs::remove_all(folder(), ignored);
}

}  // namespace aotscope
