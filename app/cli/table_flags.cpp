#include "cli/table_flags.h"

#include "io/tables/table_text.h"
#include "support/file.h"
#include "support/json/json_text.h"

#include <iostream>

namespace aotscope {

void TableFlags::addTo(CLI::App& app) {
    CLI::Option* const asJson = app.add_flag("--json", json_, "print JSON");
    app.add_flag("--csv", csv_, "print CSV, for spreadsheets")->excludes(asJson);
}

void TableFlags::print(const Table& table, nlohmann::json beside) const {
    print(table, std::move(beside), json_ ? tableJson(table) : nlohmann::json());
}

void TableFlags::print(const Table& table, nlohmann::json beside, nlohmann::json rows) const {
    if (csv_) {
        std::cout << tableCsv(table);
    } else if (json_) {
        beside[table.key] = std::move(rows);
        std::cout << jsonText(beside);
    } else {
        std::cout << tableText(table);
    }
}

void addCsvFile(CLI::App& app, std::filesystem::path& file, const std::string& help) {
    app.add_option("--csv", file, help)->type_name("FILE.csv");
}

void writeCsv(const std::filesystem::path& file, const Table& table) {
    if (!file.empty()) writeFileAtomically(file, tableCsv(table));
}

}  // namespace aotscope
