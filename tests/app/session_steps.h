#pragma once

#include "app/window_driver.h"
#include "io/session/session_file.h"

#include <QAbstractButton>
#include <QMessageBox>

namespace aotscope::test {

inline bool saveSession(Driver& d, const QString& file) {
    d.window.sessionFile()->saveTo(file);
    return d.settle();
}

inline SessionContent contentOfFile(const QString& file) { return readSessionFile(file.toStdString()).content; }

inline QAbstractButton* buttonOf(const QMessageBox* box, const char* text) {
    for (QAbstractButton* button : box->buttons())
        if (button->text().remove(u'&') == QString::fromUtf8(text)) return button;
    return nullptr;
}

inline bool keepVariant(Driver& d, const char* name, double budget) {
    PartitionOptions options{.memoryBudget = budget};
    d.window.whatIf()->change(options, u"budget"_s, false);
    if (!d.settle()) return false;
    d.window.whatIf()->variants()->keep(QString::fromUtf8(name));
    return true;
}

/// A bookmark of the session, identified by its name.
inline void markWith(MainWindow& window, const QString& name) {
    auto* panel = window.navigation()->breakpoints()->panel();
    panel->setBreakpoints({{Breakpoint::When::passStarts, name.toStdString(), false}});
    Q_EMIT panel->changed();
}

}  // namespace aotscope::test
