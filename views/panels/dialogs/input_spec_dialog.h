#pragma once

#include "panels/dialogs/input_form.h"
#include "program/inputs/input_spec.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTabWidget>

namespace aotscope {

/// Edits an input spec: as a form, or as JSON, which can also derive values from others.
class InputSpecDialog : public QDialog {
    Q_OBJECT

public:
    /// `names`: the model's inputs. `folder`: where relative files of the spec are; they become absolute.
    InputSpecDialog(const InputSpec& spec, QStringList names, QWidget* parent = nullptr, const QString& folder = {});

    const InputSpec& spec() const { return spec_; }
    /// Text above the form that says why input specs are needed.
    void setReason(const QString& text);

    /// Loads the spec from a file, or shows an error below the form.
    void load(const QString& path);
    void save(const QString& path);

private:
    void showSpec();
    void switchTab(int tab);
    void validate();
    void showProblem(const QString& text);
    void loadFile();
    void saveFile();

    InputSpec spec_;
    QStringList names_;
    QLabel *reason_, *message_;
    QTabWidget* tabs_;
    InputForm* form_;
    QPlainTextEdit* json_;
    QDialogButtonBox* buttons_;
    bool filling_ = false;
};

}  // namespace aotscope
