#include "load/trace_log/break_text.h"

#include "load/printed/syntax/log_line.h"
#include "load/trace_log/text_lines.h"

#include <charconv>

namespace aotscope {

namespace {

constexpr std::size_t kMostFrames = 1000, kLongestText = 4000;

/// "x.py:15" or "x.py:15 in f".
CodePlace placeIn(std::string_view text) {
    CodePlace place;
    if (const auto in = text.rfind(" in "); in != std::string_view::npos) {
        place.function = text.substr(in + 4);
        text = text.substr(0, in);
    }
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos || colon + 1 >= text.size() || !isDigit(text[colon + 1])) return {};
    place.file = text.substr(0, colon);
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), place.line);
    return place;
}

void append(std::string& text, std::string_view more) {
    if (more.empty() || text.size() > kLongestText) return;
    if (!text.empty()) text += '\n';
    text += more.substr(0, kLongestText);
}

/// The parts of a graph break's text: each ends where the next begins.
class BreakParser {
public:
    GraphBreak parse(std::string_view text) {
        const auto stack = text.find("User code traceback:");
        if (stack != std::string_view::npos) {
            // Python's own stack follows, that of Dynamo.
            auto frames = text.substr(stack);
            frames = frames.substr(0, frames.find("\nTraceback (most recent call last)"));
            result_.stack = readTraceback(frames);
            text = text.substr(0, stack);
        }
        while (!text.empty()) line(takeLine(text));
        if (!summary_.empty()) result_.reason = summary_;
        else result_.reason = first_;
        if (!result_.stack.empty()) finishPlace();
        return std::move(result_);
    }

private:
    void line(std::string_view raw) {
        const auto text = trimmed(raw);
        if (text.empty()) {
            part_ = part_ == &result_.context ? nullptr : part_;
            return;
        }
        constexpr std::string_view where = " in user code at ";
        if (const auto at = text.find(where); text.starts_with("Graph break") && at != std::string_view::npos) {
            result_.place = placeIn(trimmed(text.substr(at + where.size())));
        } else if (const auto why = behind(text, "Graph Break Reason:"); !why.empty()) {
            first_ = why;
        } else if (const auto old = behind(text, "Reason:"); !old.empty()) {
            first_ = old;
        } else if (text.starts_with("Explanation:")) {
            begin(result_.explanation, behind(text, "Explanation:"));
        } else if (text.starts_with("Hint:")) {
            begin(result_.hint, behind(text, "Hint:"));
        } else if (text.starts_with("Developer debug context:")) {
            begin(result_.context, behind(text, "Developer debug context:"));
        } else if (const auto link = text.find("please visit: "); link != std::string_view::npos) {
            result_.link = text.substr(link + 14);
            part_ = nullptr;
        } else if (part_) {
            append(*part_, text);
        } else if (first_.empty()) {
            first_ = text;
        } else if (summary_.empty() && raw.front() != ' ') {
            summary_ = text;
        }
    }

    void begin(std::string& part, std::string_view text) {
        part_ = &part;
        append(part, text);
    }

    /// The stack also has the function and the line of code.
    void finishPlace() {
        const CodePlace& last = result_.stack.back();
        if (!result_.place.known()) result_.place = last;
        if (last.file != result_.place.file || last.line != result_.place.line) return;
        result_.place.function = last.function;
        result_.place.code = last.code;
    }

    GraphBreak result_;
    std::string first_, summary_;
    std::string* part_ = nullptr;
};

}  // namespace

GraphBreak readGraphBreak(std::string_view text) { return BreakParser().parse(text); }

std::vector<CodePlace> readTraceback(std::string_view text) {
    std::vector<CodePlace> frames;
    bool expectsCode = false;
    while (!text.empty() && frames.size() < kMostFrames) {
        const auto line = trimmed(takeLine(text));
        if (line.starts_with("File \"")) {
            const auto end = line.find('"', 6);
            if (end == std::string_view::npos) continue;
            CodePlace place;
            place.file = line.substr(6, end - 6);
            auto rest = line.substr(end + 1);
            if (rest.starts_with(", line ")) std::from_chars(rest.data() + 7, rest.data() + rest.size(), place.line);
            if (const auto in = rest.find(", in "); in != std::string_view::npos) place.function = rest.substr(in + 5);
            frames.push_back(std::move(place));
            expectsCode = true;
        } else if (expectsCode && !line.empty()) {
            frames.back().code = line;
            expectsCode = false;
        }
    }
    return frames;
}

std::string lastErrorIn(std::string_view traceback) {
    // The first unindented line after the last stack.
    const auto stack = traceback.rfind("Traceback (most recent call last)");
    auto rest = stack == std::string_view::npos ? traceback : traceback.substr(stack);
    if (stack != std::string_view::npos) takeLine(rest);
    while (!rest.empty()) {
        const auto line = takeLine(rest);
        if (!line.empty() && line.front() != ' ') return std::string(line.substr(0, kLongestText));
    }
    return {};
}

FailedGuard readFailedGuard(std::string_view text) {
    FailedGuard guard;
    auto line = takeLine(text);
    const auto colon = line.find(": ");
    const auto id = line.substr(0, colon == std::string_view::npos ? 0 : colon);
    if (!id.empty() && id.find('/') != std::string_view::npos &&
        id.find_first_not_of("0123456789/!") == std::string_view::npos) {
        guard.earlier = id;
        line.remove_prefix(colon + 2);
    }
    if (const auto hint = line.rfind(" (HINT: "); hint != std::string_view::npos && line.ends_with(')')) {
        guard.hint = line.substr(hint + 8, line.size() - hint - 9);
        line = line.substr(0, hint);
    }
    const auto comment = line.find("  # ");
    guard.check = trimmed(line.substr(0, comment));
    if (comment != std::string_view::npos) {
        const auto code = trimmed(line.substr(comment + 4));
        const auto place = code.rfind("  # ");
        guard.place = placeIn(trimmed(place == std::string_view::npos ? code : code.substr(place + 4)));
        if (place != std::string_view::npos) guard.place.code = trimmed(code.substr(0, place));
    }
    if (const auto stack = readTraceback(text); !stack.empty()) guard.place = stack.back();
    return guard;
}

}  // namespace aotscope
