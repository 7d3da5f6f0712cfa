#pragma once

#include "record/options/option_table.h"

#include <QWidget>

namespace aotscope {

class Engine;

/// A widget that shows and changes an option of the table.
class OptionControl : public QObject {
    Q_OBJECT

public:
    const OptionEntry& entry() const { return entry_; }
    QWidget* widget() const { return widget_; }

    /// Shows the value in `options` without emitting changed(). Text being typed is kept.
    virtual void show(const Options& options) = 0;
    /// Stores the shown value in `options`.
    virtual void writeTo(Options& options) const = 0;
    /// Takes a file chosen for the option; throws Error if it is unsuitable.
    virtual void takeFile(const QString& file);

    /// Disables the option and shows the reason instead of its help; empty: it applies.
    void setRefusal(const QString& why);
    const QString& refusal() const { return refusal_; }

Q_SIGNALS:
    /// The user has changed the value.
    void changed();
    /// The user wants to choose a file.
    void fileWanted();

protected:
    /// Gives `widget` the name and the help of the option.
    OptionControl(const OptionEntry& entry, QWidget* widget);

    /// The option's help as a tooltip: "Seed of random inputs".
    QString help() const;
    void setTip(const QString& tip);

private:
    const OptionEntry& entry_;
    QWidget* widget_;
    QString tip_, refusal_;
};

/// The wheel changes `field` only while it has the focus; otherwise it scrolls.
void guardFromWheel(QWidget* field);

/// The control for the option, by its values or their type. `engine` knows some of the values.
OptionControl* makeOptionControl(const OptionEntry& entry, const std::shared_ptr<const Engine>& engine,
                                 QWidget* parent);

}  // namespace aotscope
