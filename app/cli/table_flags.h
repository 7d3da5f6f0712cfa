#pragma once

#include "record/table.h"

#include <CLI/App.hpp>

#include <nlohmann/json.hpp>

namespace aotscope {

/// --json and --csv of a command that prints a table.
class TableFlags {
public:
    void addTo(CLI::App& app);

    bool text() const { return !json_ && !csv_; }
    bool json() const { return json_; }
    /// On standard output, in the form that was asked for. `beside`: what JSON has beside the rows.
    void print(const Table& table, nlohmann::json beside) const;
    /// `rows`: what JSON has instead of a flat list.
    void print(const Table& table, nlohmann::json beside, nlohmann::json rows) const;

private:
    bool json_ = false, csv_ = false;
};

}  // namespace aotscope
