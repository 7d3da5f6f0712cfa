#pragma once

#include "record/compile_record.h"

#include <CLI/App.hpp>

#include <string>

namespace aotscope {

/// --log, for commands that compile a model and print results.
class LogFlag {
public:
    void addTo(CLI::App& app);
    /// Prints the log of a compilation on stderr, so that stdout stays the same.
    void print(const CompileRecord& record) const;

private:
    std::string level_;  ///< empty: no log
};

}  // namespace aotscope
