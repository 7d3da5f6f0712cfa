#include "io/session/session_file.h"

#include "io/session/document.h"
#include "program/files/archive.h"
#include "program/files/archive_writer.h"
#include "support/file.h"
#include "support/json/bounded_json.h"
#include "support/mapped_file.h"

#include <algorithm>
#include <chrono>

namespace aotscope {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFormat = "aotscope session";
constexpr const char* kSummary = "session.json";
constexpr const char* kContent = "content.cbor";
constexpr const char* kModels = "model/";
constexpr std::uint64_t kLargestSummary = 1 << 20, kLargestContent = std::uint64_t{4} << 30;

nlohmann::json summary(const SessionContent& content) {
    const CompileRecord& record = *content.record;
    nlohmann::json graphs = nlohmann::json::object();
    for (const auto& [kind, graph] : record.graphs) graphs[std::string(name(kind))] = graph->callCount();
    const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
    return {{"format", kFormat},
            {"schema", kSessionSchema},
            {"saved", now.time_since_epoch().count()},
            {"torch", record.model.torchVersion},
            {"model", {{"name", record.model.name}, {"kind", record.model.kind}, {"hash", content.model.hash}}},
            {"graphs", std::move(graphs)}};
}

class ArchiveFile {
public:
    explicit ArchiveFile(const fs::path& path) : file_(MappedFile::open(path)), archive_(file_->text()) {}

    std::string read(const std::string& name, std::uint64_t limit) {
        if (!archive_.contains(name)) throw Error("it has no record '" + name + "'");
        if (archive_.record(name).size > limit) throw Error("its record '" + name + "' is too large");
        return archive_.read(name);
    }
    std::uint64_t packedSize(const std::string& name) const { return archive_.record(name).packedSize; }
    std::string firstUnder(const std::string& folder) const {
        const auto found = archive_.records().lower_bound(folder);
        return found != archive_.records().end() && found->first.starts_with(folder) ? found->first : std::string();
    }

private:
    std::shared_ptr<const MappedFile> file_;
    ZipArchive archive_;
};

void requireReadable(const nlohmann::json& summary) {
    const auto schema = summary.is_object() ? summary.find("schema") : summary.end();
    if (!summary.is_object() || summary.value("format", nlohmann::json()) != kFormat || schema == summary.end() ||
        !schema->is_number_integer())
        throw Error("it has no format version");
    requireKnownSchema(summary, kSessionSchema);
    if (*schema < 1) throw Error("its format version " + schema->dump() + " is impossible");
}

/// Null if it is not JSON.
nlohmann::json parsedSummary(const std::string& text) {
    try {
        return parseBounded(text, {.distinct = true});
    } catch (const Error& e) {
        throw Error("its record '" + std::string(kSummary) + "' " + e.what());
    } catch (const nlohmann::json::exception&) {
        return nullptr;
    }
}

SessionFile readArchive(const fs::path& path, const Progress& progress) {
    ArchiveFile archive(path);
    requireReadable(parsedSummary(archive.read(kSummary, kLargestSummary)));
    progress.throwIfCancelled();
    const std::string document = archive.read(kContent, kLargestContent);
    progress.throwIfCancelled();
    return {decodeSession(document, archive.packedSize(kContent)), archive.firstUnder(kModels)};
}

/// Runs `job` on the file at `path`; turns any problem with it into one sentence.
template <typename Job>
auto onSession(const fs::path& path, Job&& job) {
    const auto fail = [&](std::string_view what) {
        const bool advised = what.find(';') != std::string_view::npos;
        throw Error("cannot open the session '" + path.string() + "': " + std::string(what) +
                    (advised ? "" : "; open another copy of it, or make it again from its model"));
    };
    try {
        return job();
    } catch (const Error& e) {
        fail(e.what());
    }
    throw std::logic_error("not reached");
}

void addModel(ArchiveWriter& archive, const fs::path& path, const OpenFile& model) {
    if (!archive.add(kModels + path.filename().string(), [&](const ByteSink& sink) { model.readAll(sink); }))
        throw Error("the model '" + path.string() + "' has changed while it was saved; open it again");
}

}  // namespace

void writeSessionFile(const fs::path& path, const SessionContent& content, const Progress& progress,
                      const FileAccess& models) {
    const std::string document = encodeSession(content);
    progress.throwIfCancelled();
    const auto model = content.embeddedModel.empty() ? nullptr : models.open(content.embeddedModel, progress);
    writeFileAtomically(path, [&](const ByteSink& file) {
        const ByteSink sink = [&](std::string_view bytes) {
            progress.throwIfCancelled();
            file(bytes);
        };
        ArchiveWriter archive(sink);
        archive.add(kSummary, summary(content).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n",
                    false);
        archive.add(kContent, document, true);
        if (model) addModel(archive, content.embeddedModel, *model);
        archive.finish();
    });
}

SessionSummary readSessionSummary(const fs::path& path) {
    return onSession(path, [&] {
        const auto summary = parsedSummary(ArchiveFile(path).read(kSummary, kLargestSummary));
        requireReadable(summary);
        const auto model = summary.value("model", nlohmann::json::object());
        const auto name = model.is_object() ? model.value("name", nlohmann::json()) : nlohmann::json();
        const auto saved = summary.value("saved", nlohmann::json());
        return SessionSummary{name.is_string() ? name.get<std::string>() : "",
                              saved.is_number_integer() ? saved.get<std::int64_t>() : 0};
    });
}

SessionFile readSessionFile(const fs::path& path, const Progress& progress) {
    return onSession(path, [&] { return readArchive(path, progress); });
}

namespace {

/// The record of a model as a plain file name without folders.
std::string fileName(const std::string& record) {
    constexpr std::size_t kLongest = 200;
    const std::string name = fs::path(record).filename().string();
    const bool plain = std::ranges::all_of(name, [](unsigned char c) { return c >= ' ' && c != 0x7f; });
    const bool usable = plain && !name.empty() && name != "." && name != ".." && name.size() <= kLongest;
    return usable ? name : "model";
}

}  // namespace

fs::path extractModel(const fs::path& session, const std::string& record, const fs::path& folder) {
    return onSession(session, [&] {
        ArchiveFile archive(session);
        fs::path target = folder / fileName(record);
        writeFileAtomically(target, archive.read(record, UINT64_MAX));
        return target;
    });
}

}  // namespace aotscope
