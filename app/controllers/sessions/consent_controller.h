#pragma once

#include "controllers/background_job.h"
#include "controllers/settings.h"

#include <QMessageBox>
#include <QPointer>
#include <QSet>

namespace aotscope {

/// Something dangerous that a file asks for and only its user can allow. An answer holds for the file as it is now.
struct ConsentQuestion {
    QString what;  ///< what is allowed, for remembering: "load", "operators reads-files"
    QString file;  ///< whose content the answer is for
    QString title, text, details;
    QString yes, no;  ///< of the buttons
};

/// Asks such questions, once for each content of a file: consent is remembered in the settings, a refusal until the
/// program ends.
class ConsentController : public QObject {
    Q_OBJECT

public:
    ConsentController(QWidget* window, Settings* settings);
    ~ConsentController() override;

    /// Calls `answered` later, with what is remembered or what is chosen then. A question that is still open is
    /// cancelled.
    void ask(const ConsentQuestion& question, std::function<void(bool)> answered);
    /// Whoever asked is not answered any more.
    void cancel();
    /// The file is being read; not: the question is open.
    bool busy() const { return reading_.running(); }

Q_SIGNALS:
    /// The file cannot be read: nobody is asked.
    void failed(std::exception_ptr error);

private:
    void onHash(const ConsentQuestion& question, const QByteArray& hash, const std::function<void(bool)>& answered);
    void open(const ConsentQuestion& question, const std::function<void(bool)>& answered);

    QWidget* window_;
    Settings* settings_;
    QSet<QByteArray> refused_;  ///< what and of which content
    QPointer<QMessageBox> box_;
    BackgroundJob reading_;
};

/// `text` of a file as it may stand in a question: on one line, in the usual direction, and not too long.
QString shownText(const QString& text);

}  // namespace aotscope
