#pragma once

#include "session/engine.h"
#include "window/options/option_control.h"

#include <QComboBox>
#include <memory>

namespace aotscope {

/// An option with a list of values.
class ListControl : public OptionControl {
protected:
    ListControl(const OptionEntry& entry, QWidget* parent);

    QComboBox* box() const { return static_cast<QComboBox*>(widget()); }
    /// Adds an item that stands for `name`, with an explanation.
    void addItem(std::string_view name, std::string_view help);
};

/// A choice with the names of the command line.
class ChoiceControl : public ListControl {
public:
    ChoiceControl(const OptionEntry& entry, QWidget* parent);

    void show(const Options& options) override;
    void writeTo(Options& options) const override;
};

/// The partitioner; for graphs from a file also their own partition.
class PartitionControl final : public ChoiceControl {
    Q_OBJECT

public:
    using ChoiceControl::ChoiceControl;

    /// The title of the file's own partition; empty: it has none.
    void setOwnPartition(const QString& label);
    bool hasOwn() const { return hasOwn_; }
    /// The file's own partition is chosen.
    bool isOwn() const { return hasOwn_ && box()->currentIndex() == box()->count() - 1; }

    void show(const Options& options) override;
    void writeTo(Options& options) const override;

private:
    bool hasOwn_ = false;  ///< as the last item
};

/// The devices of this machine, and another one named by a file or the command line.
class DeviceControl final : public ListControl {
public:
    DeviceControl(const OptionEntry& entry, const Engine& engine, QWidget* parent);

    void show(const Options& options) override;
    void writeTo(Options& options) const override;
};

/// The built-in tables of decompositions, the user's own from a file, and a command to edit one.
class DecompositionControl final : public ListControl {
    Q_OBJECT

public:
    DecompositionControl(const OptionEntry& entry, QWidget* parent);

    void show(const Options& options) override;
    void writeTo(Options& options) const override;
    void takeFile(const QString& file) override;

Q_SIGNALS:
    void editorWanted();

private:
    void fill();
    void choose(int item);

    std::shared_ptr<const DecompositionTable> table_;  ///< null: no decompositions
};

}  // namespace aotscope
