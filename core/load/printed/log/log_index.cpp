#include "load/printed/log/log_index.h"

#include "load/files_here.h"
#include "load/model_source.h"
#include "load/printed/export_signature.h"
#include "load/printed/log/plain_line.h"
#include "load/printed/log/section_grouping.h"
#include "load/printed/log/section_kinds.h"
#include "load/printed/syntax/line_reader.h"
#include "load/printed/syntax/load_args.h"
#include "load/trace_log/trace_graphs.h"
#include "load/trace_log/trace_indexer.h"
#include "support/error.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace aotscope {

namespace {

constexpr std::uint64_t kLargestGraph = std::uint64_t{1} << 30;

bool isHeading(std::string_view text) { return text.ends_with(" =====") && text.find("===== ") < 4; }

std::size_t indentOf(std::string_view text) { return std::min(text.find_first_not_of(" \t"), text.size()); }

/// Whether a line starts a graph, and not a class nested in another one that is indented like `base`.
bool startsGraph(std::string_view text, std::size_t base) {
    const GraphForm form = formBegunBy(text);
    if (form != GraphForm::code) return form != GraphForm::none;
    const auto indent = indentOf(text);
    return !text.substr(indent).starts_with("class ") || indent <= base;
}

/// Reads the lines and records where graphs begin and end.
class Indexer {
public:
    explicit Indexer(LogIndex& index) : groups_(index) {}

    void line(const FileLine& line) {
        const auto plain = plain_(line.text);
        const auto prefix = readLogPrefix(plain);
        if (prefix.length) return logged(line, prefix, plain.substr(prefix.length));
        bare(line, plain);
    }

    void finish() {
        closeBare();
        for (auto& [key, stream] : streams_) close(stream);
        // Interleaved messages end in a different order than they begin.
        std::stable_sort(found_.begin(), found_.end(),
                         [](const Open& a, const Open& b) { return a.section.offset < b.section.offset; });
        leaveOut([](const Open& open) { return isIntermediate(open.section.title); });
        // TORCH_LOGS=graph,graph_code prints the same graphs twice.
        leaveOut([](const Open& open) { return open.form != GraphForm::code && !open.section.key.empty(); });
        for (auto& open : found_) groups_.add(std::move(open.section), open.origin);
    }

private:
    struct Open {
        PrintedSection section;
        SectionOrigin origin;
        std::uint64_t end = 0;
        std::size_t indent = 0;
        GraphForm form = GraphForm::code;
        bool wrapped = false;  ///< see PlainLine
    };
    /// Lines from one place in PyTorch's source: messages of several processes may be interleaved.
    struct Stream {
        std::optional<Open> open;
        std::string heading, id;
    };

    /// Unless all of them match.
    template <typename Predicate>
    void leaveOut(const Predicate& predicate) {
        const auto counts = [](const Open& open) { return open.section.kind != PrintedKind::metadata; };
        if (std::ranges::any_of(found_, [&](const Open& open) { return counts(open) && !predicate(open); }))
            std::erase_if(found_, [&](const Open& open) { return counts(open) && predicate(open); });
    }

    void close(Stream& stream) {
        if (stream.open) store(*stream.open);
        stream.open.reset();
    }
    void closeBare() {
        if (bare_) store(*bare_);
        bare_.reset();
        inSignature_ = false;
        firstLine_.clear();
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
        open.form = std::max(formBegunBy(text), GraphForm::code);
        open.origin.id = std::move(id);
        // "Joint graph 3": the number of the AOTAutograd call.
        const auto number = heading.substr(heading.rfind(' ') + 1);
        if (open.section.kind != PrintedKind::unknown && number.find_first_not_of("0123456789") == std::string::npos)
            open.origin.number = number;
        const auto indent = indentOf(text);
        constexpr std::array words = {"class ", "def ", "graph("};
        const auto begins = [&](const char* word) { return text.substr(indent).starts_with(word); };
        open.indent = std::ranges::any_of(words, begins) ? indent : 0;
        return open;
    }

    // --- lines with a log prefix ---

