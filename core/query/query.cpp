#include "query/query.h"

#include "query/query_parser.h"

#include <algorithm>

namespace aotscope {

Query Query::parse(std::string_view text) { return Query(QueryParser(text).parse()); }

const std::vector<QueryWord>& queryWords() {
    static const std::vector<QueryWord> words = [] {
        std::vector<QueryWord> all;
        for (const TextField& field : textFields())
            all.push_back({std::string(field.name) + ":", std::string(field.help), std::string(field.example),
                           field.values ? field.values() : std::vector<std::string>()});
        all.push_back({"dtype:", "element type of any tensor in the value; or float, int, complex", "dtype:f32", {}});
        all.push_back({"shape:", "sizes of any tensor in the value; * for one size, ... for several", "shape:8x*", {}});
        for (const NumberField& field : numberFields())
            all.push_back({std::string(field.name) + ">", std::string(field.help), std::string(field.example), {}});
        for (const Flag& flag : queryFlags())
            all.push_back({std::string(flag.name), std::string(flag.help), std::string(flag.name), {}});
        all.push_back({"not", "what comes next does not hold", "not op:view", {}});
        all.push_back({"or", "one of both holds", "saved or recomputed", {}});
        all.push_back({"and", "both hold; may be left out", "saved and bytes>1M", {}});
        std::ranges::sort(all, {}, &QueryWord::text);
        return all;
    }();
    return words;
}

}  // namespace aotscope
