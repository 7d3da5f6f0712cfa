#pragma once

#include "window/option_lists.h"

#include <QToolBar>
#include <vector>

namespace aotscope {

/// Everything that decides what a run does, in one row: the options of the table that have a label.
class OptionsBar : public QToolBar {
    Q_OBJECT

public:
    explicit OptionsBar(QWidget* parent = nullptr);

    /// Puts the row's choices into `options`, leaving model, inputs and compilation alone.
    void writeTo(Options& options) const;
    /// Shows `options` without emitting changed().
    void show(const Options& options);

    /// Adapts to what is open: the compilations of a log of printed graphs, and why those cannot be compiled. Both
    /// are empty for a model.
    void adaptTo(const Options& options, const QStringList& compileIds, const QString& whyNotCompiled);
    void stepCompile(int by);

    /// Takes a person's own table of decompositions; throws Error if the file is none.
    void takeDecompositions(const QString& file) { decompositions_->take(file); }
    /// Takes and chooses the compiler of a plug-in; throws Error if the file is none.
    void takePlugin(const QString& file) { compilers_->take(file); }

Q_SIGNALS:
    void changed();
    /// A person has chosen the compiler of all graphs; before that, perhaps a plug-in that brings it.
    void compilerChosen(const QString& name);
    void pluginTaken(const QString& file);
    void decompositionFileWanted();
    void pluginWanted();
    void compileChosen(const QString& id);

private:
    void addOptions();
    OptionControl* makeControl(const OptionEntry& entry);
    OptionControl* control(std::string_view option) const;
    /// Returns the actions that show or hide the two.
    std::vector<QAction*> addLabelled(const QString& label, QWidget* widget);
    void connectControls();
    void enableWhatApplies();

    QComboBox* compile_;
    std::vector<QAction*> compileActions_;
    std::vector<OptionControl*> controls_;  ///< from left to right
    // Those of them that know more than a value.
    PartitionControl* partition_ = nullptr;
    DecompositionControl* decompositions_ = nullptr;
    CompilerControl* compilers_ = nullptr;
};

}  // namespace aotscope
