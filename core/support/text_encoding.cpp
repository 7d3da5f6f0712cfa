#include "support/text_encoding.h"

#include "support/input_file.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr char32_t kMark = 0xfeff, kReplacement = 0xfffd;

/// Whether `text` consists of ASCII characters and zeros, which are at the positions `zeros`, `zeros + 2`, ...
bool alternates(std::string_view text, std::size_t zeros) {
    constexpr std::size_t looked = 64, least = 16;
    text = text.substr(0, std::min(text.size(), looked) & ~std::size_t{1});
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool visible = (text[i] >= ' ' && text[i] < '\x7f') || (text[i] >= '\t' && text[i] <= '\r');
        if (i % 2 == zeros ? text[i] != '\0' : !visible && text[i] != '\x1b') return false;
    }
    return text.size() >= least;
}

void append(std::string& text, char32_t code) {
    const auto add = [&](char32_t byte) { text += static_cast<char>(byte); };
    const auto following = [&](unsigned shift) { add(0x80 | ((code >> shift) & 0x3f)); };
    if (code < 0x80) return add(code);
    if (code < 0x800) add(0xc0 | (code >> 6));
    else if (code < 0x10000) add(0xe0 | (code >> 12)), following(6);
    else add(0xf0 | (code >> 18)), following(12), following(6);
    following(0);
}

std::string fromUtf16(std::string_view bytes, bool little) {
    const auto unit = [&](std::size_t i) -> char32_t {
        const auto first = static_cast<unsigned char>(bytes[i]), second = static_cast<unsigned char>(bytes[i + 1]);
        return little ? first | (second << 8) : second | (first << 8);
    };
    std::string text;
    text.reserve(bytes.size() / 2);
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        char32_t code = unit(i);
        if (i == 0 && code == kMark) continue;
        if (code >= 0xd800 && code < 0xe000) {
            const char32_t low = code < 0xdc00 && i + 3 < bytes.size() ? unit(i + 2) : 0;
            const bool pair = low >= 0xdc00 && low < 0xe000;
            code = pair ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : kReplacement;
            if (pair) i += 2;
        }
        append(text, code);
    }
    return text;
}

}  // namespace

TextEncoding encodingOf(std::string_view beginning) {
    if (beginning.starts_with("\xff\xfe") || alternates(beginning, 1)) return TextEncoding::utf16Little;
    return beginning.starts_with("\xfe\xff") || alternates(beginning, 0) ? TextEncoding::utf16Big : TextEncoding::utf8;
}

std::string toUtf8(std::string_view bytes, TextEncoding encoding) {
    if (encoding != TextEncoding::utf8) return fromUtf16(bytes, encoding == TextEncoding::utf16Little);
    if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
    return std::string(bytes);
}

std::string toUtf8(std::string_view text) { return toUtf8(text, encodingOf(text)); }

std::string beginningOfText(const std::filesystem::path& path, std::size_t count) {
    return toUtf8(beginningOf(path, count));
}

}  // namespace aotscope
