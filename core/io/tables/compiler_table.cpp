#include "io/tables/compiler_table.h"

#include "io/tables/table_text.h"
#include "support/joined.h"

#include <nlohmann/json.hpp>

namespace aotscope {

Table compilerTable(const std::vector<CompilerInfo>& compilers) {
    Table table{"compilers",
                {{"name", "compiler", "the name that --compiler expects"},
                 {"settings.name", "setting", "set with --compiler-option COMPILER.SETTING=VALUE"},
                 {"settings.default", "default", "its default value"},
                 {"help", "description", "what the compiler does"},
                 {"settings.help", "", "what the setting changes"},
                 {"settings.values", "", "allowed values; if missing, any text"}}};
    for (const CompilerInfo& compiler : compilers) {
        table.add(compiler.name, Table::Cell(), Table::Cell(), compiler.help, Table::Cell(), Table::Cell());
        for (const CompilerSetting& setting : compiler.settings) {
            const std::string values = setting.values.empty() ? "" : " (" + joined(setting.values, ", ") + ")";
            table.add(compiler.name, setting.name, setting.standard, Table::Cell({}, setting.help + values),
                      setting.help, setting.values);
        }
    }
    return table;
}

nlohmann::json compilerListJson(const std::vector<CompilerInfo>& compilers) {
    nlohmann::json list = nlohmann::json::array();
    for (nlohmann::json& row : tableJson(compilerTable(compilers))) {
        if (row.contains("settings")) {
            list.back()["settings"].push_back(std::move(row["settings"]));
            continue;
        }
        row["settings"] = nlohmann::json::array();
        list.push_back(std::move(row));
    }
    return list;
}

}  // namespace aotscope
