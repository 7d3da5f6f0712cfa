#include "compile/fused/cuda/nvrtc.h"

#include "device/device.h"
#include "support/error.h"
#include "support/library_function.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <sstream>

#include <dlfcn.h>

namespace aotscope {

namespace {

/// PyTorch's packages install it in folders beside LibTorch's own.
std::vector<std::string> usualLibraries() {
    std::vector<std::string> libraries;
    const auto packages = torchFolder().parent_path().parent_path() / "nvidia";
    for (const char* file : {"cu13/lib/libnvrtc.so.13", "cuda_nvrtc/lib/libnvrtc.so.12"})
        libraries.push_back((packages / file).string());
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"})
        libraries.emplace_back(name);
    return libraries;
}

/// NVRTC looks for its second library only in system folders, but uses one that is already loaded.
void loadBuiltins(const std::filesystem::path& nvrtc) {
    std::error_code none;
    for (const auto& file : std::filesystem::directory_iterator(nvrtc.parent_path(), none))
        if (file.path().filename().string().starts_with("libnvrtc-builtins.so"))
            dlopen(file.path().c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

Nvrtc::Nvrtc(const std::vector<std::string>& libraries) {
    void* library = nullptr;
    std::string tried;
    for (const std::string& name : libraries) {
        library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library) {
            loadBuiltins(name);
            break;
        }
        tried += (tried.empty() ? "'" : ", '") + name + "'";
    }
    if (!library) {
        missing_ = "NVRTC, the compiler that belongs to CUDA, is not found (tried " + tried + ")";
        return;
    }
    int count = 0;
    const auto find = [&](const char* name, auto& function) { return findFunction(library, name, function); };
    if (!find("nvrtcCreateProgram", functions_.create) || !find("nvrtcDestroyProgram", functions_.destroy) ||
        !find("nvrtcCompileProgram", functions_.compile) || !find("nvrtcGetProgramLogSize", functions_.logSize) ||
        !find("nvrtcGetProgramLog", functions_.log) || !find("nvrtcGetCUBINSize", functions_.cubinSize) ||
        !find("nvrtcGetCUBIN", functions_.cubin) || !find("nvrtcGetPTXSize", functions_.ptxSize) ||
        !find("nvrtcGetPTX", functions_.ptx) || !find("nvrtcGetNumSupportedArchs", functions_.architectureCount) ||
        !find("nvrtcGetSupportedArchs", functions_.architectures) || functions_.architectureCount(&count) != 0 ||
        count <= 0) {
        missing_ = "NVRTC, CUDA's run-time compiler, is too old; expected 11.2 or newer";
        return;
    }
    architectures_.resize(static_cast<std::size_t>(count));
    functions_.architectures(architectures_.data());
    std::sort(architectures_.begin(), architectures_.end());
}

std::string Nvrtc::compile(const std::string& text, int major, int minor) const {
    check(missing_.empty(), "NVRTC is called where it is missing");
    const int wanted = major * 10 + minor;
    const auto newer = std::upper_bound(architectures_.begin(), architectures_.end(), wanted);
    if (newer == architectures_.begin())
        throw Error("NVRTC compiles for GPUs of compute capability " + std::to_string(architectures_.front() / 10) +
                    "." + std::to_string(architectures_.front() % 10) + " and newer, this one has " +
                    std::to_string(major) + "." + std::to_string(minor) + "; choose another compiler");
    // For a GPU newer than the compiler: PTX that the driver compiles.
    const int known = *std::prev(newer);
    const std::string architecture =
        std::string("--gpu-architecture=") + (known == wanted ? "sm_" : "compute_") + std::to_string(known);
    // Every operation rounds, as in separate kernels.
    const char* const options[] = {architecture.c_str(), "--std=c++17", "--fmad=false"};

    Program program = nullptr;
    if (functions_.create(&program, text.c_str(), "fused.cu", 0, nullptr, nullptr) != 0)
        throw Error("NVRTC refuses a program; check that its version fits this driver");
    const std::unique_ptr<Program, int (*)(Program*)> owner(&program, functions_.destroy);
    if (functions_.compile(program, static_cast<int>(std::size(options)), options) != 0)
        throw Error("a kernel does not compile with NVRTC: " + firstError(program) +
                    "; this is a bug in aotscope, choose another compiler");
    return known == wanted ? result(program, functions_.cubinSize, functions_.cubin)
                           : result(program, functions_.ptxSize, functions_.ptx);
}

std::string Nvrtc::result(Program program, int (*size)(Program, std::size_t*), int (*bytes)(Program, char*)) {
    std::size_t count = 0;
    std::string text;
    if (size(program, &count) == 0) text.resize(count);
    if (count == 0 || bytes(program, text.data()) != 0)
        throw Error("NVRTC has compiled a kernel, but returns no code; check that it is installed completely");
    return text;
}

std::string Nvrtc::firstError(Program program) const {
    std::istringstream log(result(program, functions_.logSize, functions_.log));
    std::string line;
    while (std::getline(log, line))
        if (line.find("error") != std::string::npos) return line;
    return "it gives no reason";
}

const Nvrtc& nvrtc() {
    static const Nvrtc nvrtc(usualLibraries());
    return nvrtc;
}

}  // namespace aotscope
