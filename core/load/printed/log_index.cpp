#include "load/printed/log_index.h"

#include "load/printed/export_signature.h"
#include "load/printed/exported_graph.h"
#include "load/printed/line_reader.h"
#include "load/printed/log_line.h"
#include "load/printed/section_grouping.h"
#include "load/printed/section_kinds.h"
#include "load/trace_log/trace_graphs.h"
#include "load/trace_log/trace_indexer.h"
#include "support/error.h"

#include <algorithm>
#include <map>
#include <optional>

namespace aotscope {

namespace {

constexpr std::uint64_t kLargestGraph = std::uint64_t{1} << 30;

bool isHeading(std::string_view text) { return text.ends_with(" =====") && text.find("===== ") < 4; }
bool isClassLine(std::string_view text) {
    return text.ends_with("(torch.nn.Module):") && text.find("class ") != std::string_view::npos;
}

std::size_t indentOf(std::string_view text) { return std::min(text.find_first_not_of(" \t"), text.size()); }

/// A class that starts a graph, not one nested in another that is indented like `base`.
bool isTopClass(std::string_view text, std::size_t base) {
    if (!isClassLine(text)) return false;
    const auto indent = indentOf(text);
    return !text.substr(indent).starts_with("class ") || indent <= base;
}

/// Goes through the lines and notes where graphs begin and end.
class Indexer {
public:
    explicit Indexer(LogIndex& index) : groups_(index) {}

    void line(const FileLine& line) {
        const auto prefix = readLogPrefix(line.text);
        const auto text = line.text.substr(prefix.length);
        if (prefix.length) return logged(line, prefix, text);
        bare(line, text);
    }

    void finish() {
        closeBare();
        for (auto& [key, stream] : streams_) close(stream);
        // Messages of several places end in another order than they begin.
        std::stable_sort(found_.begin(), found_.end(),
                         [](const Open& a, const Open& b) { return a.section.offset < b.section.offset; });
        const auto intermediate = [](const Open& open) { return isIntermediate(open.section.title); };
        if (!std::ranges::all_of(found_, intermediate)) std::erase_if(found_, intermediate);
        for (auto& open : found_) groups_.add(std::move(open.section), open.origin);
    }

private:
    struct Open {
        PrintedSection section;
        SectionOrigin origin;
        std::uint64_t end = 0;
        std::size_t indent = 0;
    };
    /// Lines of one place in PyTorch's source: messages of several processes may be interleaved.
    struct Stream {
        std::optional<Open> open;
        std::string heading, id;
    };

    void close(Stream& stream) {
        if (stream.open) store(*stream.open);
        stream.open.reset();
    }
    void closeBare() {
        if (bare_) store(*bare_);
        bare_.reset();
        inSignature_ = false;
    }
    void store(Open& open) {
        open.section.bytes = open.end - open.section.offset;
        found_.push_back(std::move(open));
    }

    static Open begin(const FileLine& line, std::string_view text, std::string heading, std::string id) {
        Open open;
        while (heading.starts_with(' ') || heading.starts_with('=')) heading.erase(0, 1);
        while (heading.ends_with(' ') || heading.ends_with('=')) heading.pop_back();
        open.section.kind = kindOfHeading(heading);
        open.section.title = heading;
        open.section.offset = line.offset;
        open.section.line = line.number;
        open.end = line.next;
        open.origin.id = std::move(id);
        // "Joint graph 3": the number of the AOTAutograd call.
        const auto number = heading.substr(heading.rfind(' ') + 1);
        if (open.section.kind != PrintedKind::unknown && number.find_first_not_of("0123456789") == std::string::npos)
            open.origin.number = number;
        const auto indent = indentOf(text);
        open.indent = text.substr(indent).starts_with("class ") || text.substr(indent).starts_with("def ") ? indent : 0;
        return open;
    }

    // --- lines behind a log prefix ---

    void logged(const FileLine& line, const LogPrefix& prefix, std::string_view text) {
        closeBare();
        if (!prefix.compileId.empty()) lastId_ = prefix.compileId;
        hintOf(text, prefix);
        const auto known = streams_.find(std::string_view(prefix.key));
        Stream* stream = known == streams_.end() ? nullptr : &known->second;
        const bool heading = isHeading(text);
        const bool first = isTopClass(text, stream && stream->open ? stream->open->indent : indentOf(text));
        if (stream && stream->open && !heading && !first && text != "TRACED GRAPH") {
            stream->open->end = line.next;
            return;
        }
        if (stream) close(*stream);
        if (heading) {
            if (!stream) stream = &streamFor(prefix);
            stream->heading = text;
        }
        lastHeading_ = heading ? std::string(text) : std::string();
        if (text.starts_with("aot_config id: ")) return metadata(line, prefix, text);
        if (!first) return;
        if (!stream) stream = &streamFor(prefix);
        stream->open = begin(line, text, stream->heading, std::string(prefix.compileId));
        stream->open->section.key = prefix.key;
        stream->open->origin.process = processOf(prefix);
        stream->heading.clear();
    }

    /// "aot_config id: 0, fw_metadata=ViewAndMutationMeta(...": the next graph is of the same AOTAutograd call.
    void metadata(const FileLine& line, const LogPrefix& prefix, std::string_view text) {
        constexpr std::string_view words = "aot_config id: ";
        Open open = begin(line, text, {}, std::string(prefix.compileId));
        open.section.kind = PrintedKind::metadata;
        open.section.title = "fw_metadata";
        open.section.key = prefix.key;
        open.origin.process = processOf(prefix);
        open.origin.number = text.substr(words.size(), text.find(',') - words.size());
        store(open);
    }

