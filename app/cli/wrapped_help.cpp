#include "cli/wrapped_help.h"

#include <CLI/CLI.hpp>

#include <sstream>

namespace aotscope {

std::string WrappedHelp::entry(const std::string& name, const std::string& description) const {
    constexpr std::size_t columns = 80, gap = 2;
    const std::size_t start = get_column_width();
    const std::string newLine = "\n" + std::string(start, ' ');
    std::string text = "  " + name;
    if (text.size() + gap > start) text += newLine;
    else text.resize(start, ' ');
    std::size_t used = start;
    std::istringstream words(description);
    for (std::string word; words >> word; text += word, used += word.size()) {
        if (used == start) continue;
        const bool fits = used + 1 + word.size() <= columns;
        text += fits ? " " : newLine;
        used = fits ? used + 1 : start;
    }
    return text + "\n";
}

std::string WrappedHelp::make_option(const CLI::Option* option, bool positional) const {
    return entry(make_option_name(option, positional) + make_option_opts(option), make_option_desc(option));
}

std::string WrappedHelp::make_subcommand(const CLI::App* command) const {
    return entry(command->get_name(), command->get_description());
}

}  // namespace aotscope
