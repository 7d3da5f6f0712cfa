#include "window/run_window.h"

#include "window/life/clipboard_handover.h"
#include "window/main_window.h"

#include <QApplication>

#include <chrono>
#include <cstdlib>
#include <thread>

namespace aotscope {

namespace {

constexpr std::chrono::milliseconds kPatience(250);

}  // namespace

void fitToScreen(QWidget& window, QSize screen) {
    constexpr QSize frame(16, 48);  // of usual window managers, which is known only later
    const QSize room = screen - frame;
    if (window.width() <= room.width() && window.height() <= room.height()) return;
    window.resize(window.size().boundedTo(room));
    window.setWindowState(window.windowState() | Qt::WindowMaximized);
}

int runUntilClosed(MainWindow& window) {
    const int status = QApplication::exec();
    window.finishFiles();
    handOverClipboard();
    // Destructors wait for jobs, which may take seconds to reach their next stage.
    std::thread([status] {
        std::this_thread::sleep_for(kPatience);
        std::_Exit(status);
    }).detach();
    return status;
}

}  // namespace aotscope
