#pragma once

#include "record/option_table.h"

#include <QWidget>

namespace aotscope {

/// An option of the table in the options bar: a widget that shows its value and lets people change it.
class OptionControl : public QObject {
    Q_OBJECT

public:
    const OptionEntry& entry() const { return entry_; }
    QWidget* widget() const { return widget_; }

    /// Shows the value that `options` has, without emitting changed().
    virtual void show(const Options& options) = 0;
    /// Puts the value that is shown into `options`.
    virtual void writeTo(Options& options) const = 0;

    /// Disables the option and says why instead of what it does; empty: it applies.
    void setRefusal(const QString& why);

Q_SIGNALS:
    /// A person has changed the value.
    void changed();

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

/// The control for the type of the option's value.
OptionControl* makeOptionControl(const OptionEntry& entry, QWidget* parent);

}  // namespace aotscope
