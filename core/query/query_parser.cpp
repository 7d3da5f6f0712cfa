#include "query/query_parser.h"

#include "query/query.h"
#include "support/names.h"
#include "support/quoted.h"

#include <algorithm>
#include <regex>

namespace aotscope {

namespace {

constexpr std::size_t kLongestQuery = 4000;
constexpr int kDeepest = 100;

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
/// Where a word ends.
bool isSpecial(char c) { return isBlank(c) || std::string_view("():<>=\"").find(c) != std::string_view::npos; }

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

template <typename Table>
auto* named(const Table& table, std::string_view name) {
    const auto it = std::ranges::find(table, name, [](const auto& row) { return row.name; });
    return it == table.end() ? nullptr : &*it;
}

/// "forward-only" stands for "forward only".
std::string spaced(std::string text) {
    std::ranges::replace(text, '-', ' ');
    return text;
}

bool compare(double a, std::string_view relation, double b) {
    if (relation == "<") return a < b;
    if (relation == "<=") return a <= b;
    if (relation == ">") return a > b;
    if (relation == ">=") return a >= b;
    return relation == "!=" ? a != b : a == b;
}

}  // namespace

std::vector<std::string> QueryParser::keywords() const {
    std::vector<std::string> names = {"dtype", "shape"};
    for (const auto& field : textFields()) names.emplace_back(field.name);
    for (const auto& field : numberFields()) names.emplace_back(field.name);
    if (values_)
        for (const auto& field : valueNumbers()) names.emplace_back(field.name);
    std::ranges::sort(names);
    return names;
}

/// For an unknown value, such a term may or may not hold.
QueryParser::Test QueryParser::ofValues(Test test) {
    readsValues_ = true;
    return [test = std::move(test), holds = !negated_](const QueryFacts& f) { return f.anyValue ? holds : test(f); };
}

void QueryParser::fail(std::size_t at, std::size_t length, const std::string& expected) const {
    const std::string found(text_.substr(std::min(at, text_.size()), std::max<std::size_t>(length, 1)));
    throw QueryError("query, character " + std::to_string(at + 1) + ": expected " + expected + ", found " +
                         (found.empty() ? "the end" : inQuotes(found)),
                     at, found.empty() ? 0 : length);
}

QueryParser::Test QueryParser::parse() {
    if (text_.size() > kLongestQuery) fail(kLongestQuery, 20, "a query of at most 4000 characters");
    Test test = alternatives();
    skipBlanks();
    if (!atEnd()) fail(at_, 1, "'and', 'or', or the end (no parenthesis is open)");
    return test;
}

QueryParser::Test QueryParser::alternatives() {
    Test test = conjunction();
    while (acceptWord({"or", "|", "||"}))
        test = [a = std::move(test), b = conjunction()](const QueryFacts& f) { return a(f) || b(f); };
    return test;
}

QueryParser::Test QueryParser::conjunction() {
    Test test = negation();
    while (true) {
        const bool joined = acceptWord({"and", "&", "&&"});
        skipBlanks();
        const std::string_view next = peekWord();
        if (!joined && (atEnd() || peek() == ')' || next == "or" || next == "OR" || next == "|" || next == "||"))
            return test;
        test = [a = std::move(test), b = negation()](const QueryFacts& f) { return a(f) && b(f); };
    }
}

QueryParser::Test QueryParser::negation() {
    bool negated = false;
    while (true) {
        if (acceptWord({"not"})) {
            negated = !negated;
        } else if ((peek() == '-' || peek() == '!') && at_ + 1 < text_.size() && !isBlank(text_[at_ + 1])) {
            negated = !negated;
            ++at_;
        } else {
            break;
        }
    }
    negated_ = negated_ != negated;
    Test test = term();
    negated_ = negated_ != negated;
    if (!negated) return test;
    return [test = std::move(test)](const QueryFacts& f) { return !test(f); };
}

QueryParser::Test QueryParser::term() {
    skipBlanks();
    const std::size_t start = at_;
    if (peek() == '(') {
        if (++depth_ > kDeepest) fail(start, 1, "at most 100 parentheses inside each other");
        ++at_;
        Test test = alternatives();
        skipBlanks();
        if (peek() != ')') fail(at_, 1, "a ')' for the '(' at character " + std::to_string(start + 1));
        ++at_;
        --depth_;
        return test;
    }
    if (peek() == '"' || peek() == '/') return anywhere(value("text"));
    const std::string word(peekWord());
    if (word.empty())
        fail(start, 1, "text, /an expression/, a property such as saved, or a keyword such as op: or bytes>");
    at_ += word.size();
    if (std::string_view(":<>=").find(peek()) != std::string_view::npos && !atEnd()) return keywordTerm(word, start);
    // "users!=3": the '!' was parsed as part of the word.
    if (word == "not" || word == "and" || word == "or") fail(start, word.size(), "a term, such as saved or op:mm");
    if (const Flag* flag = named(queryFlags(), word)) return flag->holds;
    if (const Flag* flag = values_ ? named(valueFlags(), word) : nullptr) return ofValues(flag->holds);
    return anywhere({word, false, start, word.size()});
}

QueryParser::Test QueryParser::keywordTerm(const std::string& wordBefore, std::size_t at) {
    std::string word = wordBefore;
    if (peek() == '=' && word.ends_with('!')) {
        word.pop_back();
        --at_;
    }
    const std::string_view how = relation();
    if (const TextField* field = named(textFields(), word)) {
        if (how != ":" && how != "=" && how != "!=")
            fail(at_ - how.size(), how.size(), "':', '=' or '!=' after " + inQuotes(word) + ", which is not a number");
        return textTerm(*field, how);
    }
    if (const NumberField* field = named(numberFields(), word)) return numberTerm(*field, how);
    if (const NumberField* field = values_ ? named(valueNumbers(), word) : nullptr)
        return ofValues(numberTerm(*field, how));
    const bool differs = how == "!=";
    if (word == "dtype" || word == "shape") {
        if (how != ":" && how != "=" && !differs) fail(at_ - how.size(), how.size(), "':' after " + inQuotes(word));
        Test test = word == "dtype" ? dtypeTerm() : shapeTerm();
        if (!differs) return test;
        return [test = std::move(test)](const QueryFacts& f) { return f.node->type.known() && !test(f); };
    }
    const auto similar = similarNames(word, keywords());
    fail(at, word.size(),
         "a keyword (" + listed(similar.empty() ? keywords() : similar) + "), or quotes around text that has a " +
             inQuotes(how) + " in it");
}

QueryParser::Test QueryParser::textTerm(const TextField& field, std::string_view how) {
    Value wanted = value("text after '" + std::string(field.name) + std::string(how) + "'");
    if (field.values && !wanted.expression) wanted.text = spaced(wanted.text);
    const TextTest test = testOf(wanted, how == ":" ? TextTest::How::contains : TextTest::How::equals);
    if (field.values && std::ranges::none_of(field.values(), [&](auto& known) { return test(spaced(known)); }))
        fail(wanted.at, wanted.length, "one of " + listed(field.values()));
    const bool differs = how == "!=", ofOp = field.name == "op";
    return [read = field.read, spaces = field.values != nullptr, test, differs, ofOp](const QueryFacts& f) {
        const std::string_view text = read(f);
        if (text.empty()) return false;
        const bool holds = (spaces ? test(spaced(std::string(text))) : test(text)) ||
                           (ofOp && (test(shortOpName(text)) || test(packetOf(text))));
        return holds != differs;
    };
}

QueryParser::Test QueryParser::numberTerm(const NumberField& field, std::string_view how) {
    std::string_view compares = how;
    if (how == ":")  // "bytes:>1M"
        if (const std::string_view second = relation(); !second.empty()) compares = second;
    const Value wanted = value("a number after " + inQuotes(field.name));
    const auto number = wanted.expression ? std::nullopt : quantity(wanted.text, field.unit);
    if (!number)
        fail(wanted.at, wanted.length,
             field.unit == Unit::bytes  ? "a number such as 100, 1.5M or 4KiB"
             : field.unit == Unit::time ? "a time such as 100us or 2ms"
                                        : "a number");
    return [read = field.read, compares = std::string(compares), number = *number](const QueryFacts& f) {
        const auto actual = read(f);
        return actual && compare(*actual, compares, number);
    };
}

QueryParser::Test QueryParser::dtypeTerm() {
    const Value wanted = value("an element type after 'dtype:'");
    const auto test = wanted.expression ? std::nullopt : dtypeTest(wanted.text);
    if (!test) fail(wanted.at, wanted.length, "an element type such as f32, bool or i64, or float, int, complex");
    return [test = *test](const QueryFacts& f) {
        return anyTensor(f.node->type, [&](const TensorType& type) { return test(type.dtype); });
    };
}

QueryParser::Test QueryParser::shapeTerm() {
    const Value wanted = value("sizes after 'shape:'");
    auto test = wanted.expression ? std::nullopt : shapeTest(wanted.text);
    if (!test) fail(wanted.at, wanted.length, "sizes such as 8x512, [8, *, 64] or 8x...");
    return [test = *test](const QueryFacts& f) { return anyTensor(f.node->type, test); };
}

QueryParser::Test QueryParser::anywhere(const Value& value) const {
    Value wanted = value;
    if (wanted.text.starts_with('%')) wanted.text.erase(0, 1);
    return [test = testOf(wanted, TextTest::How::contains)](const QueryFacts& f) {
        const Node& node = *f.node;
        return test(node.name()) || (node.kind() == NodeKind::call && test(node.op())) || test(node.label) ||
               (node.source && test(node.source->module)) || test(node.autograd.function);
    };
}

TextTest QueryParser::testOf(const Value& value, TextTest::How how) const {
    if (!value.expression) return TextTest::word(value.text, how);
    try {
        return TextTest::expression(value.text);
    } catch (const std::regex_error&) {
        fail(value.at, value.length, "a regular expression (brackets closed, nothing repeated that is not there)");
    }
}

std::string_view QueryParser::peekWord() const {
    std::size_t end = at_;
    while (end < text_.size() && !isSpecial(text_[end])) ++end;
    return text_.substr(at_, end - at_);
}

bool QueryParser::acceptWord(std::initializer_list<std::string_view> words) {
    skipBlanks();
    const std::string_view next = peekWord();
    const auto same = [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); };
    // "or:" would be an unknown field, and "or" in quotes is text.
    const char after = peek(next.size());
    if (after == ':' || after == '=' || after == '<' || after == '>') return false;
    for (const auto word : words)
        if (std::ranges::equal(word, next, same)) {
            at_ += next.size();
            return true;
        }
    return false;
}

