#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>

#include <dlfcn.h>

/// Which files this process opens, whatever library does it. To be included by one source of a program.
namespace aotscope::test {

/// From when it is made.
class OpenedFiles {
public:
    OpenedFiles() { now_ = this; }
    OpenedFiles(const OpenedFiles&) = delete;
    OpenedFiles& operator=(const OpenedFiles&) = delete;
    ~OpenedFiles() { now_ = nullptr; }

    bool contain(const std::filesystem::path& file) const {
        const std::scoped_lock lock(mutex_);
        return paths_.contains(file.string());
    }
    static void note(const char* path) {
        OpenedFiles* const now = now_;
        if (!now) return;
        const std::scoped_lock lock(now->mutex_);
        now->paths_.insert(path);
    }

private:
    static inline std::atomic<OpenedFiles*> now_ = nullptr;
    mutable std::mutex mutex_;
    std::set<std::string> paths_;
};

/// The function of the C library behind ours.
template <typename Function>
Function* behind(Function* /*ours*/, const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// The linker takes these for those of the C library, in all libraries, too.
using Mode = unsigned;
extern "C" {
int openNoted(const char* path, int flags, Mode mode) asm("open");
int open64Noted(const char* path, int flags, Mode mode) asm("open64");
int openatNoted(int folder, const char* path, int flags, Mode mode) asm("openat");
int openat64Noted(int folder, const char* path, int flags, Mode mode) asm("openat64");
void* fopenNoted(const char* path, const char* mode) asm("fopen");
void* fopen64Noted(const char* path, const char* mode) asm("fopen64");

int openNoted(const char* path, int flags, Mode mode) {
    OpenedFiles::note(path);
    return behind(openNoted, "open")(path, flags, mode);
}
int open64Noted(const char* path, int flags, Mode mode) {
    OpenedFiles::note(path);
    return behind(open64Noted, "open64")(path, flags, mode);
}
int openatNoted(int folder, const char* path, int flags, Mode mode) {
    OpenedFiles::note(path);
    return behind(openatNoted, "openat")(folder, path, flags, mode);
}
int openat64Noted(int folder, const char* path, int flags, Mode mode) {
    OpenedFiles::note(path);
    return behind(openat64Noted, "openat64")(folder, path, flags, mode);
}
void* fopenNoted(const char* path, const char* mode) {
    OpenedFiles::note(path);
    return behind(fopenNoted, "fopen")(path, mode);
}
void* fopen64Noted(const char* path, const char* mode) {
    OpenedFiles::note(path);
    return behind(fopen64Noted, "fopen64")(path, mode);
}
}

}  // namespace aotscope::test