    void logged(const FileLine& line, const LogPrefix& prefix, std::string_view text) {
        closeBare();
        if (!prefix.compileId.empty()) lastId_ = prefix.compileId;
        hintOf(text, prefix);
        const auto known = streams_.find(std::string_view(prefix.key));
        Stream* stream = known == streams_.end() ? nullptr : &known->second;
        const bool heading = isHeading(text);
        const bool first = startsGraph(text, stream && stream->open ? stream->open->indent : indentOf(text));
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
        stream->open->origin.process = prefix.process;
        stream->heading.clear();
    }

    /// "aot_config id: 0, fw_metadata=ViewAndMutationMeta(...": the next graph belongs to the same AOTAutograd call.
    void metadata(const FileLine& line, const LogPrefix& prefix, std::string_view text) {
        constexpr std::string_view words = "aot_config id: ";
        Open open = begin(line, text, {}, std::string(prefix.compileId));
        open.section.kind = PrintedKind::metadata;
        open.section.title = "fw_metadata";
        open.section.key = prefix.key;
        open.origin.process = prefix.process;
        open.origin.number = text.substr(words.size(), text.find(',') - words.size());
        store(open);
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
        if (bare_ && bare_->wrapped && !plain_.wasWrapped()) closeBare();  // follows the text in a notebook
        if (!firstLine_.empty()) learnHead(text);
        if (bare_ && !bare_->section.head.empty()) {
            const auto length = bare_->section.head.lengthIn(text);
            if (length) text.remove_prefix(*length);
            else if (formBegunBy(text) == GraphForm::none && !text.starts_with("def forward(")) return;  // not in it
            else closeBare();
        }
        const auto indent = indentOf(text);
        if (indent == text.size()) return;
        const bool definition = text.starts_with("def forward(");
        const bool first = startsGraph(text, bare_ ? bare_->indent : indent);
        if (bare_ && !first && !definition && continues(text, indent)) {
            bare_->end = line.next;
            return;
        }
        closeBare();
        if (first || definition) {
            bare_ = begin(line, text, lastHeading_, lastId_);
            bare_->wrapped = plain_.wasWrapped();
            lastHeading_.clear();
            if (first) firstLine_ = text;
        } else if (isHeading(text) || kindOfHeading(text) != PrintedKind::unknown) {
            lastHeading_ = text;
        } else {
            hintOfRepro(text);
        }
    }

    /// Whether a line belongs to the open graph.
    bool continues(std::string_view text, std::size_t indent) {
        if (indent > bare_->indent) return true;
        if (bare_->form == GraphForm::table) return isTableRow(text);
        return belongsToSignature(text.substr(indent)) || beginsLoadArgs(text) ||
               (bare_->form == GraphForm::nodes && text.substr(indent).starts_with("return "));
    }

    /// The indentation of a graph's second line is known: whatever precedes it precedes every line.
    void learnHead(std::string_view text) {
        if (indentOf(text) == text.size()) return;
        const std::string first = std::exchange(firstLine_, {});
        if (!isSecondLine(bare_->form, text)) return bare_.reset();
        const auto [begins, indent] = secondLineOf(bare_->form);
        const auto at = text.find(begins);
        if (at == std::string_view::npos) return;
        const auto end = text.substr(0, at).find_last_not_of(' ');
        if (end == std::string_view::npos) return;
        const auto blanks = at - end - 1;
        LineHead head(text.substr(0, end + 1), blanks - std::min(indent, blanks));
        if (head.lengthIn(first)) bare_->section.head = std::move(head);
    }

    /// "s77 = 6" before the graph of a repro.py
    void hintOfRepro(std::string_view text) {
        const auto equals = text.find(" = ");
        if (!text.starts_with('s') || equals == std::string_view::npos) return;
        const auto digits = text.substr(1, equals - 1);
        if (!digits.empty() && std::ranges::all_of(digits, isDigit))
            groups_.hint({lastId_, {}, {}, false}, text.substr(0, equals), text.substr(equals + 3));
    }

