#include "io/python/literal.h"

#include "support/formatted.h"
#include "support/token_reader.h"

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

constexpr std::array<std::string_view, 35> kPythonKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

}  // namespace

std::string pythonString(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') out += '\\';
        if (c == '\n') out += "\\n";
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) out += formatted("\\x%02x", unsigned(c) & 0xffu);
        else out += c;
    }
    return out + "'";
}

std::string pythonIntegers(const std::vector<std::int64_t>& values) {
    std::string text = "[";
    for (const std::int64_t value : values) text += (text.size() > 1 ? ", " : "") + std::to_string(value);
    return text + "]";
}

std::string pythonDevice(std::string_view name) {
    const auto colon = name.find(':');
    std::string text = "device(type=" + pythonString(name.substr(0, colon));
    if (colon != std::string_view::npos) {
        const std::string_view index = name.substr(colon + 1);
        const bool digits = !index.empty() && std::ranges::all_of(index, [](char c) { return c >= '0' && c <= '9'; });
        if (digits) text += ", index=" + std::string(index);
    }
    return text + ")";
}

bool isPythonKeyword(std::string_view name) {
    return std::ranges::find(kPythonKeywords, name) != kPythonKeywords.end();
}

std::string pythonName(std::string_view text) {
    std::string name(text);
    for (char& c : name)
        if (!isNamePart(c)) c = '_';
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name.insert(0, "_");
    if (isPythonKeyword(name)) name += "_";
    return name;
}

std::string pythonDottedName(std::string_view text) {
    std::string name;
    for (;;) {
        const auto dot = text.find('.');
        name += pythonName(text.substr(0, dot));
        if (dot == std::string_view::npos) return name;
        name += '.';
        text.remove_prefix(dot + 1);
    }
}

PythonNames::PythonNames() {
    for (const char* name : {"self", "torch", "device", "inf", "nan", "operator", "math"}) taken_[name] = 0;
}

std::string PythonNames::take(std::string_view base) {
    const std::string wanted = pythonName(base);
    std::string name = wanted;
    while (!taken_.try_emplace(name, 0).second) name = wanted + "_" + std::to_string(++taken_[wanted]);
    return name;
}

}  // namespace aotscope
