#include "benchmarks.h"
#include "session.h"

#include <benchmark/benchmark.h>

#ifdef AOTSCOPE_GUI
#include <QGuiApplication>
#endif

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace {

/// Takes our own option "--laps=N" out of the arguments; 10 if it is not there, 0 if it is wrong.
int takeLaps(int& argc, char** argv) {
    constexpr std::string_view option = "--laps=";
    int laps = 10, kept = 0;
    for (int i = 0; i < argc; ++i) {
        if (std::string_view(argv[i]).starts_with(option)) laps = std::max(0, std::atoi(argv[i] + option.size()));
        else argv[kept++] = argv[i];
    }
    argc = kept;
    return laps;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace aotscope;
    benchmark::Initialize(&argc, argv);
    const int laps = takeLaps(argc, argv);
    if (laps == 0) {
        std::cerr << "aotscope_bench: --laps expects a number of at least 1\n";
        return 2;
    }
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    initializeTorch();
    registerCompileBenchmarks();
    registerStepBenchmarks(laps);
#ifdef AOTSCOPE_GUI
    // Sizes of boxes come from fonts, and fonts need an application, but no screen.
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication application(argc, argv);
    registerLayoutBenchmarks();
#endif
    benchmark::AddCustomContext("torch", torchVersion());
    benchmark::AddCustomContext("threads", std::to_string(torchThreads()));
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
