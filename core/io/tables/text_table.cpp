#include "io/tables/text_table.h"

#include "support/quoted.h"

#include <algorithm>

namespace aotscope {

namespace {

bool looksNumeric(const std::string& cell) {
    return !cell.empty() && std::all_of(cell.begin(), cell.end(), [](char c) {
        return (c >= '0' && c <= '9') || c == '.' || c == ',' || c == '-' || c == '+' || c == 'e';
    });
}

/// In terminal columns: UTF-8 uses several bytes for "µ".
std::size_t widthOf(const std::string& cell) {
    return static_cast<std::size_t>(
        std::count_if(cell.begin(), cell.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string textTable(const std::vector<std::vector<std::string>>& given) {
    std::vector<std::vector<std::string>> rows = given;
    for (auto& row : rows)
        for (std::string& cell : row) cell = oneLine(cell);
    std::vector<std::size_t> widths;
    std::vector<bool> numeric;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        widths.resize(std::max(widths.size(), rows[r].size()), 0);
        numeric.resize(widths.size(), true);
        for (std::size_t c = 0; c < rows[r].size(); ++c) {
            widths[c] = std::max(widths[c], widthOf(rows[r][c]));
            if (r > 0 && !rows[r][c].empty() && !looksNumeric(rows[r][c])) numeric[c] = false;
        }
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string padding(widths[c] - widthOf(row[c]), ' ');
            line += (c ? "  " : "") + (numeric[c] ? padding + row[c] : row[c] + padding);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string textCell(const std::string& text, std::size_t longest) {
    auto line = oneLine(text.substr(0, text.find('\n')));
    if (line.size() <= longest) return line;
    std::size_t end = longest - 3;  // not within a UTF-8 sequence
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
    return line.substr(0, end) + "...";
}

}  // namespace aotscope
