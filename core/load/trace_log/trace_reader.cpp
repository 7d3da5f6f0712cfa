#include "load/trace_log/trace_reader.h"

#include "load/printed/syntax/line_reader.h"
#include "load/printed/syntax/log_line.h"
#include "load/trace_log/envelope.h"
#include "support/error.h"
#include "support/formatted.h"
#include "support/json/bounded_json.h"

#include <boost/uuid/detail/md5.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace aotscope {

namespace {

std::string md5(std::string_view text) {
    boost::uuids::detail::md5 hash;
    hash.process_bytes(text.data(), text.size());
    boost::uuids::detail::md5::digest_type digest;
    hash.get_digest(digest);
    std::string hex;
    // Bytes or, in older versions of Boost, words.
    for (const auto part : digest) hex += formatted(sizeof part == 1 ? "%02x" : "%08x", static_cast<unsigned>(part));
    return hex;
}

}  // namespace

TraceReader::TraceReader(const TraceLog& log, const Progress& progress)
    : log_(log), file_(log.files->open(log.path, progress)), encoding_(encodingIn(*file_)) {}

std::string TraceReader::bytes(std::uint64_t offset, std::uint64_t count, std::uint64_t line) const {
    const auto place = log_.path.filename().string() + ", line " + std::to_string(line);
    if (count > kLargest)
        throw Error(place + ": the record has " + formatBytes(static_cast<std::int64_t>(count)) +
                    "; at most 256 MB are read");
    std::string text(static_cast<std::size_t>(count), '\0');
    if (file_->readAt(offset, text.data(), text.size()) != text.size())
        throw Error(place + ": the file has become shorter since it was opened; open it again");
    return encoding_ == TextEncoding::utf8 ? text : toUtf8(text, encoding_);
}

std::string TraceReader::head(const LogRecord& record) const {
    std::string line = bytes(record.offset, record.head, record.line);
    while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
    return line.substr(readLogPrefix(line).length);
}

std::string TraceReader::payload(const LogRecord& record) const {
    const std::string written = bytes(record.offset + record.head, record.payload, record.line);
    std::string text;
    text.reserve(written.size());
    for (std::size_t at = 0; at < written.size();) {
        const auto end = std::min(written.find('\n', at), written.size());
        if (at > 0) text += '\n';
        text.append(written, at + (written[at] == '\t' ? 1 : 0), end - at - (written[at] == '\t' ? 1 : 0));
        at = end + 1;
    }
    return text;
}

bool TraceReader::isWhole(const LogRecord& record) const {
    const std::string first = head(record);
    const auto envelope = readEnvelope(first);
    if (!envelope || envelope->hash.size() != 32) return true;
    return envelope->hash == md5(payload(record));
}

nlohmann::json TraceReader::metadata(const LogRecord& record) const {
    const std::string first = head(record);
    const auto all = parseBounded(first);  // the record's own member comes first, and is not named like an artifact
    return all.at(first.substr(2, first.find('"', 2) - 2));
}

}  // namespace aotscope
