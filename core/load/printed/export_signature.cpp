#include "load/printed/export_signature.h"

#include "support/trimmed.h"

#include <algorithm>
#include <cctype>

namespace aotscope {

namespace {

constexpr std::size_t kMostSpecs = 1'000'000;

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

std::string_view takeName(std::string_view& text) {
    const auto end = static_cast<std::size_t>(std::ranges::find_if_not(text, isNameCharacter) - text.begin());
    const auto name = text.substr(0, end);
    text.remove_prefix(end);
    return name;
}

/// Removes 'text' or "text" from the front of `text`; empty if there is none.
std::string_view takeQuoted(std::string_view& text) {
    if (text.empty() || (text.front() != '\'' && text.front() != '"')) return {};
    const auto end = text.find(text.front(), 1);
    if (end == std::string_view::npos) return {};
    const auto inside = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    return inside;
}

/// The quoted text after the first `key` in `text`.
std::string quotedBehind(std::string_view text, std::string_view key) {
    const auto at = text.find(key);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + key.size());
    return std::string(takeQuoted(text));
}

// --- one line per entry, since 2.7 ---

/// "p_l_weight: PARAMETER target='l.weight'"; a literal has no name: ": USER_OUTPUT"
bool readLine(std::string_view line, SignatureEntry& entry) {
    const auto name = takeName(line);
    if (!line.starts_with(": ")) return false;
    line.remove_prefix(2);
    const auto kind = takeName(line);
    const bool named = !kind.empty() && std::ranges::all_of(kind, [](char c) { return c == '_' || std::isupper(c); });
    if (!named || (!line.empty() && !line.starts_with(' '))) return false;
    entry = {std::string(name), std::string(kind), quotedBehind(line, " target=")};
    return true;
}

ExportSignature readLines(std::string_view text) {
    ExportSignature signature;
    auto* list = &signature.inputs;
    while (!text.empty()) {
        const auto line = trimmed(takeLine(text));
        if (line == "# outputs") list = &signature.outputs;
        if (line.starts_with("Range constraints")) break;
        if (SignatureEntry entry; list->size() < kMostSpecs && readLine(line, entry)) list->push_back(std::move(entry));
    }
    return signature;
}

// --- the specs as printed by their Python classes, until 2.6 ---

/// Finds all "InputSpec(kind=<InputKind.PARAMETER: 2>, arg=TensorArgument(name='p_w'), target='w', persistent=None)".
std::vector<SignatureEntry> readSpecs(std::string_view text, std::string_view word, std::string_view kindWord) {
    std::vector<SignatureEntry> list;
    for (auto at = text.find(word); at != std::string_view::npos && list.size() < kMostSpecs;) {
        const auto next = text.find(word, at + word.size());
        auto spec = text.substr(at, next == std::string_view::npos ? next : next - at);
        at = next;
        const auto kind = spec.find(kindWord);
        if (kind == std::string_view::npos) continue;
        spec.remove_prefix(kind + kindWord.size());
        SignatureEntry entry;
        entry.kind = takeName(spec);
        const auto target = spec.find(", target=");
        entry.name = quotedBehind(spec.substr(0, target), "name=");
        if (target != std::string_view::npos) entry.target = quotedBehind(spec.substr(target), ", target=");
        list.push_back(std::move(entry));
    }
    return list;
}

// --- lists and dictionaries, in 2.1 ---

/// The strings in "key=['a', 'b']" or "key={'a': 'b'}".
std::vector<std::string> stringsOf(std::string_view text, std::string_view key) {
    std::vector<std::string> strings;
    const auto at = text.find(key);
    if (at == std::string_view::npos) return strings;
    text.remove_prefix(at + key.size());
    while (!text.empty() && text.front() != ']' && text.front() != '}' && strings.size() < kMostSpecs) {
        if (text.front() == '\'') strings.emplace_back(takeQuoted(text));
        else text.remove_prefix(1);
        if (!strings.empty() && strings.back().empty()) break;
    }
    return strings;
}

void addPairs(std::string_view text, std::string_view key, const char* kind, std::vector<SignatureEntry>& list) {
    const auto strings = stringsOf(text, key);
    for (std::size_t i = 0; i + 1 < strings.size(); i += 2) list.push_back({strings[i], kind, strings[i + 1]});
}

ExportSignature readDictionaries(std::string_view text) {
    ExportSignature signature;
    addPairs(text, "inputs_to_parameters=", "PARAMETER", signature.inputs);
    addPairs(text, "inputs_to_buffers=", "BUFFER", signature.inputs);
    for (std::string& name : stringsOf(text, "user_inputs=")) signature.inputs.push_back({name, "USER_INPUT", {}});
    addPairs(text, "buffers_to_mutate=", "BUFFER_MUTATION", signature.outputs);
    for (std::string& name : stringsOf(text, "user_outputs=")) signature.outputs.push_back({name, "USER_OUTPUT", {}});
    return signature;
}

constexpr std::size_t kHeading = std::string_view("Graph signature:").size();

}  // namespace

bool beginsSignature(std::string_view line) {
    return line.starts_with("Graph signature:") || line.starts_with("Graph Signature:");
}

ExportSignature readExportSignature(std::string_view text) {
    while (!text.empty() && !beginsSignature(trimmed(text.substr(0, text.find('\n')))))
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    text = trimmed(text);
    if (text.empty()) return {};
    text.remove_prefix(kHeading);
    const auto first = trimmed(text.substr(0, text.find('\n')));
    if (!first.starts_with("ExportGraphSignature(")) return readLines(text);
    if (first.find("input_specs=") == std::string_view::npos) return readDictionaries(first);
    return {readSpecs(first, "InputSpec(", "<InputKind."), readSpecs(first, "OutputSpec(", "<OutputKind.")};
}

}  // namespace aotscope
