// Sequences within one file: graphs printed one after another.

#include "load/printed/passes/pass_sequence.h"
#include "support/input_file.h"
#include "support/quoted.h"

#include <algorithm>
#include <set>

namespace aotscope {

namespace {

constexpr std::size_t kLongestSignature = std::size_t{4} << 20;

std::string bytesOf(const InputFile& file, std::uint64_t offset, std::uint64_t count) {
    std::string bytes(static_cast<std::size_t>(count), '\0');
    bytes.resize(file.readAt(offset, bytes.data(), bytes.size()));
    return bytes;
}

/// The placeholders of a list of nodes, or of a table.
std::set<std::string> placeholdersIn(std::string_view text) {
    std::set<std::string> names;
    constexpr std::string_view listed = "= placeholder[target=", row = "\nplaceholder ";
    for (auto at = text.find(listed); at != std::string_view::npos; at = text.find(listed, at + 1)) {
        const auto name = text.substr(at + listed.size());
        names.emplace(name.substr(0, name.find(']')));
    }
    for (auto at = text.find(row); at != std::string_view::npos; at = text.find(row, at + 1)) {
        auto name = text.substr(at + row.size());
        name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
        names.emplace(name.substr(0, name.find(' ')));
    }
    return names;
}

/// The parameters of the first forward(), with their types, besides self.
std::set<std::string> parametersIn(std::string_view text) {
    constexpr std::string_view start = "def forward(";
    const auto at = text.find(start);
    if (at == std::string_view::npos) return placeholdersIn(text);
    std::set<std::string> parameters;
    std::string parameter;
    int depth = 0;
    for (std::size_t i = at + start.size(); i < text.size(); ++i) {
        const char c = text[i];
        if (c == '(' || c == '[') ++depth;
        if (c == ')' && depth == 0) break;
        if (c == ')' || c == ']') --depth;
        if (c == ',' && depth == 0) {
            parameters.insert(std::exchange(parameter, {}));
        } else if (c == '#') {  // a comment after a parameter
            while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
        } else if (c != ' ' && c != '\n') {
            parameter += c;
        }
    }
    parameters.insert(parameter);
    parameters.erase("self");
    return parameters;
}

bool takesTangents(const std::set<std::string>& parameters) {
    return std::ranges::any_of(parameters, [](const std::string& name) { return name.starts_with("tangents"); });
}

/// Passes do not change most inputs. A backward has those of its forward, and tangents.
bool areOfOneGraph(const std::set<std::string>& a, const std::set<std::string>& b) {
    if (takesTangents(a) != takesTangents(b)) return false;
    const auto common = std::ranges::count_if(a, [&](const std::string& parameter) { return b.contains(parameter); });
    return static_cast<std::size_t>(common) * 2 >= std::max(a.size(), b.size());
}

/// The line before a graph, as printed by print("after fusion"); empty if it cannot be a title.
std::string lineBefore(const InputFile& file, std::uint64_t offset) {
    constexpr std::uint64_t looked = 400;
    constexpr std::size_t longest = 80;
    const auto start = offset - std::min(offset, looked);
    std::string text = bytesOf(file, start, offset - start);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    const auto line = text.substr(text.rfind('\n') + 1);
    if (line.empty() || line.size() > longest || line.starts_with(' ') || line.starts_with('\t')) return {};
    const auto first = line.find_first_not_of("=-#* "), last = line.find_last_not_of("=-#*: ");
    return first == std::string::npos ? std::string() : oneLine(line.substr(first, last + 1 - first));
}

/// A number in a text belongs to the title, where nothing else counts graphs.
PassName nameIn(const std::string& title) {
    PassName name = readPassName(title);
    if (name.number) name.title += " " + std::to_string(*name.number);
    name.number.reset();
    return name;
}

}  // namespace

PassSequences sequencesIn(const std::shared_ptr<const LogIndex>& index, const Progress& progress) {
    PassSequences sequences{index->path.string(), {}, {}, {}};
    if (index->trace || index->compiles.size() < 2) return sequences;
    const InputFile file(index->path);
    PassSequence sequence{"0", {}, {}};
    std::set<std::string> before;
    for (const PrintedCompile& compile : index->compiles) {
        progress.throwIfCancelled();
        const PrintedSection& section = compile.sections.front();
        if (compile.sections.size() != 1 || section.kind != PrintedKind::unknown || !section.key.empty())
            return sequences;
        auto parameters =
            parametersIn(bytesOf(file, section.offset, std::min(section.bytes, std::uint64_t{kLongestSignature})));
        if (!sequence.texts.empty() && !areOfOneGraph(before, parameters)) return sequences;
        before = std::move(parameters);
        std::string title = section.title.empty() ? lineBefore(file, section.offset) : section.title;
        if (title.empty()) title = "graph " + std::to_string(sequence.texts.size() + 1);
        sequence.texts.push_back({nameIn(title), index->path, index, section});
        sequence.hints.insert(compile.hints.begin(), compile.hints.end());
    }
    sequences.list.push_back(std::move(sequence));
    sequences.ids = {"0"};
    return sequences;
}

PassSequences sequencesIn(const std::shared_ptr<const LogIndex>& index, const PrintedCompile& compile) {
    PassSequences sequences{index->path.string(), {}, {}, {}};
    PassSequence sequence{compile.id, {}, compile.hints};
    for (const PrintedSection& section : compile.sections) {
        if (section.kind == PrintedKind::metadata) continue;
        if (section.kind != PrintedKind::pass) return sequences;
        sequence.texts.push_back({readPassName(section.title), index->path, index, section});
    }
    if (sequence.texts.empty()) return sequences;
    sequences.list.push_back(std::move(sequence));
    for (const PrintedCompile& other : index->compiles) sequences.ids.push_back(other.id);
    return sequences;
}

}  // namespace aotscope
