#include "panels/dialogs/remote_dialog.h"

#include "models/words/to_qstring.h"
#include "record/options/remote_model.h"
#include "support/formatted.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace aotscope {

namespace {

constexpr int kFolderRole = Qt::UserRole;

std::string plainText(const QString& text) { return text.trimmed().toStdString(); }

/// Folders first, both by name.
bool comesBefore(const RemoteEntry& a, const RemoteEntry& b) {
    return a.folder != b.folder ? a.folder : a.name < b.name;
}

}  // namespace

RemoteDialog::RemoteDialog(const QStringList& hosts, QWidget* parent)
    : QDialog(parent),
      host_(new QComboBox(this)),
      command_(new QLineEdit(this)),
      path_(new QLineEdit(this)),
      connect_(new QPushButton(tr("&Connect"), this)),
      up_(new QPushButton(tr("&Up"), this)),
      entries_(new QTreeWidget(this)),
      message_(new QLabel(this)) {
    setObjectName(QStringLiteral("remoteDialog"));
    setWindowTitle(tr("Open Remote"));
    resize(640, 520);
    host_->setObjectName(QStringLiteral("remoteHost"));
    host_->setEditable(true);
    host_->addItems(hosts);
    host_->lineEdit()->setPlaceholderText(tr("user@server or server:port"));
    host_->setToolTip(tr("As ssh takes it. aotscope of this version has to be installed there"));
    command_->setObjectName(QStringLiteral("remoteCommand"));
    command_->setPlaceholderText(QStringLiteral("ssh"));
    command_->setToolTip(
        tr("Command that runs a program where the model is, instead of ssh, such as docker exec -i NAME"));
    path_->setObjectName(QStringLiteral("remotePath"));
    path_->setText(QStringLiteral("~/"));
    path_->setToolTip(tr("The model's file there; ~/ is your home folder there"));
    entries_->setObjectName(QStringLiteral("remoteEntries"));
    entries_->setAccessibleName(tr("Files there"));
    entries_->setHeaderLabels({tr("Name"), tr("Size")});
    entries_->setRootIsDecorated(false);
    entries_->header()->setStretchLastSection(false);
    entries_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    message_->setObjectName(QStringLiteral("remoteMessage"));
    message_->setTextFormat(Qt::PlainText);
    message_->setWordWrap(true);
    arrange();
    connectParts();
    enable();
}

void RemoteDialog::arrange() {
    auto* there = new QHBoxLayout;
    there->addWidget(host_, 1);
    there->addWidget(connect_);
    auto* where = new QHBoxLayout;
    where->addWidget(path_, 1);
    where->addWidget(up_);
    auto* form = new QFormLayout;
    const auto labelled = [this](const QString& text, QWidget* field) {
        auto* label = new QLabel(text, this);
        label->setBuddy(field);
        return label;
    };
    form->addRow(labelled(tr("&Host"), host_), there);
    form->addRow(tr("Co&mmand"), command_);
    form->addRow(labelled(tr("&File"), path_), where);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    open_ = buttons->addButton(tr("&Open"), QDialogButtonBox::AcceptRole);
    connect_->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(entries_, 1);
    layout->addWidget(message_);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void RemoteDialog::connectParts() {
    connect(connect_, &QPushButton::clicked, this, [this] {
        if (listing_) Q_EMIT cancelRequested();
        else Q_EMIT folderWanted();
    });
    connect(up_, &QPushButton::clicked, this, &RemoteDialog::goUp);
    connect(entries_, &QTreeWidget::currentItemChanged, this, &RemoteDialog::chooseEntry);
    connect(entries_, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem* item) {
        chooseEntry(item);
        if (item->data(0, kFolderRole).toBool()) Q_EMIT folderWanted();
        else accept();
    });
    for (const QLineEdit* edit : {host_->lineEdit(), command_, path_})
        connect(edit, &QLineEdit::textChanged, this, &RemoteDialog::enable);
}

QString RemoteDialog::model() const {
    std::string file = plainText(path_->text());
    if (!file.starts_with('/')) file.insert(0, "/");
    std::string model = std::string(kSshPrefix) + plainText(host_->currentText()) + file;
    if (const std::string command = plainText(command_->text()); !command.empty())
        model = throughCommand(model, command);
    return toQString(model);
}

void RemoteDialog::setStage(const QString& stage) {
    listing_ = !stage.isEmpty();
    connect_->setText(listing_ ? tr("S&top") : tr("&Connect"));
    message_->setText(stage);
    enable();
}

void RemoteDialog::setProblem(const QString& sentence) { message_->setText(sentence); }

void RemoteDialog::setFolder(const RemoteFolder& folder) {
    folder_ = toQString(folder.path);
    if (!folder_.endsWith(u'/')) folder_ += u'/';
    std::vector<RemoteEntry> sorted = folder.entries;
    std::ranges::sort(sorted, comesBefore);
    entries_->clear();
    for (const RemoteEntry& entry : sorted) {
        auto* item = new QTreeWidgetItem(entries_, {toQString(entry.name)});
        item->setIcon(0, style()->standardIcon(entry.folder ? QStyle::SP_DirIcon : QStyle::SP_FileIcon));
        item->setData(0, kFolderRole, entry.folder);
        if (!entry.folder) item->setText(1, toQString(formatBytes(static_cast<std::int64_t>(entry.bytes))));
        item->setTextAlignment(1, Qt::AlignRight);
    }
    path_->setText(folder_);
    message_->setText(sorted.empty() ? tr("This folder is empty") : QString());
    entries_->setFocus(Qt::OtherFocusReason);
    enable();
}

void RemoteDialog::chooseEntry(const QTreeWidgetItem* item) {
    if (!item) return;
    path_->setText(folder_ + item->text(0) + (item->data(0, kFolderRole).toBool() ? QStringLiteral("/") : QString()));
}

/// To the parent of the listed folder.
void RemoteDialog::goUp() {
    path_->setText(folder_.section(u'/', 0, -3) + u'/');
    Q_EMIT folderWanted();
}

void RemoteDialog::enable() {
    const bool somewhere = !host_->currentText().trimmed().isEmpty() || !command_->text().trimmed().isEmpty();
    connect_->setEnabled(somewhere);
    up_->setEnabled(!listing_ && folder_.size() > 1);
    entries_->setEnabled(!listing_);
    const QString path = path_->text().trimmed();
    open_->setEnabled(somewhere && !path.isEmpty() && !path.endsWith(u'/'));
    open_->setDefault(open_->isEnabled());
}

}  // namespace aotscope
