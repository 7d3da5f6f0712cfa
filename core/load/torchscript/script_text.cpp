#include "load/torchscript/script_text.h"

#include "support/trimmed.h"

#include <sstream>
#include <string_view>

namespace aotscope {

namespace {

/// The first `sign` outside of brackets and strings, or npos.
std::size_t outside(std::string_view line, char sign, std::size_t from = 0) {
    int depth = 0;
    char quote = '\0';
    for (std::size_t i = from; i < line.size(); ++i) {
        const char c = line[i];
        if (quote) {
            if (c == '\\') ++i;
            else if (c == quote) quote = '\0';
            continue;
        }
        if (c == '#') return std::string_view::npos;
        if (c == sign && depth == 0) return i;
        if (c == '"' || c == '\'') quote = c;
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
    }
    return std::string_view::npos;
}

/// "def f(x): y = x + 1; return y" in three lines.
std::string inLines(const std::string& line) {
    const auto colon = outside(line, ':');
    if (!line.starts_with("def ") || colon == std::string::npos) return line + "\n";
    std::string_view rest = trimmed(std::string_view(line).substr(colon + 1));
    if (rest.empty() || rest.starts_with("#")) return line + "\n";
    std::string text = line.substr(0, colon + 1) + "\n";
    while (!rest.empty()) {
        const auto end = outside(rest, ';');
        const auto statement = trimmed(rest.substr(0, end));
        if (!statement.empty()) text += "    " + std::string(statement) + "\n";
        rest = end == std::string_view::npos ? std::string_view() : trimmed(rest.substr(end + 1));
    }
    return text;
}

/// "lambda x, y: x + y" as a function; empty for other text.
std::string fromLambda(std::string_view text) {
    constexpr std::string_view word = "lambda ";
    text = trimmed(text);
    const auto colon = outside(text, ':');
    if (!text.starts_with(word) || colon == std::string_view::npos || text.find('\n') != std::string_view::npos)
        return {};
    return "def f(" + std::string(trimmed(text.substr(word.size(), colon - word.size()))) + "):\n    return " +
           std::string(trimmed(text.substr(colon + 1))) + "\n";
}

}  // namespace

std::string asDefinitions(const std::string& text) {
    std::string whole = fromLambda(text);
    if (whole.empty()) whole = text;
    std::istringstream lines(whole);
    std::string result, line;
    while (std::getline(lines, line)) {
        if (line.starts_with("import ") || line.starts_with("from ")) line.clear();
        result += inLines(line);
    }
    return result;
}

}  // namespace aotscope
