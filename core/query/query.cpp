#include "query/query.h"

#include "query/query_parser.h"

#include <algorithm>

namespace aotscope {

namespace {

std::vector<QueryWord> sorted(std::vector<QueryWord> words) {
    std::ranges::sort(words, {}, &QueryWord::text);
    return words;
}

void add(const std::vector<NumberField>& numbers, const std::vector<Flag>& flags, std::vector<QueryWord>& words) {
    for (const NumberField& field : numbers)
        words.push_back({std::string(field.name) + ">", std::string(field.help), std::string(field.example), {}});
    for (const Flag& flag : flags)
        words.push_back({std::string(flag.name), std::string(flag.help), std::string(flag.name), {}});
}

}  // namespace

Query Query::parse(std::string_view text) { return {QueryParser(text).parse(), false}; }

Query Query::parseWithValues(std::string_view text) {
    QueryParser parser(text, true);
    Test test = parser.parse();
    return {std::move(test), parser.readsValues()};
}

const std::vector<QueryWord>& queryWords() {
    static const std::vector<QueryWord> words = [] {
        std::vector<QueryWord> all;
        for (const TextField& field : textFields())
            all.push_back({std::string(field.name) + ":", std::string(field.help), std::string(field.example),
                           field.values ? field.values() : std::vector<std::string>()});
        all.push_back({"dtype:", "element type of any tensor in the value; or float, int, complex", "dtype:f32", {}});
        all.push_back({"shape:", "sizes of any tensor in the value; * for one size, ... for several", "shape:8x*", {}});
        add(numberFields(), queryFlags(), all);
        all.push_back({"not", "what comes next does not hold", "not op:view", {}});
        all.push_back({"or", "one of both holds", "saved or recomputed", {}});
        all.push_back({"and", "both hold; may be left out", "saved and bytes>1M", {}});
        return sorted(std::move(all));
    }();
    return words;
}

const std::vector<QueryWord>& queryWordsWithValues() {
    static const std::vector<QueryWord> words = [] {
        std::vector<QueryWord> all = queryWords();
        add(valueNumbers(), valueFlags(), all);
        return sorted(std::move(all));
    }();
    return words;
}

}  // namespace aotscope
