#include "cli/subcommand.h"

#include "cli/option_flags.h"

#include <CLI/CLI.hpp>

namespace aotscope {

std::string helpExample(const std::string& example) { return "\nExample:\n  " + example + "\n"; }

Subcommand::Subcommand(CLI::App& parent, const std::string& name, const std::string& help, const std::string& example,
                       Takes takes)
    : app_(*parent.add_subcommand(name, help)), takesModel_(takes == Takes::model) {
    app_.footer(helpExample(example));
    if (!takesModel_) return;
    addOptions(app_, name);
    app_.get_option("MODEL")->required();
}

}  // namespace aotscope
