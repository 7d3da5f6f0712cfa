#include "window/run_window.h"

#include "window/main_window.h"

#include <QApplication>
#include <QClipboard>

#include <chrono>
#include <cstdlib>
#include <thread>

namespace aotscope {

namespace {

constexpr std::chrono::milliseconds kPatience(250);

/// Only destructors hand over what was copied (on X11) and remove what was unpacked.
bool leavesTraces(const MainWindow& window) {
    return QApplication::clipboard()->ownsClipboard() || (window.session() && window.session()->saved());
}

}  // namespace

int runUntilClosed(MainWindow& window) {
    const int status = QApplication::exec();
    window.finishFiles();
    // Destructors wait for jobs, which stop at their next stage: that may be seconds away.
    if (!leavesTraces(window))
        std::thread([status] {
            std::this_thread::sleep_for(kPatience);
            std::_Exit(status);
        }).detach();
    return status;
}

}  // namespace aotscope
