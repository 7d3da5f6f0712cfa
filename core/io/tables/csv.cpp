#include "io/tables/csv.h"

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

std::string csvLine(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + csvCell(cell);
    return line + "\r\n";
}

}  // namespace aotscope
