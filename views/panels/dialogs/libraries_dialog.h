#pragma once

#include <QDialog>
#include <QListWidget>
#include <QPushButton>
#include <QStringList>

namespace aotscope {

/// Edits the list of shared libraries whose operators models may use.
class LibrariesDialog : public QDialog {
    Q_OBJECT

public:
    explicit LibrariesDialog(const QStringList& libraries, QWidget* parent = nullptr);

    QStringList libraries() const;
    /// Adds the paths that are not listed yet.
    void add(const QStringList& paths);

private:
    void choose();
    void removeSelected();

    QListWidget* list_;
    QPushButton* remove_;
};

}  // namespace aotscope
