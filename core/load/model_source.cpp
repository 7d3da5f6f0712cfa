#include "load/model_source.h"

#include "load/printed/exported_graph.h"
#include "load/printed/log/plain_line.h"
#include "load/printed/syntax/graph_start.h"
#include "load/printed/syntax/log_line.h"
#include "record/model_kind.h"
#include "support/input_file.h"
#include "support/text_encoding.h"

#include <algorithm>
#include <string_view>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSeen = 4096;
constexpr std::string_view kZip = "PK\x03\x04";
/// The first record of a session file, in the folder of all of them; it follows the zip header.
constexpr std::string_view kSessionRecord = "archive/session.json";
constexpr std::size_t kLocalHeader = 30;

bool isSession(const fs::path& file, std::string_view bytes) {
    if (bytes.starts_with(kZip) && bytes.substr(std::min(kLocalHeader, bytes.size())).starts_with(kSessionRecord))
        return true;
    std::error_code failure;
    return namesSessionFile(file.native()) && fs::is_regular_file(file, failure);
}

/// Whether `test` holds for any line.
template <typename Test>
bool anyLine(std::string_view text, Test&& test) {
    for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size() - 1) + 1)
        if (test(text.substr(at, text.find('\n', at) - at))) return true;
    return false;
}

bool isTraceLine(std::string_view line) {
    const auto prefix = readLogPrefix(line);
    return prefix.length && line.substr(prefix.length).starts_with("{\"");
}

/// Bytes that do not occur in text, except the zeros that remain where a log was truncated while being written.
bool isControl(char c) {
    return c == '\x7f' ||
           (c >= '\x01' && c < ' ' && std::string_view("\t\n\r\f\x1b").find(c) == std::string_view::npos);
}

/// A text that contains zeros is searched for graphs if it has log lines.
bool isText(std::string_view text) {
    if (text.find('\0') == std::string_view::npos) return !text.empty();
    return std::ranges::none_of(text, isControl) && anyLine(text, [plain = PlainLine()](auto given) mutable {
               const auto line = plain(given);
               return readLogPrefix(line).length || formBegunBy(line) != GraphForm::none;
           });
}

}  // namespace

ModelSource recogniseFile(const fs::path& place) {
    std::error_code failure;
    const auto status = fs::status(place, failure);
    if (fs::is_directory(status)) return ModelSource::folder;
    if (!fs::exists(status) && place.native().find_first_of("*?") != std::string::npos) return ModelSource::pattern;
    const std::string bytes = beginningOf(place, kSeen);
    if (isSession(place, bytes)) return ModelSource::session;
    if (bytes.starts_with(kZip)) return ModelSource::program;
    const std::string text = toUtf8(bytes);
    if (anyLine(text, isTraceLine)) return ModelSource::trace;
    if (!isText(text)) return ModelSource::program;
    return looksLikeExportedGraph(text) ? ModelSource::exportedGraph : ModelSource::text;
}

ModelSource recognise(const std::string& model) {
    return isSample(model)   ? ModelSource::sample
           : isScript(model) ? ModelSource::script
           : isRemote(model) ? ModelSource::remote
                             : recogniseFile(model);
}

}  // namespace aotscope
