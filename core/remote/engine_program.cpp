#include "remote/engine_program.h"

#include "remote/torch_place.h"
#include "support/error.h"
#include "support/joined.h"
#include "support/quoted.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <ranges>

#include <unistd.h>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "AOTSCOPE_ENGINE";
/// What this program has become the engine for.
constexpr const char* kBecame = "AOTSCOPE_ENGINE_FOR";
constexpr const char* kPreload = "LD_PRELOAD";
constexpr const char* kThisProgram = "/proc/self/exe";
constexpr const char* kName = "aotscope-engine";
constexpr const char* kLastPreloaded = "/libtorch_cpu.so";

fs::path usualEngine() {
    if (const char* named = std::getenv(kVariable); named && *named) return fs::absolute(named);
    return fs::read_symlink(kThisProgram).replace_filename(kName);
}

bool canRun(const fs::path& program) { return ::access(program.c_str(), X_OK) == 0; }

std::string forShell(std::string word) {
    for (std::size_t at = 0; (at = word.find('\'', at)) != std::string::npos; at += 4) word.replace(at, 1, "'\\''");
    return "'" + word + "'";
}

/// What the loader says of its libraries.
std::string librariesOf(const EngineStart& start) {
    const std::string preload = start.preload.empty() ? "" : std::string(kPreload) + "=" + forShell(start.preload);
    const std::string command =
        preload + " LD_TRACE_LOADED_OBJECTS=1 exec " + forShell(start.program.string()) + " 2>&1";
    const std::unique_ptr<FILE, int (*)(FILE*)> said(::popen(command.c_str(), "re"), ::pclose);
    std::string text;
    char buffer[4096];
    while (said && std::fgets(buffer, sizeof buffer, said.get())) text += buffer;
    return text;
}

/// The first library that the loader does not find; empty: it finds all, or cannot tell.
std::string missingIn(const std::string& libraries) {
    const std::size_t end = libraries.find(" => not found");
    if (end == std::string::npos) return {};
    const std::size_t begin = libraries.find_last_of(" \t\n", end - 1) + 1;
    return libraries.substr(begin, end - begin);
}

/// The folder of LibTorch's libraries: "libtorch_cpu.so => /FOLDER/libtorch_cpu.so (0x7f...)". Empty: unknown.
fs::path folderOfTorch(const std::string& libraries) {
    const std::size_t end = libraries.find(std::string(kLastPreloaded) + " (0x");
    if (end == std::string::npos) return {};
    const std::size_t begin = libraries.find_last_of("\t\n", end) + 1;
    const std::string line = libraries.substr(begin, end - begin);
    const std::size_t arrow = line.find(" => ");
    return fs::path(arrow == std::string::npos ? line : line.substr(arrow + 4)).lexically_normal();
}

/// "2.15", of the LibTorch that it loads; empty: unknown.
std::string versionIn(const std::string& libraries) {
    const fs::path folder = folderOfTorch(libraries);
    if (folder.empty()) return {};
    const std::string version = minorVersionIn(folder.parent_path());
    return version.empty() ? minorVersionIn(folder) : version;  // of a package that has only the libraries
}

void requireLibraries(const EngineStart& start, const std::string& libraries) {
    if (const std::string library = missingIn(libraries); !library.empty())
        throw Error("'" + start.program.string() + "', which runs models, does not find the library " +
                    inQuotes(library) +
                    "; install the PyTorch that aotscope was installed for, or install aotscope "
                    "again");
}

/// By the version of torch.
using Engines = std::map<std::string, fs::path>;

/// Those in folders that are named for their torch: torch2_15 in packages, build-torch2_15 in sources.
Engines enginesIn(const fs::path& folder) {
    Engines engines;
    std::error_code failure;
    auto entry = fs::directory_iterator(folder, failure);
    for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
        std::string name = entry->path().filename();
        if (name.starts_with("build-")) name.erase(0, std::strlen("build-"));
        if (!name.starts_with("torch")) continue;
        name.erase(0, std::strlen("torch"));
        std::ranges::replace(name, '_', '.');
        if (minorVersion(name) == name && !name.empty() && canRun(entry->path() / kName))
            engines.emplace(name, entry->path() / kName);
    }
    return engines;
}

/// Beside and above the programs, and in the private folder of a package.
Engines namedEngines() {
    Engines engines;
    for (const fs::path& program : {usualEngine(), fs::read_symlink(kThisProgram)}) {
        const fs::path beside = program.parent_path(), above = beside.parent_path();
        for (const fs::path& folder : {beside, above, above / "lib/aotscope"}) engines.merge(enginesIn(folder));
    }
    return engines;
}

std::string forTorch(const std::string& torch) { return "--torch " + torch + ": "; }

/// `version`: of `torch`, "2.15".
fs::path engineOfVersion(const std::string& torch, const std::string& version) {
    Engines engines = namedEngines();
    const auto found = engines.find(version);
    if (found != engines.end()) return found->second;
    if (const fs::path usual = usualEngine(); canRun(usual))
        if (const std::string known = versionIn(librariesOf({usual})); !known.empty()) engines.emplace(known, usual);
    if (const auto usual = engines.find(version); usual != engines.end()) return usual->second;
    throw UsageError(forTorch(torch) + "there is no engine for torch " + version +
                     (engines.empty() ? "" : ", only for " + joined(std::views::keys(engines), ", ")) +
                     "; build one with './dev build engine --torch FOLDER' in the sources of aotscope, or install a "
                     "wheel that has one");
}

