#include "support/emulated_cuda.h"

#include "support/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <dlfcn.h>
#include <unistd.h>

namespace aotscope::test {

namespace {

namespace fs = std::filesystem;

std::string textOf(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::string shellWord(const fs::path& path) { return "'" + path.string() + "'"; }

}  // namespace

std::string hostCompiler() {
    const char* folders = std::getenv("PATH");
    for (const char* name : {"g++", "clang++", "c++"}) {
        std::istringstream list(folders ? folders : "");
        for (std::string folder; std::getline(list, folder, ':');)
            if (const fs::path file = fs::path(folder) / name; access(file.c_str(), X_OK) == 0) return file.string();
    }
    return {};
}

namespace {

using Launch = bool (*)(unsigned, unsigned, unsigned, void**);

std::string compilation() {
    return "timeout 600 " + shellWord(hostCompiler()) +
           " -std=c++17 -O0 -w -fwrapv -ffp-contract=off -fno-strict-aliasing -fPIC";
}

/// The common header of all kernels, compiled once: that takes longer than most kernels.
const fs::path& precompiledHeader() {
    static const TemporaryFolder folder;
    static const fs::path header = [] {
        fs::path file = folder.path() / "host.h";
        std::ofstream(file) << "#include \"" AOTSCOPE_SOURCE_DIR "/tests/support/host_cuda.h\"\n";
        const std::string command =
            compilation() + " -x c++-header -o " + shellWord(folder.path() / "host.h.gch") + " " + shellWord(file);
        if (std::system(command.c_str()) != 0) fs::remove(folder.path() / "host.h.gch");  // the header itself will do
        return file;
    }();
    return header;
}

/// The text as a library of this process, which keeps it; null: `why` says why not.
Launch compiled(const std::string& text, std::string& why) {
    static std::map<std::string, Launch> known;
    if (const auto it = known.find(text); it != known.end()) return it->second;
    const TemporaryFolder folder;
    const fs::path source = folder.path() / "kernel.cpp", library = folder.path() / "kernel.so",
                   log = folder.path() / "log";
    std::ofstream(source)
        << text
        << "extern \"C\" bool launchKernel(unsigned blocks, unsigned x, unsigned y, void** values) {\n"
           "    return host::run("
        << kCudaName << ", blocks, x, y, values);\n}\n";
    const std::string command = compilation() + " -include " + shellWord(precompiledHeader()) + " -shared -o " +
                                shellWord(library) + " " + shellWord(source) + " > " + shellWord(log) + " 2>&1";
    if (std::system(command.c_str()) != 0) {
        why = textOf(log) + text;
        return nullptr;
    }
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        why = dlerror();
        return nullptr;
    }
    return known[text] = reinterpret_cast<Launch>(dlsym(handle, "launchKernel"));
}

}  // namespace

std::string runEmulated(const std::string& text, const CudaLaunch& launch) {
    std::string why;
    const Launch launchKernel = compiled(text, why);
    if (!launchKernel) return why;
    std::vector<std::uint64_t> values = launch.values;
    std::vector<void*> parameters;
    for (std::uint64_t& value : values) parameters.push_back(&value);
    const bool met = launchKernel(launch.blocks, launch.threadsX, launch.threadsY, parameters.data());
    return met ? "" : "the threads of a block do not meet at the same points:\n" + text;
}

}  // namespace aotscope::test
