#include "load/printed/syntax/node_list.h"

#include "load/printed/syntax/graph_start.h"
#include "load/printed/syntax/log_line.h"
#include "load/printed/text_parts.h"
#include "support/error.h"
#include "support/quoted.h"
#include "support/trimmed.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

namespace aotscope {

namespace {

constexpr auto npos = std::string_view::npos;

/// A node in either format. Arguments are Python code without the surrounding parentheses.
struct ListedNode {
    std::string kind, name, target, annotation, arguments;
    std::string returned;  ///< for an output
};

bool isWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isWordPart(char c) { return isWordStart(c) || isDigit(c); }

/// The text between `begin` and `end` after it, or empty.
std::string_view textBetween(std::string_view text, std::string_view begin, std::string_view end) {
    const auto start = text.find(begin);
    if (start == npos) return {};
    const auto stop = text.find(end, start + begin.size());
    return stop == npos ? std::string_view() : text.substr(start + begin.size(), stop - start - begin.size());
}

std::string_view withoutEnds(std::string_view text) {
    return text.size() > 1 ? text.substr(1, text.size() - 2) : std::string_view();
}

// --- words of print(graph) ---

bool isDeviceWord(std::string_view word) {
    constexpr std::array devices = {"cpu", "cuda", "meta", "xpu", "mps", "hpu", "npu"};
    return std::ranges::any_of(devices, [&](const char* device) { return word == device; });
}

/// Words with a meaning of their own in Python.
bool isPythonWord(std::string_view word) {
    constexpr std::array words = {"None", "True", "False", "inf", "nan", "Ellipsis"};
    return std::ranges::any_of(words, [&](const char* known) { return word == known; });
}

/// "%add" becomes add, cuda:0 a device, and any other word a string.
std::string quotedWords(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        if (!isWordStart(text[i]) || (i > 0 && (isDigit(text[i - 1]) || text[i - 1] == '.'))) {
            const bool value = text[i] == '%' && i + 1 < text.size() && isWordStart(text[i + 1]);
            if (!value) result += text[i];
            ++i;
            while (value && i < text.size() && isWordPart(text[i])) result += text[i++];
            continue;
        }
        auto end = i;
        while (end < text.size() && (isWordPart(text[end]) || text[end] == '.')) ++end;
        const auto word = text.substr(i, end - i);
        i = end;
        const bool called = end < text.size() && text[end] == '(';
        if (isDeviceWord(word)) {
            std::string index;
            if (end + 1 < text.size() && text[end] == ':' && isDigit(text[end + 1]))
                while (++i < text.size() && isDigit(text[i])) index += text[i];
            result += "device(type='" + std::string(word) + "'" + (index.empty() ? "" : ", index=" + index) + ")";
        } else if (called || isPythonWord(word) || word.find('.') != npos) {
            result += word;
        } else {
            result += "'" + std::string(word) + "'";
        }
    }
    return result;
}

/// "dim = 1, keepdim = True" for "{dim: 1, keepdim: True}" or "{'dim': 1}".
std::string keywords(std::string_view dictionary, bool quoteWords) {
    std::string result;
    for (const auto part : splitOutside(withoutEnds(dictionary))) {
        const auto colon = findOutside(part, ':');
        if (colon == npos) continue;
        auto key = trimmed(part.substr(0, colon));
        const auto value = trimmed(part.substr(colon + 1));
        if (key.starts_with('\'')) key = withoutEnds(key);
        result += (result.empty() ? "" : ", ") + std::string(key) + " = ";
        result += quoteWords ? quotedWords(value) : std::string(value);
    }
    return result;
}

std::string joinedArguments(std::string_view arguments, const std::string& named) {
    std::string text(trimmed(arguments));
    while (text.ends_with(',')) text.pop_back();
    return text + (text.empty() || named.empty() ? "" : ", ") + named;
}

// --- "%add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 1), kwargs = {})" ---

bool readListLine(std::string_view line, ListedNode& node) {
    constexpr std::string_view arguments = "](args = ", named = ", kwargs = ";
    if (line.starts_with("return ")) {
        node.kind = "output";
        node.returned = line.substr(7);
        std::erase(node.returned, '%');
        return true;
    }
    const auto colon = line.find(" : "), bracket = line.find("= ", line.find("users="));
    if (!line.starts_with('%') || colon == npos || bracket == npos) return false;
    node.name = line.substr(1, colon - 1);
    node.annotation = textBetween(line.substr(0, bracket), "Tensor \"", "\"");
    const auto call = line.substr(bracket + 2);
    node.kind = call.substr(0, call.find('['));
    const auto start = call.find("[target="), args = call.find(arguments);
    if (start == npos) return false;
    const auto end = args == npos ? call.find(']', start) : args;
    if (end == npos) return false;
    node.target = call.substr(start + 8, end - start - 8);
    if (args == npos) return true;
    const auto open = args + arguments.size(), split = call.rfind(named);
    if (split == npos || split < open || !call.ends_with(')')) return false;
    const auto dictionary = call.substr(split + named.size(), call.size() - split - named.size() - 1);
    node.arguments =
        joinedArguments(quotedWords(withoutEnds(call.substr(open, split - open))), keywords(dictionary, true));
    return true;
}

// --- "call_function  add  aten.add.Tensor  (x, 1)  {}", in the columns of the heading ---

bool readRow(std::string_view line, const std::vector<std::size_t>& columns, ListedNode& node) {
    const auto cell = [&](std::size_t i) {
        const auto start = std::min(columns[i], line.size());
        const auto end = i + 1 < columns.size() ? std::min(columns[i + 1], line.size()) : line.size();
        return trimmed(line.substr(start, end - start));
    };
    node.kind = cell(0), node.name = cell(1), node.target = cell(2);
    const auto arguments = cell(3), named = cell(4);
    if (!arguments.starts_with('(') || !arguments.ends_with(')')) return false;
    if (node.kind == "output") node.returned = joinedArguments(withoutEnds(arguments), {});
    else node.arguments = joinedArguments(withoutEnds(arguments), keywords(named, false));
    return true;
}

std::vector<std::size_t> columnsOf(std::string_view heading) {
    std::vector<std::size_t> columns;
    for (const char* name : {"opcode", " name ", " target ", " args ", " kwargs"}) {
        const auto at = heading.find(name, columns.empty() ? 0 : columns.back() + 1);
        columns.push_back(at == npos ? heading.size() : at + (columns.empty() ? 0 : 1));
    }
    return columns;
}

// --- as code ---

/// "self.layers.weight", "getattr(self.layers, "0").weight"
std::string attributeCode(std::string_view path) {
    std::string code = "self";
    while (!path.empty()) {
        const auto dot = std::min(path.find('.'), path.size());
        const std::string part(path.substr(0, dot));
        path.remove_prefix(std::min(dot + 1, path.size()));
        const bool name = !part.empty() && isWordStart(part[0]);
        code = name ? code + "." + part : "getattr(" + code + ", \"" + part + "\")";
    }
    return code;
}

/// The function as called in code: "torch.ops.aten.add.Tensor", "torch.relu" for "<built-in method relu of type ...>".
std::string functionCode(const ListedNode& node) {
    const std::string_view target = node.target;
    const auto word = [&](std::string_view begin) { return std::string(textBetween(target, begin, " ")); };
    if (target.starts_with("<built-in function "))
        return "_operator." + std::string(textBetween(target, "function ", ">"));
    if (target.starts_with("<built-in method ")) return "torch." + word("method ");
    if (target.starts_with("<function ")) return "torch.nn.functional." + word("function ");
    const bool operation = std::count(target.begin(), target.end(), '.') == 2 && !target.starts_with("torch.");
    return (operation ? "torch.ops." : "") + std::string(target);
}

std::string codeOf(const ListedNode& node) {
    if (node.kind == "output") return "return " + node.returned;
    const std::string left = node.name + (node.annotation.empty() ? "" : ": \"" + node.annotation + "\"") + " = ";
    if (node.kind == "get_attr") return left + attributeCode(node.target);
    const std::string call = "(" + node.arguments + ")";
    if (node.kind == "call_module") return left + attributeCode(node.target) + call;
    if (node.kind != "call_method") return left + functionCode(node) + call;
    const auto comma = std::min(findOutside(node.arguments, ','), node.arguments.size());
    const auto rest = std::min(comma + 1, node.arguments.size());
    return left + node.arguments.substr(0, comma) + "." + node.target + "(" +
           std::string(trimmed(std::string_view(node.arguments).substr(rest))) + ")";
}

bool isKind(std::string_view word) {
    constexpr std::array kinds = {"placeholder", "get_attr", "call_function", "call_method", "call_module", "output"};
    return std::ranges::any_of(kinds, [&](const char* kind) { return word == kind; });
}

}  // namespace

