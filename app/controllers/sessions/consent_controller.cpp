#include "controllers/sessions/consent_controller.h"

#include "record/model_kind.h"

#include <QCryptographicHash>
#include <QPushButton>

namespace aotscope {

namespace {

/// SHA-256 of the file's content; empty for one on another machine, whose answer is not remembered. Throws Error,
/// Cancelled.
QByteArray contentHash(const Engine& engine, const std::string& file, const Progress& progress) {
    if (isRemote(file)) return {};
    QCryptographicHash hash(QCryptographicHash::Sha256);
    engine.files(file)->open(file, progress)->readAll([&](std::string_view bytes) { hash.addData(bytes); });
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

ConsentController::ConsentController(std::shared_ptr<const Engine> engine, QWidget* window, Settings* settings)
    : QObject(window), engine_(std::move(engine)), window_(window), settings_(settings) {
    connect(&reading_, &BackgroundJob::failed, this, &ConsentController::failed);
}

ConsentController::~ConsentController() { reading_.disconnect(this); }

void ConsentController::ask(const ConsentQuestion& question, std::function<void(bool)> answered) {
    cancel();
    reading_.start<QByteArray>(
        tr("Reading %1").arg(question.file),
        [engine = engine_, file = question.file.toStdString()](const Progress& progress) {
            return contentHash(*engine, file, progress);
        },
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
    const bool known = !hash.isEmpty();
    if (known && settings_->consent(question.what, question.file) == hash) return answered(true);
    if (known && refused_.contains(key)) return answered(false);
    open(question, [this, question, hash, key, answered, known](bool yes) {
        if (yes && known) settings_->setConsent(question.what, question.file, hash);
        else if (known) refused_.insert(key);
        answered(yes);
    });
}

void ConsentController::open(const ConsentQuestion& question, const std::function<void(bool)>& answered) {
    box_ = new QMessageBox(QMessageBox::Warning, question.title, question.text, QMessageBox::NoButton, window_);
    box_->setObjectName(QStringLiteral("consent"));
    box_->setTextFormat(Qt::PlainText);  // the author of the file does not control how the question looks
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
