// Connects libFuzzer with the target that AOTSCOPE_FUZZ_TARGET names. With none it lists them, with the bytes worth
// trying.

#include "fuzz/fuzz_targets.h"
#include "support/error.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

const aotscope::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    const char* name = std::getenv("AOTSCOPE_FUZZ_TARGET");
    if (name) chosen = aotscope::fuzz::targetNamed(name);
    if (chosen) return 0;
    for (const auto& target : aotscope::fuzz::targets()) std::printf("%s %zu\n", target.name, target.largest);
    std::exit(name ? 2 : 0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        chosen->run({reinterpret_cast<const char*>(data), size});
    } catch (const aotscope::Error&) {
        return 0;  // refused with an error
    }
    return 0;
}