bool isNodeList(std::string_view text) {
    while (!text.empty()) {
        const auto line = takeLine(text);
        const GraphForm form = formBegunBy(line);
        if (form != GraphForm::none) return form != GraphForm::code;
        if (trimmed(line).starts_with("def forward(")) return false;
    }
    return false;
}

namespace {

/// Assembles the code line by line.
class ListReader {
public:
    explicit ListReader(const PrintedText& list) : list_(list) {}

    PrintedText run() {
        std::size_t number = 0;
        for (std::string_view rest = list_.text; !rest.empty(); ++number) line(takeLine(rest), number);
        PrintedText code{list_.file, "def forward(" + parameters_ + "):\n", {placeOf(heading_)}};
        for (const auto& [line, text] : statements_) {
            code.text += "    " + text + "\n";
            code.lines.push_back(placeOf(line));
        }
        return code;
    }

private:
    std::size_t placeOf(std::size_t line) const {
        return list_.lines.empty() ? line + 1 : list_.lines[std::min(line, list_.lines.size() - 1)];
    }

    void line(std::string_view line, std::size_t number) {
        if (const GraphForm form = formBegunBy(line); form != GraphForm::none) {
            begun_ = true;
            heading_ = number;
            if (form == GraphForm::table) columns_ = columnsOf(line);
            return;
        }
        const auto text = trimmed(line);
        if (!begun_ || text.empty() || text.starts_with("---")) return;
        ListedNode node;
        const bool read = columns_.empty() ? readListLine(text, node) : readRow(line, columns_, node);
        if (!read || !isKind(node.kind))
            throw Error(list_.file + ", line " + std::to_string(placeOf(number)) +
                        ": expected a node of the printed graph, found " + inQuotes(text.substr(0, 60)));
        if (node.kind == "placeholder") parameters_ += ", " + node.name;
        else statements_.emplace_back(number, codeOf(node));
    }

    const PrintedText& list_;
    std::vector<std::size_t> columns_;  ///< for a table
    std::string parameters_ = "self";
    std::vector<std::pair<std::size_t, std::string>> statements_;
    std::size_t heading_ = 0;
    bool begun_ = false;
};

}  // namespace

PrintedText codeOfNodeList(const PrintedText& list) { return ListReader(list).run(); }

}  // namespace aotscope
