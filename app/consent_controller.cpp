#include "consent_controller.h"

#include "support/error.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QPushButton>

namespace aotscope {

namespace {

/// SHA-256 of what is in the file. Throws Error, Cancelled.
QByteArray contentHash(const QString& path, const Progress& progress) {
    constexpr qint64 kPiece = 1 << 22;
    QFile file(path);
    // Not a FIFO, which would wait for somebody to write.
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
        throw Error("cannot read '" + path.toStdString() + "': a regular file that you may read is expected");
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (QByteArray piece = file.read(kPiece); !piece.isEmpty(); piece = file.read(kPiece)) {
        hash.addData(piece);
        progress.throwIfCancelled();
    }
    if (file.error() != QFileDevice::NoError)
        throw Error("cannot read '" + path.toStdString() + "': " + file.errorString().toStdString());
    return hash.result().toHex();
}

}  // namespace

QString shownText(const QString& text) {
    constexpr int kLongest = 300;
    QString shown = text;
    for (QChar& c : shown)
        if ((!c.isPrint() && !c.isSurrogate()) || c.category() == QChar::Separator_Line ||
            c.category() == QChar::Separator_Paragraph)
            c = QChar::ReplacementCharacter;
    if (shown.size() > kLongest) shown = shown.left(kLongest / 2) + QStringLiteral(" … ") + shown.right(kLongest / 2);
    return shown;
}

ConsentController::ConsentController(QWidget* window, Settings* settings)
    : QObject(window), window_(window), settings_(settings) {
    connect(&reading_, &BackgroundJob::failed, this, &ConsentController::failed);
}

ConsentController::~ConsentController() { reading_.disconnect(this); }

void ConsentController::ask(const ConsentQuestion& question, std::function<void(bool)> answered) {
    cancel();
    reading_.start<QByteArray>(
        tr("Reading %1").arg(question.file),
        [file = question.file](const Progress& progress) { return contentHash(file, progress); },
        [this, question, answered = std::move(answered)](const QByteArray& hash) { onHash(question, hash, answered); });
}

void ConsentController::cancel() {
    reading_.cancel();
    if (!box_) return;
    box_->disconnect(this);
    box_->close();
}

void ConsentController::onHash(const ConsentQuestion& question, const QByteArray& hash,
                               const std::function<void(bool)>& answered) {
    const QByteArray key = question.what.toUtf8() + '\n' + question.file.toUtf8() + '\n' + hash;
    if (settings_->consent(question.what, question.file) == hash) return answered(true);
    if (refused_.contains(key)) return answered(false);
    open(question, [this, question, hash, key, answered](bool yes) {
        if (yes) settings_->setConsent(question.what, question.file, hash);
        else refused_.insert(key);
        answered(yes);
    });
}

void ConsentController::open(const ConsentQuestion& question, const std::function<void(bool)>& answered) {
    box_ = new QMessageBox(QMessageBox::Warning, question.title, question.text, QMessageBox::NoButton, window_);
    box_->setObjectName(QStringLiteral("consent"));
    box_->setTextFormat(Qt::PlainText);  // whoever wrote the file does not decide how the question looks
    box_->setInformativeText(question.details);
    box_->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* yes = box_->addButton(question.yes, QMessageBox::AcceptRole);
    QPushButton* no = box_->addButton(question.no, QMessageBox::RejectRole);
    box_->setDefaultButton(no);
    box_->setEscapeButton(no);
    connect(box_, &QDialog::finished, this, [box = box_.data(), yes, answered] {
        answered(static_cast<QAbstractButton*>(yes) == box->clickedButton());
    });
    box_->open();
}

}  // namespace aotscope
