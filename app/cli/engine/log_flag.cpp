#include "cli/engine/log_flag.h"

#include "io/trace/compile_log.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace aotscope {

namespace {

std::vector<std::string> levelNames() {
    std::vector<std::string> names;
    for (int i = 0; i < kLogLevels; ++i) names.emplace_back(name(static_cast<LogLevel>(i)));
    return names;
}

}  // namespace

void LogFlag::addTo(CLI::App& app) {
    app.add_option("--log", level_, "print the log of the compilation on stderr, up to this level")
        ->check(CLI::IsMember(levelNames()));
}

void LogFlag::print(const CompileRecord& record) const {
    for (int i = 0; i < kLogLevels; ++i)
        if (const auto level = static_cast<LogLevel>(i); name(level) == level_)
            std::cerr << logText(compileLog(record), level) << std::flush;
}

}  // namespace aotscope
