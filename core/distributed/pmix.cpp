#include "distributed/pmix.h"

#include "support/error.h"
#include "support/library_function.h"

#include <cstdint>

namespace aotscope {

namespace {

constexpr const char* kLibrary = "libpmix.so.2";

/// The part of the interface that is used here, as version 2 of the standard and all later ones have it.
constexpr int kSuccess = 0;
constexpr std::uint16_t kString = 3;
constexpr const char* kHostName = "pmix.hname";

struct Process {
    char job[256];
    std::uint32_t rank;
};

/// The library knows more kinds of values, none of which is larger.
struct Value {
    std::uint16_t type;
    union {
        char* text;
        char largest[32];
    };
};

struct Functions {
    int (*init)(Process* own, void* infos, std::size_t count);
    int (*get)(const Process* of, const char* key, const void* infos, std::size_t count, Value**);
    int (*finalize)(const void* infos, std::size_t count);
    const char* (*errorText)(int);
};

Functions load() {
    // What it loads itself looks for its functions among all.
    void* library = dlopen(kLibrary, RTLD_NOW | RTLD_GLOBAL);
    if (!library) throw Error(std::string(kLibrary) + " is not found");
    const auto find = [&](const char* name, auto& function) {
        if (!findFunction(library, name, function)) throw Error(std::string(kLibrary) + " lacks the function " + name);
    };
    Functions pmix{};
    find("PMIx_Init", pmix.init);
    find("PMIx_Get", pmix.get);
    find("PMIx_Finalize", pmix.finalize);
    find("PMIx_Error_string", pmix.errorText);
    return pmix;
}

}  // namespace

std::string machineOfFirstRankByPmix() {
    const Functions pmix = load();
    Process process{};
    if (const int error = pmix.init(&process, nullptr, 0); error != kSuccess)
        throw Error("PMIx does not connect: " + std::string(pmix.errorText(error)));
    process.rank = 0;
    Value* value = nullptr;
    const int error = pmix.get(&process, kHostName, nullptr, 0, &value);
    // The few bytes of the value are never freed: that is a macro of the library's own header.
    std::string name = error == kSuccess && value->type == kString ? value->text : "";
    pmix.finalize(nullptr, 0);
    if (name.empty()) throw Error("PMIx does not name it: " + std::string(pmix.errorText(error)));
    return name;
}

}  // namespace aotscope
