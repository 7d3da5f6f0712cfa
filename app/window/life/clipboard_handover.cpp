#include "window/life/clipboard_handover.h"

#include <QAbstractNativeEventFilter>
#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QWindow>

#include <xcb/xcb.h>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace aotscope {

namespace {

constexpr int kPatienceMs = 150;

struct Free {
    void operator()(void* reply) const { std::free(reply); }
};

xcb_atom_t atom(xcb_connection_t* x, const char* name) {
    const auto cookie = xcb_intern_atom(x, 0, static_cast<std::uint16_t>(std::strlen(name)), name);
    const std::unique_ptr<xcb_intern_atom_reply_t, Free> reply(xcb_intern_atom_reply(x, cookie, nullptr));
    return reply ? reply->atom : XCB_NONE;
}

bool hasOwner(xcb_connection_t* x, xcb_atom_t selection) {
    const auto cookie = xcb_get_selection_owner(x, selection);
    const std::unique_ptr<xcb_get_selection_owner_reply_t, Free> reply(
        xcb_get_selection_owner_reply(x, cookie, nullptr));
    return reply && reply->owner != XCB_NONE;
}

/// Waits until the manager has taken or refused the contents.
class Answer : public QAbstractNativeEventFilter {
public:
    explicit Answer(WId window) : window_(window) { QCoreApplication::instance()->installNativeEventFilter(this); }
    bool arrived() const { return arrived_; }
    bool nativeEventFilter(const QByteArray& type, void* message, qintptr* /*result*/) override {
        const auto* event = static_cast<xcb_generic_event_t*>(message);
        if (type != "xcb_generic_event_t" || (event->response_type & 0x7F) != XCB_SELECTION_NOTIFY) return false;
        arrived_ = arrived_ || reinterpret_cast<const xcb_selection_notify_event_t*>(event)->requestor == window_;
        return false;
    }

private:
    WId window_;
    bool arrived_ = false;
};

}  // namespace

/// The protocol is "Saving targets" of the freedesktop.org clipboard manager specification. Qt implements it, too, but
/// only when the application is destroyed, after everything it waits for.
void handOverClipboard() {
    const auto* x11 = qGuiApp->nativeInterface<QNativeInterface::QX11Application>();
    if (!x11 || !QGuiApplication::clipboard()->ownsClipboard()) return;
    xcb_connection_t* x = x11->connection();
    const xcb_atom_t manager = atom(x, "CLIPBOARD_MANAGER");
    if (!hasOwner(x, manager)) return;
    QWindow window;
    window.create();
    const Answer answer(window.winId());
    xcb_convert_selection(x, static_cast<xcb_window_t>(window.winId()), manager, atom(x, "SAVE_TARGETS"),
                          atom(x, "AOTSCOPE_CLIPBOARD"), XCB_CURRENT_TIME);
    xcb_flush(x);
    // Meanwhile the manager requests the contents, and Qt answers.
    QElapsedTimer clock;
    clock.start();
    while (!answer.arrived() && !clock.hasExpired(kPatienceMs))
        QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents | QEventLoop::WaitForMoreEvents, 10);
}

}  // namespace aotscope
