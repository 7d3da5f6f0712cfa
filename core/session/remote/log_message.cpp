#include "session/remote/log_message.h"

#include "io/session/packed.h"

namespace aotscope {

namespace session_format {

namespace {

/// There are millions of records: their numbers are digits to the base 32, the last of which is marked.
constexpr char kDigits = '0';
constexpr std::uint64_t kLast = 32;

void append(std::string& text, std::uint64_t number) {
    for (; number >= kLast; number /= kLast) text += static_cast<char>(kDigits + number % kLast);
    text += static_cast<char>(kDigits + kLast + number);
}

std::uint64_t takeNumber(std::string_view& text) {
    std::uint64_t number = 0;
    for (int shift = 0; shift < 64 && !text.empty(); shift += 5) {
        const auto digit = static_cast<std::uint64_t>(static_cast<unsigned char>(text.front()) - kDigits);
        text.remove_prefix(1);
        number |= digit % kLast << shift;
        if (digit >= 2 * kLast) break;
        if (digit >= kLast) return number;
    }
    failAt("record");
}

std::uint32_t takeSmall(std::string_view& text) {
    const std::uint64_t number = takeNumber(text);
    if (!std::in_range<std::uint32_t>(number)) failAt("record");
    return static_cast<std::uint32_t>(number);
}

/// Places and lines from those of the record before.
std::string written(const std::vector<LogRecord>& records) {
    std::string text;
    LogRecord before;
    for (const LogRecord& record : records) {
        append(text, record.offset - before.offset);
        append(text, record.line - before.line);
        for (const std::uint64_t number :
             {record.payload, std::uint64_t{record.head}, std::uint64_t{record.name}, std::uint64_t{record.attempt}})
            append(text, number);
        before = record;
    }
    return text;
}

std::vector<LogRecord> recordsIn(std::string_view text) {
    std::vector<LogRecord> records;
    LogRecord record;
    while (!text.empty()) {
        record.offset += takeNumber(text);
        record.line += takeNumber(text);
        record.payload = takeNumber(text);
        record.head = takeSmall(text);
        record.name = takeSmall(text);
        record.attempt = takeSmall(text);
        records.push_back(record);
    }
    return records;
}

template <typename Io, typename Records>
void recordFields(Io& io, const char* key, Records& records) {
    std::string text = written(records);
    io(key, text);
    if constexpr (!std::is_const_v<Records>) records = recordsIn(text);
}

}  // namespace

template <>
inline constexpr bool kAsRow<CodePlace> = true;

AOTSCOPE_FIELDS(CodePlace, file, line, function, code)
AOTSCOPE_FIELDS(LogProblem, line, text)

template <typename Io, Is<TracedCompile> T>
void fields(Io& io, T& v) {
    io("id", v.id), io("session", v.session), io("code", v.code), io("symbols", v.symbols);
    recordFields(io, "records", v.records);
}

template <typename Io, Is<TraceLog> T>
void fields(Io& io, T& v) {
    io("path", v.path), io("written", v.written), io("bytes", v.bytes), io("lines", v.lines), io("rank", v.rank);
    io("names", v.names), io("sources", v.sources), io("compiles", v.compiles), io("problems", v.problems);
    io("moreProblems", v.moreProblems), io("recordCount", v.recordCount);
    recordFields(io, "outside", v.outside);
}

}  // namespace session_format

namespace {

void requireNames(const TraceLog& log, const std::vector<LogRecord>& records) {
    for (const LogRecord& record : records)
        if (record.name >= log.names.size()) throw Error("it has a record without a name");
}

}  // namespace

std::string packedLog(const TraceLog& log) { return session_format::packed(log); }

TraceLog unpackedLog(std::string_view bytes) {
    auto log = session_format::unpacked<TraceLog>(bytes);
    requireNames(log, log.outside);
    for (const TracedCompile& compile : log.compiles) requireNames(log, compile.records);
    return log;
}

}  // namespace aotscope
