#pragma once

#include "window/preferences/preference.h"

#include <QDialog>
#include <QTabWidget>

#include <vector>

namespace aotscope {

/// All preferences, on a page for each section. They are in force as soon as they are changed.
class PreferencesDialog : public QDialog {
    Q_OBJECT

public:
    PreferencesDialog(const std::vector<Preference>& preferences, QWidget* parent);

    /// Shows the preference of this name, with the focus.
    void openAt(const QString& name);

protected:
    void changeEvent(QEvent* event) override;

private:
    void addSection(const QString& title, const std::vector<Preference>& preferences);
    void fit();

    QTabWidget* sections_;
};

}  // namespace aotscope
