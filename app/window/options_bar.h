#pragma once

#include "panels/checked_line_edit.h"
#include "record/options.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSpinBox>
#include <QToolBar>
#include <vector>

namespace aotscope {

/// Everything that decides what a run does, in one row.
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
    void takeDecompositions(const QString& file);
    /// Takes and chooses the backend of a plug-in; throws Error if the file is none.
    void takePlugin(const QString& file);

Q_SIGNALS:
    void changed();
    /// A person has chosen the compiler of all graphs; before that, perhaps a plug-in that brings it.
    void compilerChosen(const QString& name);
    void pluginTaken(const QString& file);
    void decompositionFileWanted();
    void pluginWanted();
    void compileChosen(const QString& id);

private:
    void enableWhatApplies();
    void checkDynamic();
    void fillDecompositions();
    void chooseDevice(const QString& device);
    void onDecompositionChosen(int item);
    void fillCompilers();
    void onCompilerChosen(int item);

    bool printed() const { return partition_->findData(kAsPrinted) >= 0; }

    static constexpr int kAsPrinted = -1;
    QComboBox *compile_, *device_, *mode_, *decompose_, *partition_, *compiler_;
    CompilerChoice compilers_;
    std::shared_ptr<const DecompositionTable> table_;  ///< null: nothing is decomposed
    std::vector<QAction*> compileActions_;
    QCheckBox *inference_, *staticParameters_, *keepMutations_;
    QSpinBox* seed_;
    CheckedLineEdit* dynamic_;  ///< ranges that the text gives; "none": no size varies
};

}  // namespace aotscope