EngineStart startOfVersion(const std::string& torch) {
    const std::string version = minorVersion(torch);
    EngineStart start{engineOfVersion(torch, version)};
    const std::string libraries = librariesOf(start), missing = missingIn(libraries), found = versionIn(libraries);
    const bool findsNone = missing == "libtorch_cpu.so" || missing == "libc10.so";
    if (findsNone || (!found.empty() && found != version))
        throw UsageError(
            forTorch(torch) + "the engine '" + start.program.string() + "' finds " +
            (findsNone ? "no torch" : "torch " + found + " in '" + folderOfTorch(libraries).string() + "'") +
            "; give the folder of a torch " + version + ", or of its virtual environment: --torch FOLDER");
    requireLibraries(start, libraries);
    return start;
}

/// The loader finds an engine's own LibTorch before that of LD_LIBRARY_PATH, but what is loaded first is what all use.
EngineStart startWithTorch(const std::string& torch, const fs::path& place) {
    EngineStart start{engineOfVersion(torch, minorVersionIn(place))};
    const fs::path wanted = place / "lib";
    const auto uses = [&](const std::string& libraries) {
        std::error_code missing;
        return fs::equivalent(folderOfTorch(libraries), wanted, missing);
    };
    std::string libraries = librariesOf(start);
    if (!uses(libraries)) {
        const char* others = std::getenv(kPreload);
        start.preload = (wanted / "libc10.so").string() + ":" + wanted.string() + kLastPreloaded +
                        (others && *others ? ":" + std::string(others) : "");
        libraries = librariesOf(start);
    }
    requireLibraries(start, libraries);
    if (const fs::path used = folderOfTorch(libraries); used.empty()) start.preload.clear();  // it is a script
    else if (!uses(libraries))
        throw UsageError(forTorch(torch) + "the engine '" + start.program.string() + "' runs with the torch in '" +
                         used.string() + "', and cannot take this one; give its version instead");
    return start;
}

/// In a wheel: the engine for the torch that is installed beside it.
fs::path engineForInstalledTorch(const Engines& engines, const fs::path& packages) {
    const std::string installed = minorVersionIn(packages / "torch");
    if (const auto found = engines.find(installed); found != engines.end()) return found->second;
    const std::string newest = engines.rbegin()->first;
    throw Error("running models needs PyTorch " + joined(std::views::keys(engines), " or ") + ", " +
                (installed.empty() ? "which is not installed" : "and PyTorch " + installed + " is installed") +
                " in '" + packages.string() + "'; install it with 'pip install torch==" + newest +
                ".*', then start aotscope again, or give the folder of one: --torch FOLDER");
}

EngineStart usualStart() {
    fs::path program = usualEngine();
    if (!canRun(program))
        if (const auto engines = enginesIn(program.parent_path()); !engines.empty())
            program = engineForInstalledTorch(engines, program.parent_path().parent_path().parent_path());
    std::error_code missing;
    if (!canRun(program) || fs::equivalent(program, kThisProgram, missing))
        throw Error("the program aotscope-engine, which runs models, is missing: expected it as '" + program.string() +
                    "'; install aotscope again, or set " + kVariable + " to its place");
    EngineStart start{program};
    requireLibraries(start, librariesOf(start));
    return start;
}

}  // namespace

RemoteModel EngineStart::served(EngineRights rights) const {
    std::vector<std::string> words;
    if (!preload.empty()) words = {"env", std::string(kPreload) + "=" + preload};
    words.insert(words.end(), {program.string(), "serve", "--stdio"});
    if (rights == EngineRights::confined) words.emplace_back("--confined");
    return {std::move(words), {}, {}};
}

EngineStart engineProgram(const std::string& torch) {
    if (torch.empty()) return usualStart();
    if (!minorVersion(torch).empty()) return startOfVersion(torch);
    const fs::path folder = fs::absolute(torch);
    if (canRun(folder / kName)) {
        EngineStart start{folder / kName};
        requireLibraries(start, librariesOf(start));
        return start;
    }
    if (const fs::path place = torchIn(folder); !place.empty()) return startWithTorch(torch, place);
    throw UsageError(
        forTorch(torch) +
        "expected a version such as 2.15, or a folder with aotscope-engine, a torch package, LibTorch or a "
        "virtual environment that has torch");
}

bool isEngineFor(const std::string& torch, const std::string& version) {
    const char* became = std::getenv(kBecame);
    if (torch.empty() || minorVersion(torch) == minorVersion(version) || (became && became == torch)) return true;
    const EngineStart start = engineProgram(torch);
    std::error_code missing;
    return start.preload.empty() && fs::equivalent(start.program, kThisProgram, missing);
}

void becomeEngine(char** argv, const std::string& torch) {
    const EngineStart start = engineProgram(torch);
    if (!torch.empty()) ::setenv(kBecame, torch.c_str(), 1);
    if (!start.preload.empty()) ::setenv(kPreload, start.preload.c_str(), 1);
    ::execv(start.program.c_str(), argv);
    throw Error("cannot run '" + start.program.string() + "': " + std::strerror(errno) + "; install aotscope again");
}

void endPreload() {
    const char* value = std::getenv(kPreload);
    const std::string all = value ? value : "";
    const std::size_t at = all.find(kLastPreloaded);
    if (at == std::string::npos) return;
    const std::string others = all.substr(std::min(all.size(), at + std::strlen(kLastPreloaded) + 1));
    if (others.empty()) ::unsetenv(kPreload);
    else ::setenv(kPreload, others.c_str(), 1);
}

}  // namespace aotscope
