// gpu_checks CHECK [DEVICE]: runs one check and prints its figure. Exit codes: 0 fine, 1 failed, 77 skipped; the reason
// is on stderr.

#include "checks.h"
#include "device/device.h"
#include "session/session.h"

#include <cstring>
#include <exception>
#include <iostream>

using namespace aotscope;
using namespace aotscope::test;

namespace {

std::string deviceName = "cuda:0";

constexpr int kFailed = 1, kWrongUsage = 2, kSkipped = 77;

struct Check {
    const char* name;
    std::string (*run)();
    bool onGpu = true;
};
constexpr Check kChecks[] = {{"machine", describeMachine},
                             {"emulated-kernels", emulatedKernels, false},
                             {"launched-kernels", launchedKernels},
                             {"side-stream", sideStream},
                             {"replays", replays},
                             {"kernels-first-met-in-capture", kernelsFirstMetInCapture},
                             {"out-of-memory", outOfMemory},
                             {"random-state", randomState}};

int run(const Check& check) {
    try {
        initializeTorch();
        if (check.onGpu) prepareDevice(deviceName);
        std::cout << check.run() << "\n";
        return 0;
    } catch (const Skipped& e) {
        std::cerr << e.what() << "\n";
        return kSkipped;
    } catch (const std::exception& e) {
        const std::string text = e.what();
        std::cerr << text.substr(0, text.find('\n')) << "\n";  // LibTorch adds the stack
        return kFailed;
    }
}

}  // namespace

c10::Device aotscope::test::checkedDevice() { return c10::Device(deviceName); }

int main(int argc, char** argv) {
    if (argc == 3) deviceName = argv[2];
    for (const Check& check : kChecks)
        if ((argc == 2 || argc == 3) && std::strcmp(argv[1], check.name) == 0) return run(check);
    std::cerr << "usage: gpu_checks CHECK [DEVICE], CHECK being one of";
    for (const Check& check : kChecks) std::cerr << " " << check.name;
    std::cerr << "\n";
    return kWrongUsage;
}
