#pragma once

#include "record/compile_record.h"

#include <CLI/App.hpp>

#include <string>

namespace aotscope {

/// --log, of the commands that compile a model and print what came out.
class LogFlag {
public:
    void addTo(CLI::App& app);
    /// Prints the log of a compilation on stderr, so that what is printed on stdout stays the same.
    void print(const CompileRecord& record) const;

private:
    std::string level_;  ///< empty: no log
};

}  // namespace aotscope
