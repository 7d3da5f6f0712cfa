#include "session/remote/remote_files.h"

#include "load/files_here.h"
#include "session/remote/remote_host.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr std::size_t kLargestPiece = std::size_t{4} << 20;

class FileThere final : public OpenFile {
public:
    FileThere(std::shared_ptr<RemoteHost> host, std::string file, Progress progress)
        : host_(std::move(host)), file_(std::move(file)), progress_(std::move(progress)) {}

    std::size_t readAt(std::uint64_t offset, char* buffer, std::size_t count) const override {
        std::size_t done = 0;
        while (done < count) {
            const std::size_t wanted = std::min(count - done, kLargestPiece);
            const std::size_t got = readPiece(offset + done, buffer + done, wanted);
            done += got;
            if (got < wanted) break;
        }
        return done;
    }

private:
    std::size_t readPiece(std::uint64_t offset, char* buffer, std::size_t count) const {
        const auto reply = host_->connection(progress_)->call(
            "piece", {{"path", file_}, {"offset", offset}, {"count", count}}, progress_);
        return readAnswer(host_->there(), [&] {
            const std::string_view bytes = bytesOf(reply.result, "bytes");
            if (bytes.size() > count) throw Error("it has more of '" + file_ + "' than was requested");
            return bytes.copy(buffer, bytes.size());
        });
    }

    std::shared_ptr<RemoteHost> host_;
    std::string file_;
    Progress progress_;
};

class FilesThere final : public FileAccess {
public:
    explicit FilesThere(std::shared_ptr<RemoteHost> host) : host_(std::move(host)) {}

    std::unique_ptr<const OpenFile> open(const std::filesystem::path& file, const Progress& progress) const override {
        const auto path = host_->there().isHere() ? std::filesystem::absolute(file) : file;
        return std::make_unique<const FileThere>(host_, path.string(), progress);
    }

private:
    std::shared_ptr<RemoteHost> host_;
};

}  // namespace

std::shared_ptr<const FileAccess> filesOf(const std::shared_ptr<RemoteHost>& host) {
    return host ? std::make_shared<const FilesThere>(host) : filesHere();
}

}  // namespace aotscope
