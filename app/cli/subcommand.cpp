#include "cli/subcommand.h"

#include "cli/option_flags.h"
#include "cli/require_compiled.h"
#include "record/options/option_use.h"
#include "session/engine.h"
#include "support/error.h"
#include "support/quoted.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

namespace aotscope {

std::string helpExample(const std::string& example) {
    return (example.find('\n') == std::string::npos ? "\nExample:\n  " : "\nExamples:\n  ") + example + "\n";
}

Subcommand::Subcommand(CLI::App& parent, const std::string& name, const std::string& help, const std::string& example,
                       Takes takes)
    : app_(*parent.add_subcommand(name, help)), takesModel_(takes == Takes::model) {
    aotscope::check(std::ranges::count(kSubcommands, name) == 1, "a subcommand is not among kSubcommands");
    app_.footer(helpExample(example));
    if (!takesModel_) return;
    addOptions(app_, name);
    app_.get_option("MODEL")->required();
}

std::shared_ptr<const Session> Subcommand::open(const Options& options,
                                                std::initializer_list<std::string_view> own) const {
    auto session = openQuietly(options, own, {});
    warn(*session->record());
    return session;
}

std::shared_ptr<const Session> Subcommand::openQuietly(const Options& options,
                                                       std::initializer_list<std::string_view> own,
                                                       const Progress& progress) const {
    auto session = engine_->open(options, progress);
    // After a failed pipeline, it is unknown which options would have been used.
    if (session->record()->error.empty()) requireUsed(options, own);
    return session;
}

std::shared_ptr<const Session> Subcommand::openToRun(const Options& options,
                                                     std::initializer_list<std::string_view> own,
                                                     const std::string& command) const {
    auto session = openQuietly(options, own, {});
    requireCompiled(*session->record());
    requireExecutable(*session, command);
    warn(*session->record());
    return session;
}

void Subcommand::warn(const CompileRecord& record) {
    for (const std::string& warning : warningsOf(record))
        std::cerr << "aotscope: warning: " << oneLine(warning) << "\n";
}

void Subcommand::requireUsed(const Options& options, std::initializer_list<std::string_view> own) {
    options.use(own);
    if (const auto unused = unusedOptions(options); !unused.empty()) throw UsageError(unused.front());
}

}  // namespace aotscope