    /// The graph of a printed ExportedProgram is followed by its signature.
    bool belongsToSignature(std::string_view text) {
        if (beginsSignature(text)) inSignature_ = true;
        else if (text.starts_with("Range constraints") || isHeading(text)) inSignature_ = false;
        return inSignature_;
    }

    SectionGrouping groups_;
    std::map<std::string, Stream, std::less<>> streams_;
    std::optional<Open> bare_;
    bool inSignature_ = false;  ///< for `bare_`
    std::string firstLine_;     ///< of `bare_`, until the second one is read
    PlainLine plain_;
    std::string lastHeading_, lastId_;
    std::vector<Open> found_;
};

}  // namespace

namespace {

/// Finds graphs after headings of TORCH_LOGS, or without any.
LogIndex indexText(const std::filesystem::path& path, const Progress& progress) {
    LogIndex index;
    index.path = path;
    Indexer indexer(index);
    LineReader reader(filesHere()->open(path), 0, std::numeric_limits<std::uint64_t>::max(),
                      LineReader::Ends::returnsToo);
    FileLine line;
    for (std::size_t count = 0; reader.next(line); ++count) {
        if (count % 65536 == 0) progress.throwIfCancelled();
        indexer.line(line);
        if (line.shortened && line.text.ends_with('\0')) break;  // no longer text: a possibly endless hole
    }
    indexer.finish();
    index.bytes = reader.position();
    return index;
}

/// Without compilations that have none.
LogIndex withGraphs(LogIndex index) {
    std::erase_if(index.compiles, [](const PrintedCompile& compile) {
        return std::all_of(compile.sections.begin(), compile.sections.end(),
                           [](const PrintedSection& s) { return s.kind == PrintedKind::metadata; });
    });
    return index;
}

}  // namespace

LogIndex indexLog(const std::filesystem::path& path, const Progress& progress) {
    const ModelSource source = recogniseFile(path);
    if (source == ModelSource::exportedGraph)
        return {path, {{"0", {{.kind = PrintedKind::exported}}, {}}}, nullptr, true};
    if (source == ModelSource::trace) return indexLog(std::make_shared<const TraceLog>(indexTrace(path, progress)));
    return withGraphs(indexText(path, progress));
}

LogIndex indexLog(std::shared_ptr<const TraceLog> log) { return withGraphs(graphsIn(std::move(log))); }

namespace {

/// The length of what precedes a line of the section; nothing if the line does not belong to it.
std::optional<std::size_t> lengthBefore(std::string_view line, const PrintedSection& section) {
    const auto prefix = readLogPrefix(line);
    if (prefix.key != section.key) return std::nullopt;
    return prefix.length ? prefix.length : section.head.lengthIn(line);
}

}  // namespace

const FileAccess& filesOf(const LogIndex& index) { return *(index.trace ? index.trace->files : filesHere()); }

PrintedText readSection(const LogIndex& index, const PrintedSection& section) {
    PrintedText result;
    result.file = index.path.filename().string();
    if (section.bytes > kLargestGraph)
        throw Error(result.file + ", line " + std::to_string(section.line) + ": the printed graph has " +
                    std::to_string(section.bytes) + " bytes; at most 1 GB is read");
    result.text.reserve(section.bytes);
    const auto ends = section.payload ? LineReader::Ends::newLines : LineReader::Ends::returnsToo;
    LineReader reader(filesOf(index).open(index.path), section.offset, section.bytes, ends);
    PlainLine plain;
    FileLine line;
    while (reader.next(line)) {
        if (line.shortened)
            throw Error(result.file + ", line " + std::to_string(section.line + line.number - 1) +
                        ": the line is longer than 16 MB; cut it");
        auto text = line.text;
        if (section.payload)
            text.remove_prefix(std::min<std::size_t>(1, text.size()));  // damaged logs have empty lines
        text = plain(text);
        if (!section.payload) {
            const auto own = lengthBefore(text, section);
            if (!own) continue;
            text.remove_prefix(*own);
        }
        result.text += text;
        result.text += '\n';
        result.lines.push_back(section.line + line.number - 1);
    }
    return result;
}

}  // namespace aotscope
