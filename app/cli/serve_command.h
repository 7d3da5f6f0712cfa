#pragma once

#include "cli/subcommand.h"

namespace aotscope {

/// The command serve of both programs: their engine answers requests.
class ServeCommand : public Subcommand {
public:
    explicit ServeCommand(CLI::App& parent);
    int run(const Options& options) final;

private:
    /// Called when whatever is printed goes to the standard error output.
    virtual void prepare() {}

    bool stdio_ = false;
};

}  // namespace aotscope
