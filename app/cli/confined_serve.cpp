#include "cli/confined_serve.h"

#include "cli/main_program.h"
#include "cost/calibration_file.h"
#include "crash/data_folder.h"
#include "device/cuda_driver.h"
#include "support/confine_thread.h"
#include "support/resident_memory.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <sys/resource.h>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

bool isAmong(char** argv, std::string_view word) {
    for (; *argv; ++argv)
        if (*argv == word) return true;
    return false;
}

}  // namespace

bool isServed(char** argv) { return argv[0] && argv[1] && std::string_view(argv[1]) == "serve"; }

void confineServed(char** argv) {
    if (!isServed(argv)) return;
    const fs::path exchange = valueAmong(argv, "--exchange");
    const bool confined = isAmong(argv, "--confined");
    if (exchange.empty() && !confined) return;
    if (!exchange.empty()) ::setenv("TMPDIR", exchange.c_str(), 1);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    // The driver of a GPU reserves addresses. It may have to load a module of the kernel, which is impossible later.
    if (!cudaDriver().missing.empty()) limitData();
    if (!confined) return;
    std::vector<fs::path> writable{dataFolder() / "crashes", calibrationFolder()};
    std::error_code failure;
    for (const fs::path& folder : writable) fs::create_directories(folder, failure);
    if (!exchange.empty()) writable.push_back(exchange);
    confineThread(writable);
}

}  // namespace aotscope
