#pragma once

#include "controllers/sessions/consent_controller.h"
#include "session/session.h"

#include <deque>

namespace aotscope {

/// The native code that opened sessions name: asks for consent, one file after the other, and says which are missing.
class SessionCode : public QObject {
    Q_OBJECT

public:
    SessionCode(ConsentController* consent, QObject* parent);

    /// Asks for what `session` names beyond what its options have. A session that is not as saved was asked for before.
    void offer(const Session& session);

Q_SIGNALS:
    /// The user wants this to be loaded and used for the session: one file, or settings.
    void allowed(const RequestedCode& code);
    /// A sentence about a file that is not there.
    void said(const QString& sentence);

private:
    /// One thing to be allowed.
    struct Request {
        RequestedCode code;
        QString file;
        ConsentQuestion question;
    };
    void next();
    Request requestFor(const QString& kind, const std::filesystem::path& file, RequestedCode code) const;
    Request requestForSettings(const std::map<std::string, std::string>& settings) const;

    ConsentController* consent_;
    QString session_;  ///< its file
    std::deque<Request> requests_;
    QSet<QString> saidMissing_;
};

}  // namespace aotscope
