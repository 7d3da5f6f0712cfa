#include "benchmarks.h"
#include "session/session.h"

#include <benchmark/benchmark.h>

#ifdef AOTSCOPE_GUI
#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#endif

#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace {

/// Removes the option `name`, such as "--iterations=", from the arguments. Returns its value, or `value` if it is
/// absent.
std::string takeOption(std::string_view name, std::string value, int& argc, char** argv) {
    int kept = 0;
    for (int i = 0; i < argc; ++i) {
        if (std::string_view(argv[i]).starts_with(name)) value = argv[i] + name.size();
        else argv[kept++] = argv[i];
    }
    argc = kept;
    return value;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace aotscope;
    benchmark::Initialize(&argc, argv);
    const int iterations = std::atoi(takeOption("--iterations=", "10", argc, argv).c_str());
    const std::string exported = takeOption("--exported=", "", argc, argv);  // NAME=FILE
    if (iterations < 1) {
        std::cerr << "aotscope_bench: --iterations expects a number of at least 1\n";
        return 2;
    }
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    initializeTorch();
    registerCompileBenchmarks();
    registerStepBenchmarks(iterations);
    registerPartitionBenchmarks();
    if (const auto equals = exported.find('='); equals != std::string::npos)
        registerExportedBenchmark(exported.substr(0, equals), exported.substr(equals + 1));
#ifdef AOTSCOPE_GUI
    // Box sizes depend on fonts, and fonts need an application, but no screen.
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    const QTemporaryDir settings;  // the user's own stay unchanged
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    registerLayoutBenchmarks();
    registerWindowBenchmarks();
    registerCanvasBenchmarks();
    registerPassBenchmarks();
    registerSequenceBenchmarks();
    registerTourBenchmarks();
    registerBorderBenchmarks(iterations);
    registerMemoryBenchmarks();
#endif
    benchmark::AddCustomContext("torch", torchVersion());
    benchmark::AddCustomContext("threads", std::to_string(torchThreads()));
    benchmark::RunSpecifiedBenchmarks();
    benchmark::ClearRegisteredBenchmarks();  // including cached windows, before the application ends
    benchmark::Shutdown();
    return 0;
}
