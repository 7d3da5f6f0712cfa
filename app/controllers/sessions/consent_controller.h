#pragma once

#include "controllers/background_job.h"
#include "controllers/settings.h"
#include "session/engine.h"

#include <QMessageBox>
#include <QPointer>
#include <QSet>

namespace aotscope {

/// Something dangerous that a file requests and only its user can allow. An answer holds for the file as it is now.
struct ConsentQuestion {
    QString what;  ///< what is allowed, for remembering: "load", "operators reads-files"
    QString file;  ///< the answer is for its content
    QString title, text, details;
    QString yes, no;  ///< of the buttons
};

/// Asks such questions, once for each content of a file: consent is remembered in the settings, a refusal until the
/// program ends.
class ConsentController : public QObject {
    Q_OBJECT

public:
    ConsentController(std::shared_ptr<const Engine> engine, QWidget* window, Settings* settings);
    ~ConsentController() override;

    /// Calls `answered` later, with the remembered answer or the one chosen then. An open question is cancelled.
    void ask(const ConsentQuestion& question, std::function<void(bool)> answered);
    /// Forgets who asked.
    void cancel();
    /// The file is being read; false: the question is open.
    bool busy() const { return reading_.running(); }

Q_SIGNALS:
    /// The file cannot be read: no question is asked.
    void failed(std::exception_ptr error);

private:
    void onHash(const ConsentQuestion& question, const QByteArray& hash, const std::function<void(bool)>& answered);
    void open(const ConsentQuestion& question, const std::function<void(bool)>& answered);

    std::shared_ptr<const Engine> engine_;
    QWidget* window_;
    Settings* settings_;
    QSet<QByteArray> refused_;  ///< the request and the hash of the content
    QPointer<QMessageBox> box_;
    BackgroundJob reading_;
};

/// `text` of a file, made safe for a question: on one line, left to right, and not too long.
QString shownText(const QString& text);

}  // namespace aotscope
