#include "load/files_here.h"

#include "load/trace_log/rank_logs.h"
#include "load/trace_log/trace_indexer.h"
#include "support/input_file.h"

namespace aotscope {

namespace {

class FileHere final : public OpenFile {
public:
    FileHere(const std::filesystem::path& file, Progress progress) : file_(file), progress_(std::move(progress)) {}

    std::size_t readAt(std::uint64_t offset, char* buffer, std::size_t count) const override {
        progress_.throwIfCancelled();
        return file_.readAt(offset, buffer, count);
    }

private:
    InputFile file_;
    Progress progress_;
};

class FilesHere final : public FileAccess {
public:
    std::unique_ptr<const OpenFile> open(const std::filesystem::path& file, const Progress& progress) const override {
        return std::make_unique<const FileHere>(file, progress);
    }
    std::vector<std::filesystem::path> logsAt(const std::filesystem::path& place,
                                              const Progress& /*progress*/) const override {
        return anyTraceLogsAt(place);
    }
    std::shared_ptr<const TraceLog> readLog(const std::filesystem::path& log, const Progress& progress) const override {
        return std::make_shared<const TraceLog>(indexTrace(log, progress));
    }
};

}  // namespace

const std::shared_ptr<const FileAccess>& filesHere() {
    static const std::shared_ptr<const FileAccess> here = std::make_shared<const FilesHere>();
    return here;
}

}  // namespace aotscope
