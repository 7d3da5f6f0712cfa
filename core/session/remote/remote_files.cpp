#include "session/remote/remote_files.h"

#include "load/files_here.h"
#include "session/remote/log_message.h"
#include "session/remote/remote_host.h"

#include <algorithm>
#include <cstring>
#include <list>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

using session_format::about;

constexpr std::size_t kLargestPiece = std::size_t{4} << 20, kBlock = std::size_t{256} << 10, kMostBlocks = 32;

/// The blocks of files that were read last: the records of logs are small, and lie beside each other.
class KnownBlocks {
public:
    struct Block {
        std::string file;
        std::uint64_t number = 0;
        std::string bytes;
    };

    /// Null if it is not known.
    std::shared_ptr<const Block> find(const std::string& file, std::uint64_t number) {
        const std::scoped_lock lock(mutex_);
        const auto found = std::ranges::find_if(
            blocks_, [&](const auto& block) { return block->number == number && block->file == file; });
        if (found == blocks_.end()) return nullptr;
        blocks_.splice(blocks_.begin(), blocks_, found);
        return blocks_.front();
    }
    void keep(std::shared_ptr<const Block> block) {
        const std::scoped_lock lock(mutex_);
        blocks_.push_front(std::move(block));
        if (blocks_.size() > kMostBlocks) blocks_.pop_back();
    }

private:
    std::mutex mutex_;
    std::list<std::shared_ptr<const Block>> blocks_;  ///< the last one first
};

class FileThere final : public OpenFile {
public:
    FileThere(std::shared_ptr<RemoteHost> host, std::string file, std::shared_ptr<KnownBlocks> known, Progress progress)
        : host_(std::move(host)), file_(std::move(file)), known_(std::move(known)), progress_(std::move(progress)) {}

    std::size_t readAt(std::uint64_t offset, char* buffer, std::size_t count) const override {
        std::size_t done = 0;
        while (done < count) {
            const bool small = count - done < kBlock;
            const std::size_t wanted = small ? std::min(count - done, kBlock - (offset + done) % kBlock)
                                             : std::min(count - done, kLargestPiece);
            const std::size_t got = small ? readInBlock(offset + done, buffer + done, wanted)
                                          : readPiece(offset + done, wanted).copy(buffer + done, wanted);
            done += got;
            if (got < wanted) break;
        }
        return done;
    }

private:
    std::size_t readInBlock(std::uint64_t offset, char* buffer, std::size_t count) const {
        const std::uint64_t number = offset / kBlock;
        auto block = known_->find(file_, number);
        if (!block) {
            block = std::make_shared<const KnownBlocks::Block>(
                KnownBlocks::Block{file_, number, readPiece(number * kBlock, kBlock)});
            known_->keep(block);  // what is added later is not of the log that this is for
        }
        const auto start = static_cast<std::size_t>(offset % kBlock);
        return start < block->bytes.size() ? block->bytes.copy(buffer, count, start) : 0;
    }
    std::string readPiece(std::uint64_t offset, std::size_t count) const {
        const auto reply = host_->connection(progress_)->call(
            "piece", {{"path", file_}, {"offset", offset}, {"count", count}}, progress_);
        return readAnswer(host_->there(), [&] {
            const std::string_view bytes = bytesOf(reply.result, "bytes");
            if (bytes.size() > count) throw Error("it has more of '" + file_ + "' than was requested");
            return std::string(bytes);
        });
    }

    std::shared_ptr<RemoteHost> host_;
    std::string file_;
    std::shared_ptr<KnownBlocks> known_;
    Progress progress_;
};

class FilesThere final : public FileAccess {
public:
    explicit FilesThere(std::shared_ptr<RemoteHost> host) : host_(std::move(host)) {}

    std::unique_ptr<const OpenFile> open(const fs::path& file, const Progress& progress) const override {
        return std::make_unique<const FileThere>(host_, placeOf(file), known_, progress);
    }
    std::vector<fs::path> logsAt(const fs::path& place, const Progress& progress) const override {
        const auto reply = host_->connection(progress)->call("logs", about(placeOf(place)), progress);
        return session_format::valueIn<std::vector<fs::path>>(host_->there(), reply.result);
    }
    std::shared_ptr<const TraceLog> readLog(const fs::path& log, const Progress& progress) const override {
        return logIn(host_, host_->connection(progress)->call("log", about(placeOf(log)), progress).result);
    }

private:
    std::string placeOf(const fs::path& path) const {
        return (host_->there().isHere() ? fs::absolute(path) : path).string();
    }

    std::shared_ptr<RemoteHost> host_;
    std::shared_ptr<KnownBlocks> known_ = std::make_shared<KnownBlocks>();
};

}  // namespace

std::shared_ptr<const FileAccess> filesOf(const std::shared_ptr<RemoteHost>& host) {
    return host ? std::make_shared<const FilesThere>(host) : filesHere();
}

std::shared_ptr<const TraceLog> logIn(const std::shared_ptr<RemoteHost>& host, const nlohmann::json& answer) {
    auto log = readAnswer(host->there(), [&] { return unpackedLog(bytesOf(answer, "log")); });
    log.files = filesOf(host);  // with the blocks of this log, as it is now
    return std::make_shared<const TraceLog>(std::move(log));
}

}  // namespace aotscope
