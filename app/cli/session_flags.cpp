#include "cli/session_flags.h"

#include "cli/option_flags.h"
#include "record/model_kind.h"
#include "support/error.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace aotscope {

std::filesystem::path takeSessionFile(std::vector<std::string>& saved) {
    std::filesystem::path file;
    for (const std::string& value : saved) {
        if (!namesSessionFile(value)) continue;
        if (!file.empty())
            throw UsageError("--save " + value + ": expected one session file, " + file.string() + " is given as well");
        file = value;
    }
    std::erase_if(saved, namesSessionFile);
    return file;
}

void refuseSessionFile(const std::vector<std::string>& saved) {
    if (const auto file = std::ranges::find_if(saved, namesSessionFile); file != saved.end())
        throw UsageError("--save " + *file + ": expected a node; only 'aotscope run' saves sessions");
}

void partitionAnew(const CLI::App& parser, Options& options) {
    for (const OptionEntry& entry : optionTable()) {
        const bool onlyFile = entry.flag == "--save" && options.partition.save.empty();
        if (entry.scope == OptionScope::partition && isGiven(parser, entry) && !onlyFile) options.repartition = true;
    }
}

}  // namespace aotscope
