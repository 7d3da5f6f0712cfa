#include "remote/engine_program.h"

#include "support/error.h"
#include "support/quoted.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <unistd.h>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "AOTSCOPE_ENGINE";
constexpr const char* kThisProgram = "/proc/self/exe";

fs::path placeOfEngine() {
    if (const char* named = std::getenv(kVariable); named && *named) return named;
    return fs::read_symlink(kThisProgram).replace_filename("aotscope-engine");
}

std::string forShell(std::string word) {
    for (std::size_t at = 0; (at = word.find('\'', at)) != std::string::npos; at += 4) word.replace(at, 1, "'\\''");
    return "'" + word + "'";
}

/// The first library that the loader does not find; empty: it finds all, or cannot tell.
std::string missingLibrary(const fs::path& program) {
    const std::string command = "LD_TRACE_LOADED_OBJECTS=1 exec " + forShell(program.string()) + " 2>&1";
    const std::unique_ptr<FILE, int (*)(FILE*)> said(::popen(command.c_str(), "re"), ::pclose);
    std::string text;
    char buffer[4096];
    while (said && std::fgets(buffer, sizeof buffer, said.get())) text += buffer;
    const std::size_t end = text.find(" => not found");
    if (end == std::string::npos) return {};
    const std::size_t begin = text.find_last_of(" \t\n", end - 1) + 1;
    return text.substr(begin, end - begin);
}

}  // namespace

fs::path engineProgram() {
    fs::path program = placeOfEngine();
    std::error_code missing;
    if (::access(program.c_str(), X_OK) != 0 || fs::equivalent(program, kThisProgram, missing))
        throw Error("the program aotscope-engine, which runs models, is missing: expected it as '" + program.string() +
                    "'; install aotscope again, or set " + kVariable + " to its place");
    if (const std::string library = missingLibrary(program); !library.empty())
        throw Error("'" + program.string() + "', which runs models, does not find the library " + inQuotes(library) +
                    "; install the PyTorch that aotscope was installed for, or install aotscope again");
    return program;
}

}  // namespace aotscope
