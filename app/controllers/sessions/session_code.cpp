#include "controllers/sessions/session_code.h"

#include "canvas/drawn_graph.h"
#include "io/session/requested_code.h"
#include "support/error.h"

#include <QFileInfo>

namespace aotscope {

namespace {

QString linesOf(const std::map<std::string, std::string>& settings) {
    QStringList lines;
    for (const auto& [key, value] : settings) lines << shownText(toQString(key + "=" + value));
    return lines.join(u'\n');
}

}  // namespace

SessionCode::SessionCode(std::shared_ptr<const Engine> engine, ConsentController* consent, QObject* parent)
    : QObject(parent), engine_(std::move(engine)), consent_(consent) {}

void SessionCode::offer(const Session& session) {
    const SessionContent* saved = session.saved();
    if (!saved) return;
    session_ = toQString(session.options().model);
    requests_.clear();
    RequestedCode missing;
    try {
        missing = missingCode(session.options(), saved->code, compilersOf(engine_));
    } catch (const UsageError& e) {  // a plug-in of the user's own
        return Q_EMIT said(toQString(e.what()));
    }
    for (const auto& file : missing.libraries) requests_.push_back(requestFor(tr("library"), file, {{file}, {}, {}}));
    for (const auto& file : missing.plugins)
        requests_.push_back(requestFor(tr("plug-in"), file, {{}, {file}, missing.settings}));
    if (missing.plugins.empty() && !missing.settings.empty()) requests_.push_back(requestForSettings(missing.settings));
    next();
}

SessionCode::Request SessionCode::requestFor(const QString& kind, const std::filesystem::path& file,
                                             RequestedCode code) const {
    const QString path = toQString(file.string());
    ConsentQuestion question;
    question.what = QStringLiteral("load");
    question.file = path;
    question.title = tr("Load Code");
    question.text =
        tr("The session '%1' was made with the %2 '%3'. Loading it runs its code with all your permissions.")
            .arg(shownText(QFileInfo(session_).fileName()), kind, shownText(path));
    question.details = tr("Load it only if you trust its author. Without it, you can still view the graphs.");
    if (!code.settings.empty()) {
        question.what += u'\n' + linesOf(code.settings);
        question.details += u'\n' + tr("The session passes these settings to it:") + u'\n' + linesOf(code.settings);
    }
    question.yes = tr("Load");
    question.no = tr("Do Not Load");
    return {std::move(code), path, std::move(question)};
}

SessionCode::Request SessionCode::requestForSettings(const std::map<std::string, std::string>& settings) const {
    ConsentQuestion question;
    question.what = QStringLiteral("settings");
    question.file = session_;
    question.title = tr("Use Settings");
    question.text = tr("The session '%1' has settings for a compiler of one of your plug-ins.")
                        .arg(shownText(QFileInfo(session_).fileName()));
    question.details = linesOf(settings);
    question.yes = tr("Use");
    question.no = tr("Do Not Use");
    return {{{}, {}, settings}, session_, std::move(question)};
}

void SessionCode::next() {
    while (!requests_.empty()) {
        const Request request = std::move(requests_.front());
        requests_.pop_front();
        if (!QFileInfo(request.file).isFile()) {
            if (!saidMissing_.contains(session_ + u'\n' + request.file))
                Q_EMIT said(tr("The session '%1' was made with '%2', which is not on this machine.")
                                .arg(shownText(QFileInfo(session_).fileName()), shownText(request.file)));
            saidMissing_.insert(session_ + u'\n' + request.file);
            continue;
        }
        return consent_->ask(request.question, [this, code = request.code](bool yes) {
            if (yes) Q_EMIT allowed(code);
            else next();
        });
    }
}

}  // namespace aotscope
