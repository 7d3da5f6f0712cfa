#pragma once

#include "window/manual_window.h"
#include "window/workbench.h"

#include <QMenu>

namespace aotscope {

/// The Help menu: commands by their names, the manual, and what the program is.
class HelpController : public QObject {
    Q_OBJECT

public:
    explicit HelpController(Workbench& bench);

    void addActionsTo(QMenu* menu);

Q_SIGNALS:
    /// Nodes are to be looked for.
    void findRequested(const QString& text);

private:
    void showPalette();
    /// At this place; empty: at the page that has the focus.
    void showManual(QString place);
    /// The place about the panel that has the focus, which may be null.
    QString placeOf(const QWidget* focus) const;

    Workbench& bench_;
    ManualWindow* manual_ = nullptr;
};

}  // namespace aotscope
