#include "program/inputs/short_inputs.h"

#include "support/error.h"
#include "support/quoted.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr std::size_t kMostShortText = 100'000;

/// Makes the JSON that parseInputSpec takes.
class ShortInputsReader {
public:
    ShortInputsReader(std::string_view text, std::string where) : text_(text), where_(std::move(where)) {}

    json run() {
        skip();
        while (at_ < text_.size()) {
            item();
            skip();
            if (at_ < text_.size()) expect(',');
            skip();
        }
        return {{"values", values_}, {"inputs", inputs_}};
    }

private:
    [[noreturn]] void fail(const std::string& expected) const {
        const auto rest = text_.substr(std::min(at_, text_.size()), 20);
        throw Error(where_ + ", column " + std::to_string(at_ + 1) + ": expected " + expected + ", found " +
                    (rest.empty() ? "the end" : inQuotes(rest)));
    }

    void skip() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }
    bool accept(char c) {
        skip();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!accept(c)) fail(std::string("'") + c + "'");
    }
    /// Letters, digits and _; empty if there is none.
    std::string_view word() {
        skip();
        const auto start = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
        return text_.substr(start, at_ - start);
    }
    bool acceptWord(std::string_view wanted) {
        const auto start = at_;
        if (word() == wanted) return true;
        at_ = start;
        return false;
    }

    json number() {
        skip();
        std::int64_t whole = 0;
        double real = 0;
        const char *begin = text_.data() + at_, *end = text_.data() + text_.size();
        const auto [afterReal, realFailure] = std::from_chars(begin, end, real);
        if (realFailure != std::errc{}) fail("a number");
        const auto [afterWhole, wholeFailure] = std::from_chars(begin, end, whole);
        at_ += static_cast<std::size_t>(afterReal - begin);
        if (wholeFailure == std::errc{} && afterWhole == afterReal) return whole;
        return real;
    }

    json integers() {
        json list = json::array();
        expect('[');
        if (accept(']')) return list;
        do {
            const json size = number();
            if (!size.is_number_integer()) fail("a whole number");
            list.push_back(size);
        } while (accept(','));
        expect(']');
        return list;
    }

    void item() {
        const auto start = at_;
        const std::string_view first = word();
        std::string name;
        if (!first.empty() && accept(':')) name = first;
        else at_ = start;
        value(name);
    }

    void value(const std::string& name) {
        skip();
        const auto start = at_;
        const std::string_view first = word();
        if (first == "None") return inputs_.push_back({{"none", true}});
        if (first == "True" || first == "False") return inputs_.push_back({{"bool", first == "True"}});
        if (const auto known = names_.find(first); known != names_.end()) return passAgain(known->second, name);
        if (const auto dtype = dtypeFromName(first)) return tensor(*dtype, name);
        at_ = start;
        if (!first.empty() && !std::isdigit(static_cast<unsigned char>(first[0])))
            fail("a type such as f32[4, 5], a number, True, False, None, or the name of an earlier input");
        const json found = number();
        inputs_.push_back({{found.is_number_integer() ? "int" : "float", found}});
    }

    void tensor(DType dtype, const std::string& name) {
        json leaf{{"shape", integers()}, {"dtype", longName(dtype)}};
        if (acceptWord("grad")) leaf["requires_grad"] = true;
        if (accept('=')) leaf["fill"] = fill();
        add({{"leaf", std::move(leaf)}}, name);
    }

    json fill() {
        const std::string_view how = word();
        if (how != "randint") return std::string(how);
        expect('(');
        json range = json::array({number()});
        expect(',');
        range.push_back(number());
        expect(')');
        return {{"randint", range}};
    }

    /// A value as it is, or a view of it.
    void passAgain(std::size_t of, const std::string& name) {
        if (!accept('.')) return pass(of, name);
        json derived{{"op", std::string(word())}, {"of", of}, {"args", json::array()}};
        expect('(');
        while (!accept(')')) {
            skip();
            derived["args"].push_back(at_ < text_.size() && text_[at_] == '[' ? integers() : number());
            skip();
            if (at_ < text_.size() && text_[at_] != ')') expect(',');
        }
        add(std::move(derived), name);
    }

    void add(json value, const std::string& name) {
        values_.push_back(std::move(value));
        pass(values_.size() - 1, name);
    }
    void pass(std::size_t value, const std::string& name) {
        inputs_.push_back({{"tensor", value}});
        if (!name.empty()) names_[name] = value;
    }

    std::string_view text_;
    std::string where_;
    std::size_t at_ = 0;
    json values_ = json::array(), inputs_ = json::array();
    std::map<std::string, std::size_t, std::less<>> names_;
};

}  // namespace

InputSpec parseShortInputs(std::string_view text, const std::string& where) {
    if (text.size() > kMostShortText) throw Error(where + ": it has more than 100 kB");
    const auto first = text.find_first_not_of(" \t\r\n");
    const bool isJson = first != std::string_view::npos && (text[first] == '[' || text[first] == '{');
    return isJson ? parseInputSpec(text, where) : parseInputSpec(ShortInputsReader(text, where).run().dump(), where);
}

}  // namespace aotscope
