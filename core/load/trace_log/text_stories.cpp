#include "load/trace_log/text_stories.h"

#include "load/files_here.h"
#include "load/printed/log/plain_line.h"
#include "load/printed/syntax/line_reader.h"
#include "load/printed/syntax/log_line.h"
#include "load/trace_log/break_text.h"
#include "load/trace_log/guard_tree.h"
#include "load/trace_log/text_lines.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>

namespace aotscope {

namespace {

constexpr std::size_t kMostTold = 1'000'000, kLongestMessage = std::size_t{4} << 20;

/// The messages from one place in PyTorch's source about one compilation.
struct Message {
    std::string compileId, text;
};

/// "f" and "x.py:5" in "Recompiling function f in x.py:5"
CodePlace recompiledFunction(std::string_view line) {
    const auto rest = behind(line, "Recompiling function ");
    const auto in = rest.rfind(" in "), colon = rest.rfind(':');
    if (in == std::string_view::npos || colon == std::string_view::npos || colon < in) return {};
    CodePlace place;
    place.function = rest.substr(0, in);
    place.file = rest.substr(in + 4, colon - in - 4);
    std::from_chars(rest.data() + colon + 1, rest.data() + rest.size(), place.line);
    return place;
}

/// "create_symbol s77 = 3 for L['x'].size()[0] [2, int_oo] f(x) (...)"
LoggedSymbol symbolIn(std::string_view text) {
    const auto upTo = [&](std::string_view end) {
        const auto part = text.substr(0, text.find(end));
        text.remove_prefix(std::min(part.size() + end.size(), text.size()));
        return std::string(part);
    };
    LoggedSymbol symbol;
    symbol.symbol = upTo(" = ");
    symbol.value = upTo(" for ");
    symbol.source = upTo(" [");
    if (const auto end = text.find(']'); end != std::string_view::npos)
        symbol.range = "[" + std::string(text.substr(0, end + 1));
    return symbol;
}

class TextTeller {
public:
    void line(std::string_view text) {
        const auto prefix = readLogPrefix(text);
        if (prefix.length == 0) {
            // Older versions write their prefix only before the first line.
            if (last_ && last_->text.size() < kLongestMessage) last_->text.append(text).push_back('\n');
            return;
        }
        last_ = nullptr;
        text.remove_prefix(prefix.length);
        if (text.starts_with("create_symbol ")) {
            if (CompileStory* story = storyOf(std::string(prefix.compileId)))
                story->symbols.push_back(symbolIn(behind(text, "create_symbol")));
            return;
        }
        // In log order: a message may end after later ones have begun.
        if (!isToldBy(prefix.key) || !storyOf(std::string(prefix.compileId))) return;
        Message& message = messages_[std::string(prefix.key) + '\n' + std::string(prefix.compileId)];
        if (beginsMessage(text)) finish(message);
        message.compileId = prefix.compileId;
        if (message.text.size() < kLongestMessage) message.text.append(text).push_back('\n');
        if (prefix.key.starts_with("torch.")) last_ = &message;
    }

    TextStories take() {
        for (auto& [key, message] : messages_) finish(message);
        nameFunctions();
        return std::move(told_);
    }

private:
    static bool isToldBy(std::string_view key) {
        const auto has = [&](std::string_view artifact) { return key.find(artifact) != std::string_view::npos; };
        return has("__recompiles") || has("__graph_breaks") || has("__guards");
    }

    static bool beginsMessage(std::string_view text) {
        return text.starts_with("Recompiling function ") || text.starts_with("Graph break") ||
               text.starts_with("GUARDS:");
    }

    /// Null if there are too many.
    CompileStory* storyOf(const std::string& id) {
        const auto [it, added] = numbers_.try_emplace(id, told_.stories.size());
        if (added && told_.stories.size() >= kMostTold) return nullptr;
        if (added) {
            TracedCompile compile;
            compile.id = id;
            told_.log.compiles.push_back(std::move(compile));
            told_.stories.emplace_back();
        }
        return it->second < told_.stories.size() ? &told_.stories[it->second] : nullptr;
    }

    void finish(Message& message) {
        const std::string text = std::move(message.text);
        message.text.clear();
        if (!beginsMessage(text)) return;
        CompileStory* story = storyOf(message.compileId);
        if (!story) return;
        if (text.starts_with("Recompiling function ")) recompiled(text, *story);
        else if (text.starts_with("Graph break")) story->breaks.push_back(readGraphBreak(text));
        else story->guards = readGuardTree(text);
    }

    /// After the first line, each failed guard begins with a dash.
    void recompiled(std::string_view text, CompileStory& story) {
        const auto number = static_cast<std::size_t>(&story - told_.stories.data());
        told_.log.compiles[number].code = recompiledFunction(takeLine(text));
        std::string reason;
        const auto keep = [&] {
            if (!reason.empty()) story.recompiledFor.push_back(readFailedGuard(reason));
            reason.clear();
        };
        while (!text.empty()) {
            const auto line = takeLine(text);
            const auto begun = behind(trimmed(line), "- ");
            if (!begun.empty()) keep(), reason = begun;
            else if (!reason.empty()) reason.append("\n").append(line);
        }
        keep();
    }

    /// Only a recompilation gives its function: the other compilations of its frame have the same one.
    void nameFunctions() {
        std::map<std::string, CodePlace> functions;
        for (const TracedCompile& compile : told_.log.compiles)
            if (compile.code.known()) functions.try_emplace(compile.frame(), compile.code);
        for (TracedCompile& compile : told_.log.compiles)
            if (const auto it = functions.find(compile.frame()); it != functions.end()) compile.code = it->second;
    }

    TextStories told_;
    std::map<std::string, Message> messages_;  ///< by the common part of their lines
    Message* last_ = nullptr;                  ///< that lines without a prefix continue
    std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace

TextStories readTextStories(const std::filesystem::path& path, const Progress& progress) {
    TextTeller teller;
    LineReader reader(filesHere()->open(path), 0, std::numeric_limits<std::uint64_t>::max(),
                      LineReader::Ends::returnsToo);
    PlainLine plain;
    FileLine line;
    for (std::size_t count = 0; reader.next(line); ++count) {
        if (count % 65536 == 0) progress.throwIfCancelled();
        if (!line.shortened) teller.line(plain(line.text));
    }
    TextStories told = teller.take();
    told.log.path = path;
    told.log.files = filesHere();
    told.log.bytes = reader.position();
    return told;
}

}  // namespace aotscope
