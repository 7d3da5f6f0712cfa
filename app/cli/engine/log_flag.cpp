#include "cli/engine/log_flag.h"

#include "io/trace/compile_log.h"
#include "support/enumerators.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace aotscope {

void LogFlag::addTo(CLI::App& app) {
    const auto& names = kEnumeratorNames<LogLevel>;
    app.add_option("--log", level_, "print the log of the compilation on stderr, up to this level")
        ->check(CLI::IsMember(std::vector<std::string>(std::begin(names), std::end(names))));
}

void LogFlag::print(const CompileRecord& record) const {
    if (const auto level = enumeratorSpelled<LogLevel>(level_))
        std::cerr << logText(compileLog(record), *level) << std::flush;
}

}  // namespace aotscope