    static std::string processOf(const LogPrefix& prefix) {
        return std::string(prefix.key.substr(0, prefix.key.find(' ')));
    }

    Stream& streamFor(const LogPrefix& prefix) { return streams_[std::string(prefix.key)]; }

    /// "create_symbol s97 = 6 for L['a'].size()[0]" of TORCH_LOGS=dynamic
    void hintOf(std::string_view text, const LogPrefix& prefix) {
        constexpr std::string_view words = "create_symbol ";
        if (!text.starts_with(words)) return;
        text.remove_prefix(words.size());
        const auto equals = text.find(" = ");
        if (equals == std::string_view::npos) return;
        const auto value = text.substr(equals + 3);
        groups_.hint({std::string(prefix.compileId), {}, {}, false}, text.substr(0, equals),
                     value.substr(0, value.find(' ')));
    }

    // --- lines without a prefix ---

    void bare(const FileLine& line, std::string_view text) {
        const auto indent = indentOf(text);
        if (indent == text.size()) return;
        const bool definition = text.starts_with("def forward(");
        const bool first = isTopClass(text, bare_ ? bare_->indent : indent);
        if (bare_ && indent > bare_->indent && !first) {
            bare_->end = line.next;
            return;
        }
        if (bare_ && !first && !definition && belongsToSignature(text.substr(indent))) {
            bare_->end = line.next;
            return;
        }
        closeBare();
        if (first || definition) {
            bare_ = begin(line, text, lastHeading_, lastId_);
            lastHeading_.clear();
        } else if (isHeading(text) || kindOfHeading(text) != PrintedKind::unknown) {
            lastHeading_ = text;
        }
    }

    /// Below the graph of a printed ExportedProgram stands what its inputs and outputs are.
    bool belongsToSignature(std::string_view text) {
        if (beginsSignature(text)) inSignature_ = true;
        else if (text.starts_with("Range constraints") || isHeading(text)) inSignature_ = false;
        return inSignature_;
    }

    SectionGrouping groups_;
    std::map<std::string, Stream, std::less<>> streams_;
    std::optional<Open> bare_;
    bool inSignature_ = false;  ///< of what is in `bare_`
    std::string lastHeading_, lastId_;
    std::vector<Open> found_;
};

}  // namespace

bool looksLikeText(const std::filesystem::path& path) {
    const std::string text = beginningOf(path, 4096);
    const bool plain = !text.starts_with("PK\x03\x04") && text.find('\0') == std::string::npos;
    return !text.empty() && (plain || looksLikeTrace(path));  // a log may have been written over, with holes in it
}

namespace {

/// Graphs behind headings of TORCH_LOGS, or without any.
LogIndex indexText(const std::filesystem::path& path, const Progress& progress) {
    LogIndex index;
    index.path = path;
    if (looksLikeExportedGraph(beginningOf(path, 4096))) {
        index.exported = true;
        index.compiles = {{"0", {{.kind = PrintedKind::exported}}, {}}};
        return index;
    }
    Indexer indexer(index);
    LineReader reader(path);
    FileLine line;
    for (std::size_t count = 0; reader.next(line); ++count) {
        if (count % 65536 == 0) progress.throwIfCancelled();
        indexer.line(line);
        if (line.shortened && line.text.ends_with('\0')) break;  // no text any more: a hole that may be without end
    }
    indexer.finish();
    index.bytes = reader.position();
    return index;
}

}  // namespace

LogIndex indexLog(const std::filesystem::path& path, const Progress& progress) {
    LogIndex index = looksLikeTrace(path) ? graphsIn(std::make_shared<const TraceLog>(indexTrace(path, progress)))
                                          : indexText(path, progress);
    std::erase_if(index.compiles, [](const PrintedCompile& compile) {
        return std::all_of(compile.sections.begin(), compile.sections.end(),
                           [](const PrintedSection& s) { return s.kind == PrintedKind::metadata; });
    });
    return index;
}

PrintedText readSection(const LogIndex& index, const PrintedSection& section) {
    PrintedText result;
    result.file = index.path.filename().string();
    if (section.bytes > kLargestGraph)
        throw Error(result.file + ", line " + std::to_string(section.line) + ": the printed graph has " +
                    std::to_string(section.bytes) + " bytes; at most 1 GB is read");
    result.text.reserve(section.bytes);
    LineReader reader(index.path, section.offset, section.bytes);
    ColourFilter plain;
    FileLine line;
    while (reader.next(line)) {
        if (line.shortened)
            throw Error(result.file + ", line " + std::to_string(section.line + line.number - 1) +
                        ": the line is longer than 16 MB; cut it");
        auto text = line.text;
        if (section.payload) {
            text.remove_prefix(std::min<std::size_t>(1, text.size()));  // a damaged log has lines that are empty
        } else {
            const auto prefix = readLogPrefix(text);
            if (prefix.key != section.key) continue;
            text.remove_prefix(prefix.length);
        }
        result.text += plain(text);
        result.text += '\n';
        result.lines.push_back(section.line + line.number - 1);
    }
    return result;
}

}  // namespace aotscope
