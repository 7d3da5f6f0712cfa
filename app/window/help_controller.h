#pragma once

#include "controllers/action_list.h"
#include "window/help/manual_window.h"
#include "window/lessons/guide.h"
#include "window/preferences/preferences.h"
#include "window/workbench.h"

#include <QMenu>

namespace aotscope {

struct Controllers;

/// The Help menu: commands by name, the manual, lessons, and information about the program.
class HelpController : public QObject {
    Q_OBJECT

public:
    HelpController(Workbench& bench, const Controllers& controllers, Preferences* preferences);

    void addActionsTo(QMenu* menu);
    Guide* guide() const { return guide_; }
    /// The manual is scaling its pictures, or a step of a lesson is being prepared.
    bool busy() const { return (manual_ && manual_->busy()) || guide_->busy(); }

Q_SIGNALS:
    /// Search nodes.
    void findRequested(const QString& text);

private:
    void showPalette();
    std::vector<NamedAction> options(QObject* owner) const;
    std::vector<NamedAction> preferences(QObject* owner) const;
    void giveOption(const OptionEntry& entry, const QString& value) const;
    void showSecurity();
    void showAbout();
    /// At this place; empty: at the page with the focus.
    void showManual(QString place);
    /// The place about the panel with the focus, which may be null.
    QString placeOf(const QWidget* focus) const;

    Workbench& bench_;
    Preferences* preferences_;
    Guide* guide_;
    ManualWindow* manual_ = nullptr;
    /// Parts of the window that are no pages, inner ones first, and their places in the manual.
    std::vector<std::pair<const QWidget*, const char*>> parts_;
};

}  // namespace aotscope
