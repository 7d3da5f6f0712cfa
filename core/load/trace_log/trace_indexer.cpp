#include "load/trace_log/trace_indexer.h"

#include "load/files_here.h"
#include "load/printed/syntax/log_line.h"
#include "load/trace_log/envelope.h"
#include "load/trace_log/stack_json.h"
#include "load/trace_log/symbols_of_sizes.h"
#include "load/trace_log/trace_reader.h"
#include "support/json/bounded_json.h"
#include "support/names.h"
#include "support/quoted.h"

#include <algorithm>
#include <charconv>

namespace aotscope {

namespace {

constexpr std::uint64_t kMostRecords = 8'000'000;
constexpr std::size_t kMostProblems = 100, kMostSources = 1'000'000, kMostRecordNames = 100'000;
constexpr std::size_t kLargestHead = std::size_t{4} << 20;

/// The stacks of PyTorch 2.4 and 2.5 end before the compiled function.
bool isDynamosOwn(const CodePlace& place) { return place.file.ends_with("torch/_dynamo/convert_frame.py"); }

}  // namespace

TraceIndexer::TraceIndexer(std::filesystem::path path) {
    log_.path = std::move(path);
    log_.files = filesHere();
}

bool TraceIndexer::advance(const Progress& progress) {
    tail_.reset();
    std::error_code unknown;
    log_.written = std::filesystem::last_write_time(log_.path, unknown).time_since_epoch().count();
    LineReader reader(log_.files->open(log_.path, progress), position_);
    FileLine line;
    bool more = false;
    for (std::size_t count = 0; reader.next(line); ++count) {
        if (count % 65536 == 0) progress.throwIfCancelled();
        more = true;
        line.number = lineNumber_ + 1;
        const bool ended = line.shortened || line.ended;
        if (line.shortened && line.text.ends_with('\0')) {  // a possibly endless hole
            problem(line.number, "zeros from here on: the rest is not read");
            break;
        }
        this->line(line, ended);
        if (!ended) break;  // read again when more is available
        lineNumber_ = line.number;
        position_ = line.next;
    }
    log_.bytes = reader.position();
    log_.lines = lineNumber_;
    return more;
}

void TraceIndexer::line(const FileLine& line, bool ended) {
    if (line.text.starts_with('\t')) return payloadLine(line, ended);
    const auto prefix = readLogPrefix(line.text);
    if (prefix.length && line.text.substr(prefix.length).starts_with("{\"")) return record(line, prefix.length, ended);
    if (line.text.find_first_not_of(" \r") == std::string_view::npos) return;
    inRecord_ = false;
    auto text = "not a record of TORCH_TRACE: " + inQuotes(line.text.substr(0, 200));
    if (ended) problem(line.number, std::move(text));
    else tail_ = {line.number, "the log ends within a record"};
}

void TraceIndexer::payloadLine(const FileLine& line, bool ended) {
    if (!inRecord_) return;  // of an unreadable record, which is already reported
    if (!hasPayload_) {
        inRecord_ = false;
        return problem(line.number, "a payload of a record that announces none");
    }
    auto& records = owner_ ? log_.compiles[*owner_].records : log_.outside;
    records.back().payload = line.next - records.back().offset - records.back().head;
    if (!ended) tail_ = {line.number, "the log ends within a payload"};
    if (event_ == Event::chromium && line.text == "\t\"name\": \"dynamo\",") event_ = Event::ofDynamo;
    else if (event_ == Event::ofDynamo && owner_ && line.text == "\t\"ph\": \"B\",")
        starts_[*owner_].event = records.size() - 1;
}

void TraceIndexer::record(const FileLine& line, std::size_t prefix, bool ended) {
    inRecord_ = false;
    const auto text = line.text.substr(prefix);
    const auto envelope = line.shortened ? std::nullopt : readEnvelope(text);
    if (!ended) {
        tail_ = {line.number, "the log ends within a record"};
        return;
    }
    if (!envelope) return problem(line.number, "an incomplete record: " + inQuotes(text.substr(0, 200)));
    if (full_ || log_.recordCount >= kMostRecords || nameNumbers_.size() > kMostRecordNames) {
        if (!full_) problem(line.number, "more than " + grouped(kMostRecords) + " records: the rest is not read");
        full_ = true;
        return;
    }
    keep(*envelope, line, text);
}

void TraceIndexer::keep(const Envelope& envelope, const FileLine& line, std::string_view text) {
    auto name = nameNumbers_.find(envelope.name);
    if (name == nameNumbers_.end()) {
        name = nameNumbers_.emplace(std::string(envelope.name), static_cast<std::uint32_t>(log_.names.size())).first;
        log_.names.emplace_back(envelope.name);
    }
    if (envelope.name == "dynamo_start" && envelope.attempt == 0 && !envelope.compileId.empty()) beginSession(envelope);
    event_ = envelope.name == "chromium_event" ? Event::chromium : Event::none;
    auto& records = recordsOf(envelope);
    records.push_back({.offset = line.offset,
                       .line = line.number,
                       .head = static_cast<std::uint32_t>(line.next - line.offset),
                       .name = name->second,
                       .attempt = envelope.attempt});
    ++log_.recordCount;
    inRecord_ = true;
    hasPayload_ = !envelope.hash.empty();
    if (envelope.rank && !log_.rank) log_.rank = envelope.rank;
    learn(envelope, text, line.number);
}

std::vector<LogRecord>& TraceIndexer::recordsOf(const Envelope& envelope) {
    owner_.reset();
    if (envelope.compileId.empty()) return log_.outside;
    const auto [it, added] = compileNumbers_.try_emplace(envelope.compileId, log_.compiles.size());
    if (added) {
        const auto times = ++occurrences_[envelope.compileId];
        log_.compiles.push_back({.id = envelope.compileId + (times > 1 ? "#" + std::to_string(times) : ""),
                                 .session = session_,
                                 .code = {},
                                 .records = {},
                                 .symbols = {}});
        starts_.emplace_back();
    }
    owner_ = it->second;
    return log_.compiles[it->second].records;
}

/// A compilation that begins again is a different one with the same number: torch._dynamo.reset() was called. Earlier
/// records for it belong to the new one.
void TraceIndexer::beginSession(const Envelope& envelope) {
    const auto known = compileNumbers_.find(envelope.compileId);
    const bool again = known != compileNumbers_.end() && starts_[known->second].begun;
    std::vector<LogRecord> own;
    if (again) {
        const std::size_t old = known->second;
        auto& records = log_.compiles[old].records;
        std::size_t first = starts_[old].event;
        if (first == 0) {
            first = records.size();
            while (first > 0 && log_.names[records[first - 1].name] == "recompile_reasons") --first;
        }
        own.assign(records.begin() + static_cast<std::ptrdiff_t>(first), records.end());
        records.resize(first);
        compileNumbers_.clear();
        ++session_;
    }
    auto& records = recordsOf(envelope);
    records.insert(records.end(), own.begin(), own.end());
    starts_[*owner_] = {.begun = true, .event = 0, .sized = false};
}

/// Collects what the tree shows, and what other records refer to.
void TraceIndexer::learn(const Envelope& envelope, std::string_view text, std::uint64_t line) {
    if (envelope.name == "str" && log_.sources.size() < kMostSources) {
        try {
            const auto entry = parseBounded(text).at("str");
            const auto number = entry.at(1).get<std::size_t>();
            if (number > kMostSources) return;
            if (log_.sources.size() <= number) log_.sources.resize(number + 1);
            log_.sources[number] = entry.at(0).get<std::string>();
        } catch (const std::exception&) {
            problem(line, "the name of a file that cannot be read");
        }
        return;
    }
    if (!owner_) return;
    TracedCompile& compile = log_.compiles[*owner_];
    if (envelope.name == "create_symbol") {
        const auto front = text.substr(0, 300);
        const auto value = firstMember(front, "val");
        std::int64_t number = 0;
        if (std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc{})
            compile.symbols.emplace_back(firstMember(front, "symbol"), number);
    } else if (envelope.name == "compilation_metrics" && text.size() <= kLargestHead && isDynamosOwn(compile.code)) {
        try {
            const auto metrics = parseBounded(text).at("compilation_metrics");
            const auto first = static_cast<std::int64_t>(std::clamp(numberIn(metrics, "co_firstlineno"), 0.0, 1e9));
            compile.code = {textIn(metrics, "co_filename"), first, textIn(metrics, "co_name"), {}};
        } catch (const std::exception&) {  // unreadable, too
        }
    } else if (envelope.name == "dynamo_output_graph" && compile.symbols.empty() && !starts_[*owner_].sized &&
               text.size() <= kLargestHead) {
        starts_[*owner_].sized = true;
        compile.symbols = symbolsOfSizes(log_, compile, text);
    } else if (envelope.name == "dynamo_start" && text.size() <= kLargestHead && !compile.code.known()) {
        try {
            const auto stack = stackIn(parseBounded(text).at("dynamo_start"), "stack", log_.sources);
            if (!stack.empty()) compile.code = stack.back();
        } catch (const std::exception&) {  // the stack is only an explanation
        }
    }
}

void TraceIndexer::problem(std::uint64_t line, std::string text) {
    if (log_.problems.size() < kMostProblems) log_.problems.push_back({line, std::move(text)});
    else ++log_.moreProblems;
}

TraceLog TraceIndexer::log(End end) const {
    TraceLog log = log_;
    finish(log, end);
    return log;
}

TraceLog TraceIndexer::take() && {
    TraceLog log = std::move(log_);
    finish(log, End::final);
    return log;
}

void TraceIndexer::finish(TraceLog& log, End end) const {
    const bool last = inRecord_ && hasPayload_;
    auto& records = owner_ ? log.compiles[*owner_].records : log.outside;
    const bool whole = !last || (!tail_ && TraceReader(log).isWhole(records.back()));
    if (end == End::growing) {
        if (!whole) records.pop_back();
    } else if (tail_) {
        log.problems.push_back(*tail_);
    } else if (!whole) {
        log.problems.push_back({records.back().line, "the log ends within the payload of this record"});
    }
}

TraceLog indexTrace(const std::filesystem::path& path, const Progress& progress) {
    TraceIndexer indexer(path);
    indexer.advance(progress);
    return std::move(indexer).take();
}

}  // namespace aotscope
