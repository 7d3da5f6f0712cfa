#pragma once

#include "query/facts.h"
#include "support/error.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// A query that cannot be parsed: the problem, its position, and what was expected.
class QueryError : public Error {
public:
    QueryError(const std::string& what, std::size_t where, std::size_t bytes) : Error(what), at(where), length(bytes) {}
    std::size_t at, length;  ///< byte offset and length of the invalid text
};

/// A query for nodes. Adjacent terms, or those joined by `and`, must all hold; `or`, `not` (or a leading '-') and
/// parentheses have their usual meaning. A term is
///
///     relu  "saved"  /mm_\d+/       text or regular expression in name, operation, module, label or autograd node
///     op:mm  op=mm  module:/h\.\d/  in one of these; '=' matches the whole text
///     shape:8x*x...  dtype:f32      of any tensor in the value
///     bytes>1M  users>=3  rank!=2   a number, possibly with a unit
///     saved  mutates  random        a property
class Query {
public:
    /// Throws QueryError.
    static Query parse(std::string_view text);
    /// Terms may also test values of a run: `has_nan`, `has_inf`, `absmax>1e4`.
    static Query parseWithValues(std::string_view text);

    bool matches(const QueryFacts& facts) const { return test_(facts); }
    /// Whether some value of the node would match.
    bool mayMatch(QueryFacts facts) const {
        facts.anyValue = true;
        return test_(facts);
    }
    bool readsValues() const { return readsValues_; }

private:
    using Test = std::function<bool(const QueryFacts&)>;
    Query(Test test, bool readsValues) : test_(std::move(test)), readsValues_(readsValues) {}
    Test test_;
    bool readsValues_;
};

/// A word that can begin a term, for completion and help.
struct QueryWord {
    std::string text;  ///< its spelling: "op:", "bytes>", "saved"
    std::string help, example;
    std::vector<std::string> values;  ///< the allowed values; empty: any
};
const std::vector<QueryWord>& queryWords();
/// Includes the words that test values.
const std::vector<QueryWord>& queryWordsWithValues();

}  // namespace aotscope
