#include "panels/dialogs/libraries_dialog.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QVBoxLayout>

namespace aotscope {

LibrariesDialog::LibrariesDialog(const QStringList& libraries, QWidget* parent)
    : QDialog(parent), list_(new QListWidget(this)), remove_(new QPushButton(tr("&Remove"), this)) {
    setWindowTitle(tr("Operator Libraries"));
    resize(620, 320);
    auto* help =
        new QLabel(tr("Shared libraries that register operators with PyTorch. Opening a model loads them: they "
                      "run their own code, in an engine that has your rights."),
                   this);
    help->setWordWrap(true);
    list_->setObjectName(QStringLiteral("libraries"));
    list_->setAccessibleName(tr("Operator Libraries"));
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list_->setTextElideMode(Qt::ElideMiddle);
    auto* add = new QPushButton(tr("&Add…"), this);
    remove_->setObjectName(QStringLiteral("removeLibrary"));
    for (QPushButton* button : {add, remove_}) button->setAutoDefault(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);

    auto* side = new QVBoxLayout;
    side->addWidget(add);
    side->addWidget(remove_);
    side->addStretch();
    auto* middle = new QHBoxLayout;
    middle->addWidget(list_, 1);
    middle->addLayout(side);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(help);
    layout->addLayout(middle, 1);
    layout->addWidget(buttons);

    connect(add, &QPushButton::clicked, this, &LibrariesDialog::choose);
    connect(remove_, &QPushButton::clicked, this, &LibrariesDialog::removeSelected);
    connect(list_, &QListWidget::itemSelectionChanged, this,
            [this] { remove_->setEnabled(!list_->selectedItems().isEmpty()); });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    remove_->setEnabled(false);
    this->add(libraries);
}

QStringList LibrariesDialog::libraries() const {
    QStringList paths;
    for (int row = 0; row < list_->count(); ++row) paths << list_->item(row)->data(Qt::UserRole).toString();
    return paths;
}

void LibrariesDialog::add(const QStringList& paths) {
    for (const QString& path : paths) {
        if (libraries().contains(path)) continue;
        const bool there = QFileInfo(path).isFile();
        auto* item = new QListWidgetItem(there ? path : tr("%1 (not found)").arg(path), list_);
        item->setData(Qt::UserRole, path);
        item->setToolTip(
            there
                ? path
                : tr("File '%1' does not exist; models cannot be opened until you remove it from the list").arg(path));
    }
}

void LibrariesDialog::choose() {
    add(QFileDialog::getOpenFileNames(this, tr("Add Operator Libraries"), {},
                                      tr("Shared libraries (*.so *.so.*);;All files (*)")));
}

void LibrariesDialog::removeSelected() { qDeleteAll(list_->selectedItems()); }

}  // namespace aotscope
