#include "program/inputs/short_inputs.h"

#include "support/error.h"
#include "support/quoted.h"
#include "support/token_reader.h"

#include <nlohmann/json.hpp>

#include <map>
#include <utility>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr std::size_t kMostShortText = 100'000;

/// Creates the JSON for parseInputSpec.
class ShortInputsReader : TokenReader {
public:
    ShortInputsReader(std::string_view text, std::string where)
        : TokenReader(text, " \t\n\v\f\r"), where_(std::move(where)) {}

    json run() {
        skipBlanks();
        while (!atEnd()) {
            item();
            skipBlanks();
            if (!atEnd()) expect(',');
            skipBlanks();
        }
        return {{"values", values_}, {"inputs", inputs_}};
    }

private:
    [[noreturn]] void fail(const std::string& expected) const {
        throw Error(where_ + ", column " + std::to_string(at_ + 1) + ": expected " + expected + ", found " +
                    (atEnd() ? "the end" : inQuotes(rest().substr(0, 20))));
    }

    void expect(char c) {
        if (!accept(c)) fail(std::string("'") + c + "'");
    }

    json number() {
        skipBlanks();
        const auto start = at_;
        const auto real = tryNumber<double>();
        if (!real) fail("a number");
        const auto end = std::exchange(at_, start);
        const auto whole = tryNumber<std::int64_t>();
        const bool isWhole = whole && at_ == end;
        at_ = end;
        return isWhole ? json(*whole) : json(*real);
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
        skipBlanks();
        const auto start = at_;
        const std::string_view first = word();
        if (first == "None") return inputs_.push_back({{"none", true}});
        if (first == "True" || first == "False") return inputs_.push_back({{"bool", first == "True"}});
        if (const auto known = names_.find(first); known != names_.end()) return passAgain(known->second, name);
        if (const auto dtype = dtypeFromName(first)) return tensor(*dtype, name);
        at_ = start;
        if (!first.empty() && (first[0] < '0' || first[0] > '9'))
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

    /// A value itself, or a view of it.
    void passAgain(std::size_t of, const std::string& name) {
        if (!accept('.')) return pass(of, name);
        json derived{{"op", std::string(word())}, {"of", of}, {"args", json::array()}};
        expect('(');
        while (!accept(')')) {
            skipBlanks();
            derived["args"].push_back(peek() == '[' ? integers() : number());
            skipBlanks();
            if (!atEnd() && peek() != ')') expect(',');
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

    std::string where_;
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
