#pragma once

#include "record/table.h"

#include <CLI/App.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace aotscope {

/// --json and --csv of a command that prints a table.
class TableFlags {
public:
    void addTo(CLI::App& app);

    bool text() const { return !json_ && !csv_; }
    bool json() const { return json_; }
    bool csv() const { return csv_; }
    /// Prints in the requested form. `beside`: additional JSON members.
    void print(const Table& table, nlohmann::json beside) const;
    /// `rows`: JSON in place of a flat list.
    void print(const Table& table, nlohmann::json beside, nlohmann::json rows) const;

private:
    bool json_ = false, csv_ = false;
};

/// --csv FILE of a command that prints more than one table, or of a table that it does not print.
void addCsvFile(CLI::App& app, std::filesystem::path& file, const std::string& help);
/// Writes nothing without a file.
void writeCsv(const std::filesystem::path& file, const Table& table);

}  // namespace aotscope
