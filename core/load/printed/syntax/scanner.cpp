#include "load/printed/syntax/scanner.h"

#include "load/printed/syntax/log_line.h"
#include "ops/python_operators.h"
#include "support/error.h"
#include "support/quoted.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>
#include <utility>

namespace aotscope {

namespace {

bool isNameStart(char c) { return isNamePart(c) && !isDigit(c); }
/// Most statements have no operator, as their first character shows.
bool mayBeOperator(char c) { return std::string_view("*/<>=!+-%&|^@").find(c) != std::string_view::npos; }

}  // namespace

void Scanner::fail(const std::string& expected) const {
    const auto next = restOfLine().substr(0, 30);
    throw Error(source_.file + ", line " + std::to_string(source_.lineAt(at_)) + ": expected " + expected + ", found " +
                (atEnd()        ? "the end of the graph"
                 : next.empty() ? "the end of the line"
                                : inQuotes(next)));
}

std::string_view Scanner::restOfLine() const { return rest().substr(0, rest().find('\n')); }

void Scanner::nextLine() {
    const auto end = text_.find('\n', std::min(at_, text_.size()));
    at_ = end == std::string_view::npos ? text_.size() : end + 1;
}

void Scanner::toLineStart() {
    while (at_ > 0 && text_[at_ - 1] != '\n') --at_;
}

void Scanner::skipEmptyLines() {
    while (!atEnd() && restOfLine().find_first_not_of(' ') == std::string_view::npos) nextLine();
}

bool Scanner::toContentBeyond(std::size_t indent) {
    skipEmptyLines();
    return !atEnd() && indentation() > indent;
}

std::size_t Scanner::indentation() const {
    auto start = at_;
    while (start > 0 && text_[start - 1] != '\n') --start;
    auto word = start;
    while (word < text_.size() && text_[word] == ' ') ++word;
    return word - start;
}

void Scanner::skipSpace() {
    for (;;) {
        skipBlanks();
        if (peek() == '#') {
            note_ = noteOf(restOfLine());
            at_ += restOfLine().size();
        } else if (peek() == '\n') {
            ++at_;
        } else {
            return;
        }
    }
}

std::string Scanner::noteOf(std::string_view comment) {
    comment.remove_prefix(std::min(comment.find_first_not_of("# "), comment.size()));
    return std::string(comment);
}

void Scanner::skipTo(std::string_view ends) {
    int depth = 0;
    while (!atEnd()) {
        const char c = peek();
        if (depth == 0 && ends.find(c) != std::string_view::npos) return;
        if (c == '"' || c == '\'') {
            quoted();
            continue;
        }
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (depth < 0) break;
        ++at_;
    }
    fail("one of " + inQuotes(ends));
}

void Scanner::skipBlock(std::string_view quotes) {
    const auto end = text_.find(quotes, at_ + quotes.size());
    if (end == std::string_view::npos) fail("the end of the text block that starts here");
    at_ = end + quotes.size();
    nextLine();
}

bool Scanner::acceptWord(std::string_view word) {
    skipBlanks();
    return !isNamePart(peek(word.size())) && accept(word);
}

void Scanner::expect(std::string_view token) {
    if (!accept(token)) fail(inQuotes(token));
}

std::string Scanner::tryIdentifier() {
    const auto start = at_;
    if (isNameStart(peek()))
        while (isNamePart(peek())) ++at_;
    return std::string(text_.substr(start, at_ - start));
}

std::string Scanner::identifier(const char* what) {
    skipBlanks();
    auto name = tryIdentifier();
    if (name.empty()) fail(what);
    return name;
}

std::string Scanner::dottedName(const char* what) {
    std::string path = identifier(what);
    while (peek() == '.' && isNameStart(peek(1))) {
        ++at_;
        path += "." + tryIdentifier();
    }
    return path;
}

std::string Scanner::annotation(std::string_view ends) {
    skipBlanks();
    const auto start = at_;
    std::string text;
    if (atString()) text = quoted();
    else skipTo(ends), text = text_.substr(start, at_ - start);
    skipBlanks();
    return text;
}

bool Scanner::atString() const { return peek() == '"' || peek() == '\''; }

std::string Scanner::quoted() {
    const char quote = peek();
    if (quote != '"' && quote != '\'') fail("a text in quotes");
    const auto start = at_++;
    std::string value;
    while (peek() != quote) {
        if (atEnd() || peek() == '\n') {
            at_ = start;
            fail("a closing quote in this line");
        }
        if (peek() == '\\') {
            ++at_;
            if (atEnd()) continue;
            value += peek() == 'n' ? '\n' : peek() == 't' ? '\t' : peek();
        } else {
            value += peek();
        }
        ++at_;
    }
    ++at_;
    return value;
}

bool Scanner::atNumber() const {
    const auto sign = static_cast<std::size_t>(peek() == '-');
    return isDigit(peek(sign)) || (peek(sign) == '.' && isDigit(peek(sign + 1))) ||
           (sign && (text_.substr(at_ + 1).starts_with("inf") || text_.substr(at_ + 1).starts_with("nan")));
}

/// Reads the number at `position` and moves past it. "inf" and "nan" count as numbers.
double Scanner::realAt(std::size_t& position) const {
    double value = 0;
    const char* begin = text_.data() + position;
    const auto [end, failure] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (end == begin) fail("a number");
    if (failure == std::errc::result_out_of_range) value = std::numeric_limits<double>::infinity();
    position = static_cast<std::size_t>(end - text_.data());
    return value;
}

Argument Scanner::number() {
    const auto start = at_;
    const double value = realAt(at_);
    if (peek() == 'j') {
        ++at_;
        return std::complex<double>(0, value);
    }
    const auto token = text_.substr(start, at_ - start);
    if (token.find_first_not_of("-0123456789") != std::string_view::npos) return value;
    std::int64_t whole = 0;
    const auto result = std::from_chars(token.data(), token.data() + token.size(), whole);
    return result.ec == std::errc{} ? Argument(whole) : Argument(value);
}

std::optional<Argument> Scanner::parenthesizedComplex() {
    const auto isNumber = [this](std::size_t at) {
        const auto sign = static_cast<std::size_t>(at < text_.size() && (text_[at] == '-' || text_[at] == '+'));
        const auto rest = text_.substr(std::min(at + sign, text_.size()));
        return !rest.empty() && (isDigit(rest[0]) || rest.starts_with("inf") || rest.starts_with("nan"));
    };
    auto end = at_;
    if (!isNumber(end)) return std::nullopt;
    const double real = realAt(end);
    if (end >= text_.size() || (text_[end] != '+' && text_[end] != '-') || !isNumber(end)) return std::nullopt;
    if (text_[end] == '+') ++end;
    const double imaginary = realAt(end);
    if (!text_.substr(end).starts_with("j)")) return std::nullopt;
    at_ = end + 2;
    return Argument(std::complex<double>(real, imaginary));
}

std::string Scanner::angled() {
    const auto line = restOfLine();
    int depth = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        depth += line[i] == '<' ? 1 : line[i] == '>' ? -1 : 0;
        if (depth > 0) continue;
        at_ += i + 1;
        return std::string(line.substr(0, i + 1));
    }
    fail("a closing '>' in this line");
}

