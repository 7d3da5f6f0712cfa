#include "window/life/quit_signals.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

namespace aotscope {

namespace {

constexpr std::array kAsking = {SIGTERM, SIGINT, SIGHUP};

std::array<int, 2>& signalPipe() {
    static std::array<int, 2> ends = [] {
        std::array<int, 2> made{-1, -1};
        if (::pipe2(made.data(), O_CLOEXEC | O_NONBLOCK) != 0) made = {-1, -1};
        return made;
    }();
    return ends;
}

void onSignal(int signal) {
    const int error = errno;
    const auto name = static_cast<unsigned char>(signal);
    [[maybe_unused]] const auto count = ::write(signalPipe()[1], &name, 1);
    errno = error;
}

}  // namespace

QuitSignals::QuitSignals(QObject* parent)
    : QObject(parent), notifier_(new QSocketNotifier(signalPipe()[0], QSocketNotifier::Read, this)) {
    connect(notifier_, &QSocketNotifier::activated, this, &QuitSignals::onReadable);
    for (const int signal : kAsking) {
        struct sigaction before {
        }, action{};
        if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;  // as under nohup
        action.sa_handler = onSignal;
        action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
        ::sigaction(signal, &action, nullptr);
    }
}

void QuitSignals::onReadable() {
    unsigned char signal = 0;
    while (::read(signalPipe()[0], &signal, 1) == 1) Q_EMIT asked(signal);
}

void QuitSignals::endBy(int signal) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    std::_Exit(EXIT_FAILURE);
}

}  // namespace aotscope
