#include "io/minify_text.h"

#include "io/tables/text_table.h"
#include "ir/printer.h"
#include "support/formatted.h"
#include "support/names.h"

#include <nlohmann/json.hpp>

namespace aotscope {

std::string minifyText(const MinifyResult& result) {
    const auto row = [](const char* what, std::size_t before, std::size_t after) {
        return std::vector<std::string>{what, grouped(before), grouped(after)};
    };
    return std::string(name(result.kind)) + " graph: " + result.found + "\n" +
           textTable({{"", "before", "after"},
                      row("operations", result.before.operations, result.after.operations),
                      row("inputs", result.before.inputs, result.after.inputs),
                      row("outputs", result.before.outputs, result.after.outputs)}) +
           counted(result.tried, "graph") + " tried in " + formatDuration(result.ms) + "\n";
}

nlohmann::json minifyJson(const MinifyResult& result) {
    const auto size = [](const GraphSize& of) {
        return nlohmann::json{{"operations", of.operations}, {"inputs", of.inputs}, {"outputs", of.outputs}};
    };
    return {{"schema", 1},
            {"graph", name(result.kind)},
            {"found", result.found},
            {"before", size(result.before)},
            {"after", size(result.after)},
            {"tried", result.tried},
            {"ms", result.ms},
            {"text", printGraph(*result.graph)}};
}

}  // namespace aotscope
