#include "support/test_program.h"

#include "session/session.h"
#include "support/sanitized.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <vector>

#include <QDir>
#include <QTemporaryDir>

#include <dlfcn.h>
#include <unistd.h>

#ifdef QT_WIDGETS_LIB
#include <QApplication>
#endif

namespace aotscope::test {
namespace {

#ifdef QT_WIDGETS_LIB
using Application = QApplication;
#else
using Application = QCoreApplication;
#endif

std::vector<TestClass>& testClasses() {
    static std::vector<TestClass> classes;
    return classes;
}

/// Removes the names of classes from the front of the arguments, after that of the program.
QStringList takeNames(QStringList& arguments) {
    const auto isName = [](const QString& text) {
        return std::ranges::any_of(testClasses(), [&](const TestClass& c) { return c.name == text; });
    };
    QStringList names;
    while (arguments.size() > 1 && isName(arguments[1])) names << arguments.takeAt(1);
    return names;
}

/// Qt Test leaves its handlers installed after a class, and those of the next class would chain to them: to themselves,
/// so that a crash prints endlessly. This restores the previous ones, except handlers of the program.
class HandlersGuard {
public:
    HandlersGuard() {
        for (auto& [signal, action] : before_) sigaction(signal, nullptr, &action);
    }
    ~HandlersGuard() {
        for (const auto& [signal, action] : before_) {
            struct sigaction left = {};
            sigaction(signal, nullptr, &left);
            if (isOfQtTest(left)) sigaction(signal, &action, nullptr);
        }
    }
    HandlersGuard(const HandlersGuard&) = delete;
    HandlersGuard& operator=(const HandlersGuard&) = delete;

private:
    static bool isOfQtTest(const struct sigaction& action) {
        Dl_info place = {};
        return (action.sa_flags & SA_SIGINFO) != 0 &&
               dladdr(reinterpret_cast<void*>(action.sa_sigaction), &place) != 0 && place.dli_fname &&
               std::strstr(place.dli_fname, "Qt6Test");
    }

    std::map<int, struct sigaction> before_ = {{SIGABRT, {}}, {SIGBUS, {}},  {SIGFPE, {}},  {SIGILL, {}}, {SIGINT, {}},
                                               {SIGQUIT, {}}, {SIGSEGV, {}}, {SIGTERM, {}}, {SIGPIPE, {}}};
};

int runTests(int argc, char** argv) {
    const Application application(argc, argv);
    initializeTorch();
    QStringList arguments = QCoreApplication::arguments();
    const QStringList names = takeNames(arguments);
    int failures = 0;
    for (const TestClass& test : testClasses()) {
        if (!names.isEmpty() && !names.contains(test.name)) continue;
        const HandlersGuard guard;
        failures += QTest::qExec(test.make().get(), arguments);
    }
    return std::min(failures, 127);
}

/// The user's cache folder of this process and its children: its own, so that what other tests measure changes nothing
/// here. Only calibrations, which take long, are shared by all.
class TestCache {
public:
    TestCache() {
        copyCalibrations(shared(), own());
        qputenv("XDG_CACHE_HOME", folder_.path().toUtf8());
    }
    void end() const {
        copyCalibrations(own(), shared());
        QDir(folder_.path()).removeRecursively();
    }

private:
    static QDir shared() { return QStringLiteral(AOTSCOPE_TEST_CACHE "/aotscope"); }
    QDir own() const { return folder_.filePath(QStringLiteral("aotscope")); }

    static void copyCalibrations(const QDir& from, const QDir& to) {
        to.mkpath(QStringLiteral("."));
        for (const QString& name : from.entryList({QStringLiteral("calibration-*.json")}, QDir::Files)) {
            const QString made =
                to.filePath(name + QStringLiteral(".") + QString::number(QCoreApplication::applicationPid()));
            // Renamed, so that no other test sees a part.
            if (!to.exists(name) && QFile::copy(from.filePath(name), made)) QFile::rename(made, to.filePath(name));
            QFile::remove(made);
        }
    }

    QTemporaryDir folder_;
};

}  // namespace

bool addTestClass(const char* file, std::unique_ptr<QObject> (*make)()) {
    testClasses().push_back({QFileInfo(QString::fromUtf8(file)).completeBaseName(), make});
    return true;
}

}  // namespace aotscope::test

// NOLINTBEGIN(bugprone-reserved-identifier): the names are given
extern "C" void __cxa_finalize(void* object);
extern void* __dso_handle;
// NOLINTEND(bugprone-reserved-identifier)

int main(int argc, char** argv) {
    // Programs under test keep their caches there, not in the folder of the user.
    const aotscope::test::TestCache cache;
    const int failures = aotscope::test::runTests(argc, argv);
    cache.end();
    if (aotscope::test::kSanitized) return failures;
    // Destroys the static objects of this executable. LibTorch's would take longer than many a test.
    __cxa_finalize(&__dso_handle);
    std::fflush(nullptr);
    _exit(failures);
}
