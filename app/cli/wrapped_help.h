#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>

#include <string>

namespace aotscope {

/// --help for a terminal of 80 columns. Descriptions are wrapped, and start two spaces after names or below them, so
/// that programs can parse them.
class WrappedHelp final : public CLI::Formatter {
public:
    std::string make_option(const CLI::Option* option, bool positional) const override;
    std::string make_option_opts(const CLI::Option* option) const override;
    std::string make_subcommand(const CLI::App* command) const override;

private:
    std::string entry(const std::string& name, const std::string& description) const;
};

}  // namespace aotscope
