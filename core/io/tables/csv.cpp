#include "io/tables/csv.h"

#include "support/joined.h"
#include "support/printable.h"

namespace aotscope {

namespace {

std::string csvCell(const std::string& given) {
    const std::string text = printable(given);
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

}  // namespace

std::string csvLine(const std::vector<std::string>& cells) { return joined(cells, ",", csvCell) + "\r\n"; }

}  // namespace aotscope