std::string_view QueryParser::relation() {
    for (const std::string_view known : {":", "<=", ">=", "!=", "==", "<", ">", "="})
        if (looksAt(known)) {
            at_ += known.size();
            return known == "==" ? "=" : known;
        }
    return {};
}

QueryParser::Value QueryParser::value(const std::string& expected) {
    if (peek() == '"' || peek() == '/') return delimited(peek());
    Value result{{}, false, at_, 0};
    int open = 0;
    for (; !atEnd(); ++at_) {
        const char c = peek();
        if (open == 0 && (isBlank(c) || c == ')' || c == '"')) break;
        open += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
        result.text += c;
    }
    result.length = at_ - result.at;
    if (result.text.empty()) fail(result.at, 1, expected);
    return result;
}

/// Up to the next `end`, which a backslash escapes.
QueryParser::Value QueryParser::delimited(char end) {
    Value result{{}, end == '/', at_, 0};
    for (++at_; !atEnd() && peek() != end; ++at_) {
        if (peek() == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == end) ++at_;
        result.text += peek();
    }
    if (atEnd())
        fail(at_, 1, std::string("a closing ") + end + " for the one at character " + std::to_string(result.at + 1));
    ++at_;
    result.length = at_ - result.at;
    return result;
}

}  // namespace aotscope
