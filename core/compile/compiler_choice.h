#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace aotscope {

/// Which back ends make the graphs executable, by name: built-in ones or those of plug-ins.
struct CompilerChoice {
    std::string forward = "interpreter";
    std::string backward, inference;              ///< of these graphs; empty: as forward
    std::map<std::string, std::string> settings;  ///< "NAME.KEY" to value, NAME being a back end's
    std::vector<std::filesystem::path> plugins;   ///< shared libraries that bring further ones
};

}  // namespace aotscope
