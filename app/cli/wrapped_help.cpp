#include "cli/wrapped_help.h"

#include <CLI/CLI.hpp>

#include <sstream>

namespace aotscope {

std::string WrappedHelp::wrapped(const std::string& text) const {
    constexpr std::size_t columns = 80;
    const std::size_t most = columns - get_column_width();
    std::string lines;
    std::size_t used = 0;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const bool fits = used == 0 || used + 1 + word.size() <= most;
        if (used > 0) lines += fits ? ' ' : '\n';
        used = fits && used > 0 ? used + 1 + word.size() : word.size();
        lines += word;
    }
    return lines;
}

std::string WrappedHelp::make_option_desc(const CLI::Option* option) const {
    return wrapped(Formatter::make_option_desc(option));
}

std::string WrappedHelp::make_subcommand(const CLI::App* command) const {
    std::stringstream line;
    CLI::detail::format_help(line, command->get_name(), wrapped(command->get_description()), get_column_width());
    return line.str();
}

}  // namespace aotscope
