#pragma once

#include "record/options/option_table.h"

#include <QWidget>

namespace aotscope {

/// An option of the table in the window: a widget that shows its value and lets people change it.
class OptionControl : public QObject {
    Q_OBJECT

public:
    const OptionEntry& entry() const { return entry_; }
    QWidget* widget() const { return widget_; }

    /// Shows the value that `options` has, without emitting changed(). What is being typed stays.
    virtual void show(const Options& options) = 0;
    /// Puts the value that is shown into `options`.
    virtual void writeTo(Options& options) const = 0;
    /// Takes a file that a person has chosen for the option; throws Error if it is none for it.
    virtual void takeFile(const QString& file);

    /// Disables the option and says why instead of what it does; empty: it applies.
    void setRefusal(const QString& why);
    const QString& refusal() const { return refusal_; }

Q_SIGNALS:
    /// A person has changed the value.
    void changed();
    /// A person wants to choose a file for it.
    void fileWanted();

protected:
    /// Gives `widget` the name and the help of the option, and belongs to it.
    OptionControl(const OptionEntry& entry, QWidget* widget);

    /// The option's help as a tooltip: "Seed of random inputs".
    QString help() const;
    void setTip(const QString& tip);

private:
    const OptionEntry& entry_;
    QWidget* widget_;
    QString tip_, refusal_;
};

/// The wheel changes `field` only while it has the focus; else it scrolls past.
void guardFromWheel(QWidget* field);

/// The control for the option, which knows its values or at least their type.
OptionControl* makeOptionControl(const OptionEntry& entry, QWidget* parent);

}  // namespace aotscope
