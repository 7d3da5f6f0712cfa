// A window that tests kill or crash. It keeps its data where the environment says, and reports on stdout what it
// does:
//
//     ready              the window is there
//     begin WHAT         something else begins
//     opening            the open session is being replaced
//     kept N             the recovery copy has mark N
//     saving FILE N      mark N is being saved to a session file
//     saved FILE N       it has been saved

#include "app/session_steps.h"
#include "crash/crash_handler.h"
#include "crash/data_folder.h"
#include "support/confinement.h"
#include "window/life/quit_signals.h"
#include "window/run_window.h"

#include <QApplication>
#include <QRandomGenerator>
#include <QTimer>

#include <cstdio>

#include <sys/stat.h>
#include <unistd.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

constexpr int kDelayMs = 30;

template <typename... Values>
void tell(const char* format, Values... values) {
    std::printf(format, values...);
    std::printf("\n");
    std::fflush(stdout);
}

/// Identifies one version of a file; zeros without a file.
std::array<std::int64_t, 3> identityOf(const QString& file) {
    struct stat status {};
    if (::stat(qPrintable(file), &status) != 0) return {};
    return {static_cast<std::int64_t>(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

/// Adds mark `number` to the session and waits until its recovery copy has it.
bool markAndKeep(Driver& d, int number) {
    const QString copy = d.window.sessionFile()->recoveryFile();
    // The copy being written now lacks the mark, and the next one may lack it, too.
    for (int write = 0; write < 2; ++write) {
        const auto before = identityOf(copy);
        markWith(d.window, u"mark-%1-"_s.arg(number));
        const auto written = [&] { return QFile::exists(copy) && identityOf(copy) != before; };
        if (!QTest::qWaitFor(written, kPatience)) return false;
    }
    tell("kept %d", number);
    return true;
}

// --- work ---

bool step(Driver& d, QRandomGenerator& random, const QString& folder, int number) {
    constexpr std::array samples = {"mlp", "aliasing", "sincos", "gpt2-tiny"};
    constexpr int count = samples.size();
    const auto what = random.bounded(7);
    if (what == 0 || !d.window.session()) {
        tell("opening");
        return d.openSample(samples.at(static_cast<std::size_t>(random.bounded(count))));
    }
    if (what == 1) {
        tell("begin timing");
        d.window.time();
        return d.settle();
    }
    if (what == 2) {
        tell("begin compiling");
        d.choosePartition(random.bounded(2) ? PartitionAlgorithm::defaultPartition : PartitionAlgorithm::minCut);
        return d.settle();
    }
    if (what < 5) {
        tell("begin keeping");
        return markAndKeep(d, number);
    }
    markWith(d.window, u"mark-%1-"_s.arg(number));
    const int file = random.bounded(3);
    tell("saving %d %d", file, number);
    if (!saveSession(d, folder + u"/%1.aotscope"_s.arg(file))) return false;
    tell("saved %d %d", file, number);
    return true;
}

int work(const QString& folder, quint32 seed) {
    Driver d;
    d.window.sessionFile()->startAutosave(kDelayMs);
    tell("ready");
    QRandomGenerator random(seed);
    for (int number = 1; number < 100'000; ++number)
        if (!step(d, random, folder, number)) return 1;
    return 0;
}

/// Opens a model, waits for a signal, and ends as the program does, with or without a last change.
int wait(bool change) {
    Driver d;
    d.window.sessionFile()->startAutosave(kDelayMs);
    const auto kept = [&] { return QFile::exists(d.window.sessionFile()->recoveryFile()); };
    if (!d.openSample("mlp") || !QTest::qWaitFor(kept, kPatience)) return 1;
    QuitSignals quitting;
    QObject::connect(&quitting, &QuitSignals::asked, &d.window, [&](int signal) {
        if (change) markWith(d.window, u"mark-2-"_s);
        SessionController* file = d.window.sessionFile();
        file->isModified() ? file->keepForRecovery() : file->end();
        QuitSignals::endBy(signal);
    });
    tell("ready");
    return QApplication::exec();
}

/// Saves its session and is closed at once, during a job that never ends.
int close(const QString& file) {
    Driver d;
    d.window.sessionFile()->startAutosave(kDelayMs);
    if (!d.openSample("mlp")) return 1;
    auto* endless = new BackgroundJob(&d.window);
    endless->start<int>(
        u"Waiting"_s,
        [](const Progress&) -> int {
            while (true) ::pause();
        },
        [](int) {});
    d.window.sessionFile()->saveTo(file);
    QTimer::singleShot(0, &d.window, &QWidget::close);
    return runUntilClosed(d.window);
}

/// Opens a model in the engine that is `program`, and waits.
int waitWith(const QString& program) {
    Driver d(engineIn(program.toStdString()));
    if (!d.openSample("mlp")) return 1;
    tell("ready");
    return QApplication::exec();
}

// --- crashes ---

}  // namespace

// Not in an anonymous namespace, so that their names are in the report.
namespace aotscope::test {

[[gnu::noinline]] void crashOnPurpose() {
    volatile int* nowhere = nullptr;
    *nowhere = 1;
}

[[gnu::noinline]] int overflowOnPurpose(const volatile int* above) {
    std::array<int, 512> frame{*above};
    return *above < 0 ? 0
                      : overflowOnPurpose(frame.data()) +
                            frame[1];  // never negative, but compilers warn about infinite recursion
}

[[gnu::noinline]] void throwError() { throw Error("nobody catches this"); }
[[gnu::noinline]] void throwOnPurpose() noexcept { throwError(); }

}  // namespace aotscope::test

namespace {

void crash(const QByteArray& how) {
    volatile int start = 0;
    if (how == "terminate") throwOnPurpose();
    else if (how == "abort") std::abort();
    else if (how == "stack") overflowOnPurpose(&start);
    crashOnPurpose();
}

int crash(const QByteArray& how, const QByteArray& where) {
    Driver d;
    if (how == "early") {
        d.window.sessionFile()->startAutosave(kDelayMs);
        crash(how);
    }
    d.window.sessionFile()->startAutosave(kDelayMs);
    if (!d.openSample("mlp") || !markAndKeep(d, 1)) return 1;
    if (where == "window") {
        crash(how);
        return 1;
    }
    BackgroundJob job;
    job.start<int>(
        u"Crashing"_s,
        [&](const Progress&) {
            if (where == "confined") runConfined([&] { crash(how); });
            crash(how);
            return 0;
        },
        [](int) {});
    job.wait();
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    installCrashHandler({"0", torchVersion(), {argv, argv + argc}, dataFolder() / "crashes"});
    initializeTorch();
    QApplication application(argc, argv);
    QApplication::setApplicationName(u"aotscope"_s);
    QApplication::setOrganizationName(u"aotscope"_s);
    const QStringList arguments = QApplication::arguments();
    const QString mode = arguments.value(1);
    if (mode == "work"_L1) return work(arguments.value(2), arguments.value(3).toUInt());
    if (mode == "wait"_L1) return wait(arguments.value(2) == "change"_L1);
    if (mode == "engine"_L1) return waitWith(arguments.value(2));
    if (mode == "close"_L1) return close(arguments.value(2));
    return crash(arguments.value(2).toUtf8(), arguments.value(3).toUtf8());
}
