#pragma once

#include "controllers/sessions/consent_controller.h"
#include "session/engine.h"

#include <deque>

namespace aotscope {

/// The native code named by opened sessions: asks for consent, one file at a time, and reports missing files.
class SessionCode : public QObject {
    Q_OBJECT

public:
    SessionCode(std::shared_ptr<const Engine> engine, ConsentController* consent, QObject* parent);

    /// Asks for what `session` names beyond its options. A session that differs from its file was asked about before.
    void offer(const Session& session);

Q_SIGNALS:
    /// The user allows loading this for the session: one file, or settings.
    void allowed(const RequestedCode& code);
    /// A sentence about a missing file.
    void said(const QString& sentence);

private:
    /// One thing to allow.
    struct Request {
        RequestedCode code;
        QString file;
        ConsentQuestion question;
    };
    void next();
    Request requestFor(const QString& kind, const std::filesystem::path& file, RequestedCode code) const;
    Request requestForSettings(const std::map<std::string, std::string>& settings) const;

    std::shared_ptr<const Engine> engine_;
    ConsentController* consent_;
    QString session_;  ///< its file
    std::deque<Request> requests_;
    QSet<QString> saidMissing_;
};

}  // namespace aotscope
