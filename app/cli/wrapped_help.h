#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>

#include <string>

namespace aotscope {

/// --help for a terminal of 80 columns: descriptions are wrapped.
class WrappedHelp final : public CLI::Formatter {
public:
    std::string make_option_desc(const CLI::Option* option) const override;
    std::string make_subcommand(const CLI::App* command) const override;

private:
    std::string wrapped(const std::string& text) const;
};

}  // namespace aotscope
