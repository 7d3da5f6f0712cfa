#pragma once

#include "query/fields.h"
#include "query/text_test.h"
#include "support/token_reader.h"

#include <functional>
#include <string>
#include <string_view>

namespace aotscope {

/// Reads a query into a test of nodes. The grammar is at Query.
class QueryParser : TokenReader {
public:
    using Test = std::function<bool(const QueryFacts&)>;

    /// `values`: terms may test values of a run.
    explicit QueryParser(std::string_view text, bool values = false) : TokenReader(text, " \t\n\r"), values_(values) {}
    /// Throws QueryError.
    Test parse();
    /// Whether a term of the query tests values.
    bool readsValues() const { return readsValues_; }

private:
    struct Value {
        std::string text;
        bool expression = false;  ///< was between slashes
        std::size_t at = 0, length = 0;
    };

    Test alternatives();
    Test conjunction();
    Test negation();
    Test term();
    Test keywordTerm(const std::string& word, std::size_t at);
    Test textTerm(const TextField& field, std::string_view relation);
    Test numberTerm(const NumberField& field, std::string_view relation);
    Test dtypeTerm();
    Test shapeTerm();
    Test anywhere(const Value& value) const;
    TextTest testOf(const Value& value, TextTest::How how) const;

    std::string_view peekWord() const;
    bool acceptWord(std::initializer_list<std::string_view> words);
    std::string_view relation();
    Value value(const std::string& expected);
    Value delimited(char end);
    std::vector<std::string> keywords() const;
    Test ofValues(Test test);
    [[noreturn]] void fail(std::size_t at, std::size_t length, const std::string& expected) const;

    int depth_ = 0;
    bool values_ = false, readsValues_ = false, negated_ = false;
};

}  // namespace aotscope
