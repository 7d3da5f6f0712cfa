#include "load/printed/passes/pass_reader.h"

#include "load/files_here.h"
#include "load/printed/log/pass_lineage.h"
#include "load/printed/log/section_kinds.h"
#include "load/printed/passes/pass_graph.h"
#include "support/error.h"
#include "support/input_file.h"
#include "support/names.h"
#include "support/parallel.h"
#include "support/resident_memory.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <set>

namespace aotscope {

namespace {

/// Kept in memory.
constexpr std::size_t kMostNodes = 8'000'000, kBytesOfANode = 1'200;

using Texts = std::vector<PassText>;

/// A hash of a text, to detect equal ones.
struct Fingerprint {
    std::uint64_t bytes = 0;
    std::size_t hash = 0;
    bool operator==(const Fingerprint&) const = default;
};

/// One text and the result of reading it.
struct Reading {
    PassText text;
    Fingerprint fingerprint;
    PassGraphRead read;
    std::string error;
    Origins origins;  ///< of its nodes, in the previous graph; empty: it is the first one
};

std::string placeOf(const PassText& text) {
    std::string place = text.file.filename().string();
    if (text.section.line > 1) place += ", line " + std::to_string(text.section.line);
    return place;
}

/// A file usually contains one graph; others are named after their headings.
Texts textsIn(const PassText& file, const Progress& progress) {
    const auto index = std::make_shared<const LogIndex>(indexLog(file.file, progress));
    Texts texts;
    for (const PrintedCompile& compile : index->compiles)
        for (const PrintedSection& section : compile.sections) {
            if (section.kind == PrintedKind::metadata) continue;
            PassText text{file.name, file.file, index, section};
            if (!texts.empty() && !section.title.empty()) text.name = readPassName(section.title);
            texts.push_back(std::move(text));
        }
    return texts;
}

Fingerprint fingerprintOf(const PassText& text) {
    constexpr std::size_t block = std::size_t{1} << 20;
    const auto file = (text.index ? filesOf(*text.index) : *filesHere()).open(text.file);
    Fingerprint fingerprint{text.section.bytes, 0};
    std::string buffer(block, '\0');
    for (std::uint64_t at = 0; at < text.section.bytes;) {
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(block, text.section.bytes - at));
        const std::size_t got = file->readAt(text.section.offset + at, buffer.data(), wanted);
        if (got == 0) break;
        fingerprint.hash = fingerprint.hash * 31 + std::hash<std::string_view>()({buffer.data(), got});
        at += got;
    }
    return fingerprint;
}

PrintedKind printedKind(const PassText& text) {
    const PrintedKind kind =
        text.section.kind == PrintedKind::unknown ? kindOfRecord(text.name.title) : text.section.kind;
    return kind == PrintedKind::pass ? PrintedKind::unknown : kind;
}

/// Makes titles unique: passes that ran several times get the numbers of their files, otherwise a counter.
class Titles {
public:
    explicit Titles(const std::vector<Reading>& readings) {
        for (const Reading& reading : readings) ++named_[{reading.text.name.title, reading.text.name.when}];
    }

    std::string of(const PassName& name) {
        std::string title = name.title;
        if (named_[{name.title, name.when}] > 1 && name.number) title += "_" + std::to_string(*name.number);
        if (name.when == PassName::When::before) title = "before " + title;
        const std::string base = title;
        for (int count = 2; !taken_.insert(title).second; ++count) title = base + "#" + std::to_string(count);
        return title;
    }

private:
    std::map<std::pair<std::string, PassName::When>, int> named_;
    std::set<std::string> taken_;
};

class PassReader {
public:
    PassReader(const PassSequence& sequence, const GraphRules& rules, const Progress& progress)
        : sequence_(sequence), rules_(rules), progress_(progress) {}

