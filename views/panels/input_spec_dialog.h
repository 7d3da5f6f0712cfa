#pragma once

#include "load/input_spec.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTableWidget>

namespace aotscope {

/// Edits an input spec: as a form with one line a tensor, or as JSON, which can say everything.
class InputSpecDialog : public QDialog {
    Q_OBJECT

public:
    /// `names`: the model's inputs, for the form's first column.
    InputSpecDialog(const InputSpec& spec, QStringList names, QWidget* parent = nullptr);

    const InputSpec& spec() const { return spec_; }
    /// Shown above the form: why the person is asked.
    void setReason(const QString& text);

private:
    void fillForm();
    void fillJson();
    void readForm();
    void readJson();
    void switchTab(int tab);
    void validate();
    void openFile();
    void saveFile();
    bool formCanShow() const;
    QString nameOfValue(std::size_t i) const;

    InputSpec spec_;
    QStringList names_;
    QLabel *reason_, *message_;
    QTabWidget* tabs_;
    QTableWidget* form_;
    QPlainTextEdit* json_;
    QDialogButtonBox* buttons_;
    bool filling_ = false;
};

}  // namespace aotscope
