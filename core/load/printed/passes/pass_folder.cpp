#include "load/pickle/foreign_folder.h"
#include "load/printed/passes/pass_sequence.h"
#include "support/error.h"
#include "support/input_file.h"
#include "support/names.h"
#include "support/quoted.h"
#include "support/text_encoding.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fnmatch.h>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 20'000, kMostGraphs = 1'000;
constexpr int kDeepestFolder = 8;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{4} << 30;

/// Files that Inductor writes beside its graphs: the same graph as a program, and other texts.
bool isRepeated(const fs::path& file) {
    constexpr std::array<std::string_view, 2> beside = {"fx_graph_runnable", "output_code"};
    const std::string stem = file.stem().string();
    return std::ranges::any_of(beside, [&](std::string_view name) { return stem.starts_with(name); });
}

bool mayHoldGraph(const fs::path& file) {
    constexpr std::size_t looked = std::size_t{1} << 16;
    const std::string start = beginningOfText(file, looked);
    return start.find('\0') == std::string::npos && start.find("def forward(") != std::string::npos;
}

bool isText(const fs::path& file) { return file.extension() == ".txt" || file.extension() == ".py"; }

std::string titleFrom(const fs::path& file) { return oneLine(file.stem().string()); }

/// A file that may contain a graph, and the folder that it was found in.
struct Candidate {
    fs::path file;
    std::string folder;
};

/// Walks through an untrusted folder.
class Walk {
public:
    Walk(fs::path root, int deepest, const Progress& progress)
        : root_(std::move(root)), deepest_(deepest), progress_(progress) {
        enter(root_, 0);
    }

    std::vector<Candidate> found;
    std::vector<std::string> notes;

private:
    void enter(const fs::path& folder, int depth) {
        if (depth > deepest_)
            return notes.push_back("folders nested more than " + std::to_string(deepest_) + " deep are left out");
        std::error_code failure;
        std::vector<fs::directory_entry> entries;
        for (fs::directory_iterator it(folder, failure), end; !failure && it != end && mayLook(); it.increment(failure))
            entries.push_back(*it);
        if (failure) notes.push_back("the folder '" + oneLine(folder.string()) + "': " + failure.message());
        std::ranges::sort(entries, [](const auto& a, const auto& b) {
            return naturallyLess(a.path().filename().string(), b.path().filename().string());
        });
        for (const auto& entry : entries) take(entry, depth);
    }

    bool mayLook() {
        progress_.throwIfCancelled();
        if (++looked_ == kMostEntries)
            notes.push_back("only " + grouped(kMostEntries) + " entries of the folder were examined");
        return looked_ < kMostEntries;
    }

    void take(const fs::directory_entry& entry, int depth) {
        if (entry.path().filename().string().starts_with('.')) return;
        std::error_code failure;
        const auto type = entry.symlink_status(failure).type();
        if (type == fs::file_type::directory) return enter(entry.path(), depth + 1);
        if (type != fs::file_type::regular || !isText(entry.path())) return;
        const auto folder = entry.path().parent_path().lexically_relative(root_).string();
        found.push_back({entry.path(), folder == "." ? std::string() : folder});
    }

    fs::path root_;
    int deepest_;
    const Progress& progress_;
    std::size_t looked_ = 0;
};

/// The files of one folder that match a pattern.
std::vector<Candidate> matching(const std::string& pattern, const Progress& progress) {
    const fs::path path(pattern);
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    std::vector<Candidate> found;
    for (Candidate& candidate : Walk(folder, 0, progress).found)
        if (candidate.folder.empty() &&
            ::fnmatch(path.filename().c_str(), candidate.file.filename().c_str(), FNM_PERIOD) == 0)
            found.push_back(std::move(candidate));
    return found;
}

using Texts = std::vector<PassText>;

/// Whether the numbers at the ends of names count all files, as in tlparse.
bool areCounted(const Texts& texts) {
    std::set<std::uint64_t> numbers;
    for (const PassText& text : texts)
        if (text.name.number) numbers.insert(*text.name.number);
    return numbers.size() == texts.size();
}

bool isEarlier(const PassText& a, const PassText& b) {
    if (a.name.stage != b.name.stage) return a.name.stage < b.name.stage;
    if (a.name.title != b.name.title) return naturallyLess(a.name.title, b.name.title);
    return a.name.when < b.name.when;
}

