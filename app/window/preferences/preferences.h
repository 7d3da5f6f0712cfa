#pragma once

#include "window/preferences/preferences_dialog.h"
#include "window/workbench.h"

#include <QAction>
#include <QPointer>

namespace aotscope {

/// The preferences, the dialog that edits them, and the keys that change the size of text.
class Preferences : public QObject {
    Q_OBJECT

public:
    explicit Preferences(Workbench& bench);

    /// Opens the dialog.
    QAction* action() const { return action_; }
    /// Larger, smaller, and usual text.
    const std::vector<QAction*>& textActions() const { return text_; }
    /// In the order of the dialog. Call when the window is complete: some are commands of its menus.
    std::vector<Preference> all();
    /// Opens the dialog at the preference of this name; empty: at the first one.
    void openAt(const QString& name);

Q_SIGNALS:
    /// The settings have another size of text, another appearance or another palette.
    void appearanceChanged();

private:
    void setTextSize(int percent);
    std::vector<Preference> ofAppearance();
    std::vector<Preference> ofGraph();
    std::vector<Preference> ofFiles();
    std::vector<Preference> ofModels();
    Preference choosesColour();
    QAction* named(const char* action) const;

    Workbench& bench_;
    QAction* action_;
    std::vector<QAction*> text_;
    QPointer<PreferencesDialog> dialog_;
};

}  // namespace aotscope