    ReadPasses run() {
        progress_.enter("index");
        findTexts();
        progress_.enter("graphs");
        forEachInParallel(readings_.size(), progress_, [this](std::size_t i) { read(i); });
        progress_.enter("passes");
        forEachInParallel(readings_.size(), progress_, [this](std::size_t i) { pairWithBefore(i); });
        collect();
        return std::move(result_);
    }

private:
    void findTexts() {
        std::vector<Texts> found(sequence_.texts.size());
        std::vector<std::string> errors(sequence_.texts.size());
        forEachInParallel(found.size(), progress_, [&](std::size_t i) {
            const PassText& text = sequence_.texts[i];
            try {
                found[i] = text.index ? Texts{text} : textsIn(text, progress_);
            } catch (const Error& e) {
                errors[i] = e.what();
            }
        });
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (!errors[i].empty()) result_.problems.push_back(errors[i]);
            for (PassText& text : found[i]) readings_.push_back({std::move(text), {}, {}, {}, {}});
        }
        forEachInParallel(readings_.size(), progress_,
                          [this](std::size_t i) { readings_[i].fingerprint = fingerprintOf(readings_[i].text); });
    }

    bool repeats(std::size_t i) const {
        return i > 0 && readings_[i].fingerprint == readings_[i - 1].fingerprint &&
               printedKind(readings_[i].text) == printedKind(readings_[i - 1].text);
    }

    void read(std::size_t i) {
        Reading& reading = readings_[i];
        if (repeats(i)) return;
        try {
            const auto module = parsePrinted(readSection(*reading.text.index, reading.text.section), sequence_.hints);
            reading.read = finishAlone(*module, printedKind(reading.text), rules_);
        } catch (const Error& e) {
            reading.error = e.what();
            return;
        }
        if ((nodes_ += reading.read.graph->size()) > mostNodes_)
            throw Error("the graphs of '" + sequence_.texts.front().file.parent_path().string() + "' have more than " +
                        grouped(mostNodes_) + " nodes, the most that there is memory for; open fewer of them, with a " +
                        "pattern such as 'after_*'");
    }

    /// Only while all graphs still have their original ids.
    void pairWithBefore(std::size_t i) {
        std::size_t before = i;
        if (!readings_[i].read.graph) return;
        do {
            if (before == 0) return;
        } while (!readings_[--before].read.graph);
        readings_[i].origins = originsOf(*readings_[before].read.graph, *readings_[i].read.graph);
    }

    void collect() {
        Titles titles(readings_);
        std::set<std::string> said;
        NodeId next = 0;
        for (std::size_t i = 0; i < readings_.size(); ++i) {
            progress_.throwIfCancelled();
            Reading& reading = readings_[i];
            if (repeats(i)) {
                reading.read = readings_[i - 1].read;
                reading.error = readings_[i - 1].error;
                if (reading.text.name.when == PassName::When::before) continue;
            } else if (reading.error.empty()) {
                if (!reading.origins.empty()) continueLineage(reading.origins, *reading.read.graph, next);
                else
                    for (const Node* node : reading.read.graph->nodes()) next = std::max(next, node->id() + 1);
                reading.read.graph->indexIds();
            } else {
                result_.problems.push_back(reading.error);
            }
            if (!reading.read.graph) continue;
            result_.underived |= reading.read.underived;
            result_.passes.push_back(
                {titles.of(reading.text.name), placeOf(reading.text), reading.read.kind, reading.read.graph});
            for (const std::string& problem : reading.read.problems)
                if (said.insert(problem).second) result_.faults.push_back(result_.passes.back().title + ": " + problem);
        }
        if (result_.passes.empty())
            throw Error(result_.problems.empty() ? "'" + sequence_.texts.front().file.string() + "' holds no graph"
                                                 : result_.problems.front());
    }

    const PassSequence& sequence_;
    const GraphRules& rules_;
    const Progress& progress_;
    std::vector<Reading> readings_;
    std::atomic<std::size_t> nodes_ = 0;
    const std::size_t mostNodes_ =
        std::min(kMostNodes, static_cast<std::size_t>(std::max<std::int64_t>(availableBytes(), 0)) / kBytesOfANode);
    ReadPasses result_;
};

}  // namespace

ReadPasses readPasses(const PassSequence& sequence, const GraphRules& rules, const Progress& progress) {
    return PassReader(sequence, rules, progress).run();
}

}  // namespace aotscope