/// Names that differ only in their number belong to graphs compiled one after another: a sequence for each number.
std::map<std::uint64_t, Texts> perCompilation(Texts texts) {
    std::map<std::pair<std::string, PassName::When>, int> named;
    for (const PassText& text : texts) ++named[{text.name.title, text.name.when}];
    const bool repeated = std::ranges::any_of(named, [](const auto& entry) { return entry.second > 1; });
    std::map<std::uint64_t, Texts> compilations;
    for (PassText& text : texts) compilations[repeated ? text.name.number.value_or(0) : 0].push_back(std::move(text));
    return compilations;
}

/// The sequences among the files of one folder.
void addSequences(const std::string& folder, Texts files, std::vector<PassSequence>& list) {
    std::map<std::string, Texts> functions;
    for (PassText& text : files) functions[text.name.function].push_back(std::move(text));
    for (auto& [function, texts] : functions) {
        const std::string id = folder + (folder.empty() || function.empty() ? "" : "/") + function;
        if (areCounted(texts)) {
            std::ranges::stable_sort(texts, {}, [](const PassText& text) { return *text.name.number; });
            list.push_back({id, std::move(texts), {}});
            continue;
        }
        auto compilations = perCompilation(std::move(texts));
        for (auto& [number, own] : compilations) {
            std::ranges::stable_sort(own, isEarlier);
            list.push_back({id + (compilations.size() > 1 ? "#" + std::to_string(number) : ""), std::move(own), {}});
        }
    }
}

/// Removes what is too large to be read.
void limitTexts(PassSequence& sequence, std::vector<std::string>& notes) {
    std::uintmax_t bytes = 0;
    std::size_t kept = 0;
    while (kept < std::min(sequence.texts.size(), kMostGraphs)) {
        std::error_code failure;
        const auto size = fs::file_size(sequence.texts[kept].file, failure);
        if (!failure && size > kMostBytes - bytes) break;
        bytes += failure ? 0 : size;
        ++kept;
    }
    if (kept == sequence.texts.size()) return;
    notes.push_back("of the " + counted(sequence.texts.size(), "file") + " only the first " + std::to_string(kept) +
                    " are opened: at most " + grouped(kMostGraphs) + " files and 4 GB are read");
    sequence.texts.resize(kept);
}

}  // namespace

PassSequences findSequences(const std::string& where, const Progress& progress) {
    PassSequences sequences{where, {}, {}, {}};
    std::error_code failure;
    const bool isFolder = fs::is_directory(where, failure);
    std::vector<Candidate> candidates;
    if (isFolder) {
        Walk walk(where, kDeepestFolder, progress);
        candidates = std::move(walk.found);
        sequences.notes = std::move(walk.notes);
    } else {
        candidates = matching(where, progress);
    }
    std::map<std::string, Texts, decltype(&naturallyLess)> folders(&naturallyLess);
    for (const Candidate& candidate : candidates) {
        progress.throwIfCancelled();
        if (isRepeated(candidate.file) || !mayHoldGraph(candidate.file)) continue;
        folders[candidate.folder].push_back({readPassName(titleFrom(candidate.file)), candidate.file, nullptr, {}});
    }
    for (auto& [folder, files] : folders) addSequences(oneLine(folder), std::move(files), sequences.list);
    for (PassSequence& sequence : sequences.list) {
        if (sequence.id.empty()) sequence.id = "0";
        sequences.ids.push_back(sequence.id);
        limitTexts(sequence, sequences.notes);
    }
    if (sequences.list.empty()) {
        if (const std::string what = isFolder ? describeForeignFolder(where) : ""; !what.empty())
            throw Error("cannot open '" + where + "': " + what);
        const std::string files =
            candidates.empty() ? "no such file" : counted(candidates.size(), "such file") + ", none with a graph";
        throw Error("'" + where + "' holds no printed graphs: expected files named .txt or .py with the text of " +
                    "gm.print_readable(), found " + (isFolder ? "a folder with " + files : files));
    }
    return sequences;
}

const PassSequence& chooseSequence(const PassSequences& sequences, const std::string& id) {
    if (id.empty())
        return *std::ranges::max_element(sequences.list, {}, [](const PassSequence& s) { return s.texts.size(); });
    const auto known = std::ranges::find(sequences.list, id, &PassSequence::id);
    if (known != sequences.list.end()) return *known;
    throw UsageError("--compile-id " + id + ": '" + sequences.where + "' has " + quotedNames(sequences.ids) +
                     "; list them with 'aotscope compiles'");
}

}  // namespace aotscope
