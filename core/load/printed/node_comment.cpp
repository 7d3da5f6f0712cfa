#include "load/printed/node_comment.h"

#include <charconv>

namespace aotscope {

namespace {

/// The text after `key`, or empty.
std::string_view textBehind(std::string_view text, std::string_view key) {
    const auto at = text.find(key);
    return at == std::string_view::npos ? std::string_view() : text.substr(at + key.size());
}

}  // namespace

NodeComment readNodeComment(std::string_view comment) {
    NodeComment result;
    const auto said = comment.substr(0, comment.find("File: "));
    result.backward = textBehind(said, "autograd_backward: ").starts_with("True");
    const auto number = textBehind(said, "seq_nr: ");
    if (std::from_chars(number.data(), number.data() + number.size(), result.sequence).ec != std::errc{} ||
        result.sequence < 0)
        result.sequence = -1;
    const auto module = textBehind(textBehind(said, "'module_fqn'"), "'");
    // Annotations longer than 40 characters are truncated.
    if (const auto end = module.find('\''); end != std::string_view::npos) result.module = module.substr(0, end);
    return result;
}

}  // namespace aotscope