std::optional<std::string> Scanner::unaryOperator() {
    skipBlanks();
    if (!isNameStart(peek(1)) || text_.substr(at_ + 1).starts_with("inf") || text_.substr(at_ + 1).starts_with("nan"))
        return std::nullopt;
    for (const auto& [sign, name] : kUnaryOperators)
        if (accept(sign)) return std::string(name);
    return std::nullopt;
}

std::optional<std::string> Scanner::binaryOperator() {
    skipBlanks();
    if (!mayBeOperator(peek())) return std::nullopt;
    for (const auto& [sign, name] : kBinaryOperators)
        if (accept(sign)) return std::string(name);
    return std::nullopt;
}

std::optional<std::string> Scanner::inplaceOperator() {
    skipBlanks();
    if (!mayBeOperator(peek()) || peek() == '=') return std::nullopt;
    for (const auto& [sign, name] : std::span(kBinaryOperators).first(kInplaceOperators))
        if (accept(std::string(sign) + "=")) return "i" + std::string(name.substr(0, name.find('_')));
    return std::nullopt;
}

std::optional<Argument> Scanner::literal(std::string_view word) {
    if (word == "None") return Argument();
    if (word == "True") return Argument(true);
    if (word == "False") return Argument(false);
    if (word == "inf") return Argument(std::numeric_limits<double>::infinity());
    if (word == "nan") return Argument(std::numeric_limits<double>::quiet_NaN());
    if (word == "Ellipsis") return Argument("...");
    return std::nullopt;
}

std::optional<Argument> Scanner::torchConstant(std::string_view path) {
    constexpr std::string_view prefix = "torch.";
    if (!path.starts_with(prefix)) return std::nullopt;
    if (const auto dtype = dtypeFromName(path)) return Argument(*dtype);
    path.remove_prefix(prefix.size());
    for (int i = 0; i < 4; ++i)
        if (const auto format = static_cast<MemoryFormat>(i); name(format) == path) return Argument(format);
    for (int i = 0; i < 8; ++i)
        if (const auto layout = static_cast<Layout>(i); name(layout) == path) return Argument(layout);
    return std::nullopt;
}

}  // namespace aotscope
