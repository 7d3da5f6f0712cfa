#pragma once

#include "window/options/option_lists.h"

#include <QAction>
#include <QFormLayout>
#include <QFrame>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QPointer>
#include <QScrollArea>

namespace aotscope {

/// An option that differs from its default, to show and to reset.
struct ChosenOption {
    const OptionEntry* entry;
    QString text;            ///< "partition: default"
    bool removable = false;  ///< false: it does not apply to what is open
};

/// Everything that determines a run: the options of the table that have a label, by group, in a panel over the right of
/// the window. It closes when the focus moves elsewhere in the window.
class OptionsPopover : public QFrame {
    Q_OBJECT

public:
    OptionsPopover(const std::shared_ptr<const Engine>& engine, QMainWindow* window);

    /// Stores the choices in `options`, except model, inputs and compilation.
    void writeTo(Options& options) const;
    /// Shows `options` without emitting changed().
    void show(const Options& options);
    /// Shows the options of the open session, and why graphs from a file cannot be compiled; empty for a model. `runs`:
    /// whether it can be run.
    void adaptTo(const Options& options, const QString& whyNotCompiled, bool runs);

    std::vector<ChosenOption> chosen() const;
    /// As the user does: changed() follows. `text` as for setOptionText().
    void set(const OptionEntry& entry, const QString& text);
    /// The same if the option has an effect; otherwise opens it, where it says why not.
    void give(const OptionEntry& entry, const QString& text);
    void reset(const OptionEntry& entry);
    void resetAll();
    /// As OptionControl::takeFile().
    void takeFile(const OptionEntry& entry, const QString& file) { control(entry)->takeFile(file); }

    /// Opens or closes it.
    QAction* action() const { return action_; }
    /// Opens it with the focus on one option.
    void openAt(const OptionEntry& entry);
    /// Below all options: settings with dialogs of their own.
    void addCommand(QAction* action);

Q_SIGNALS:
    /// The user has changed these.
    void changed(const std::vector<const OptionEntry*>& entries);
    /// The shown options have changed, by the user or by code.
    void shown();
    /// An option needs a file.
    void fileWanted(const OptionEntry& entry);
    void decompositionEditorWanted();
    /// The user has chosen a plug-in, before changed().
    void pluginTaken(const QString& file);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildFrame();
    void buildRows(const std::shared_ptr<const Engine>& engine);
    void connectControl(OptionControl* control);
    OptionControl* control(const OptionEntry& entry) const;
    bool isFixed(const OptionEntry& entry) const;
    QString whyNot(const OptionEntry& entry, const Options& options) const;
    void refuseWhatDoesNotApply();
    void toggle(bool open);
    void place();
    void followFocus(const QWidget* now);

    QMainWindow* window_;
    QAction* action_;
    QScrollArea* scroll_;
    QFormLayout* form_;
    QHBoxLayout* commands_;
    std::vector<OptionControl*> controls_;  ///< from top to bottom
    PartitionControl* partition_ = nullptr;
    QString whyNotCompiled_, model_;
    bool runs_ = false;
    QPointer<QWidget> before_;  ///< had the focus before it was opened
};

}  // namespace aotscope
