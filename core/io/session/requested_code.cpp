#include "io/session/requested_code.h"

#include "compile/built_in_compilers.h"
#include "support/error.h"

#include <algorithm>
#include <set>

namespace aotscope {

namespace fs = std::filesystem;

namespace {

std::string ownerOf(const std::string& setting) { return setting.substr(0, setting.find('.')); }

std::set<std::string> chosen(const CompilerChoice& choice) {
    return {choice.forward, choice.ofBackward(), choice.ofInference()};
}

std::set<std::string> namesOf(const std::vector<CompilerInfo>& compilers) {
    std::set<std::string> names;
    for (const CompilerInfo& compiler : compilers) names.insert(compiler.name);
    return names;
}

void addPaths(std::vector<fs::path>& paths, const std::vector<fs::path>& more) {
    for (const fs::path& path : more)
        if (std::ranges::count(paths, path) == 0) paths.push_back(path);
}

fs::path wholePath(const fs::path& path) {
    std::error_code failure;
    const fs::path full = fs::absolute(path, failure);
    return failure ? path : full;
}

std::vector<fs::path> without(const std::vector<fs::path>& paths, const std::vector<fs::path>& known) {
    std::vector<fs::path> rest;
    for (const fs::path& path : paths) {
        const bool there =
            std::ranges::any_of(known, [&](const fs::path& other) { return wholePath(other) == wholePath(path); });
        if (!there) addPaths(rest, {wholePath(path)});
    }
    return rest;
}

/// Safe for use in a sentence, since the text comes from an untrusted file.
std::string shown(std::string text) {
    constexpr std::size_t kLongest = 300;
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
    return "'" + (text.size() > kLongest ? text.substr(0, kLongest) + "..." : text) + "'";
}

/// "--plugin 'a.so' --plugin 'b.so'".
template <typename List, typename Text>
std::string flags(const std::string& flag, const List& values, Text&& describe) {
    std::string all;
    for (const auto& value : values) all += (all.empty() ? "" : " ") + flag + " " + shown(describe(value));
    return all;
}

std::string pathText(const fs::path& path) { return path.string(); }

/// See missingCode. `known`: the names of all compilers.
RequestedCode codeBeside(const std::set<std::string>& known, const Options& options, const RequestedCode& code) {
    const CompilerChoice& choice = options.compilers;
    const auto names = chosen(choice);
    RequestedCode missing;
    missing.libraries = without(code.libraries, options.libraries);
    if (!std::ranges::includes(known, names)) missing.plugins = without(code.plugins, choice.plugins);
    for (const auto& [key, value] : code.settings)
        if (names.contains(ownerOf(key)) && !choice.settings.contains(key)) missing.settings[key] = value;
    return missing;
}

}  // namespace

void moveCode(Options& options, RequestedCode& code) {
    addPaths(code.libraries, options.libraries);
    addPaths(code.plugins, options.compilers.plugins);
    options.libraries.clear();
    options.compilers.plugins.clear();
    for (const auto& [key, value] : ownSettings(options.compilers)) {
        code.settings.insert_or_assign(key, value);
        options.compilers.settings.erase(key);
    }
}

std::map<std::string, std::string> ownSettings(const CompilerChoice& choice) {
    std::map<std::string, std::string> own = choice.settings;
    std::erase_if(own, [](const auto& setting) { return isBuiltInCompiler(ownerOf(setting.first)); });
    return own;
}

void addCode(RequestedCode& code, const RequestedCode& more) {
    addPaths(code.libraries, more.libraries);
    addPaths(code.plugins, more.plugins);
    code.settings.insert(more.settings.begin(), more.settings.end());
}

RequestedCode missingCode(const Options& options, const RequestedCode& code, const CompilerSource& compilers) {
    return codeBeside(namesOf(compilers(options.compilers.plugins)), options, code);
}

std::string whyCodeIsMissing(const Options& options, const RequestedCode& code, const fs::path& session,
                             const CompilerSource& compilers) {
    const CompilerChoice& choice = options.compilers;
    try {
        const auto known = namesOf(compilers(choice.plugins));
        const RequestedCode missing = codeBeside(known, options, code);
        const std::string settings = flags("--compiler-option", missing.settings,
                                           [](const auto& setting) { return setting.first + "=" + setting.second; });
        const std::string trusted = "; if you trust it, load it in the window or give ";
        for (const std::string& name : chosen(choice)) {
            if (known.contains(name)) continue;
            const std::string start = "the session '" + session.string() + "' uses the compiler " + shown(name);
            if (missing.plugins.empty())
                return start + ", which is not there, and names no plug-in that brings it; open the model itself";
            const std::string plugins = flags("--plugin", missing.plugins, pathText);
            return start + " of a plug-in that is not loaded" + trusted + plugins +
                   (settings.empty() ? "" : " " + settings);
        }
        if (settings.empty()) return {};
        return "the session '" + session.string() + "' has settings of a compiler that is not built in" + trusted +
               settings;
    } catch (const UsageError& e) {
        return e.what();
    }
}

std::string missingLibraries(const Options& options, const RequestedCode& code) {
    const auto missing = without(code.libraries, options.libraries);
    if (missing.empty()) return {};
    return "; the session was made with operators of a library that is not loaded: if you trust it, load it in the "
           "window or give " +
           flags("--library", missing, pathText);
}

void dropUnusedPlugins(CompilerChoice& choice, const CompilerSource& compilers) {
    std::erase_if(choice.plugins, [&, names = chosen(choice)](const fs::path& file) {
        try {
            return !names.contains(compilers({file}).back().name);
        } catch (const UsageError&) {
            return false;
        }
    });
}

}  // namespace aotscope
