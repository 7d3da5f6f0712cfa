#include "controllers/profile_controller.h"

#include "controllers/make_action.h"
#include "io/profile_overlay.h"
#include "io/profile_text.h"
#include "io/tables/profile_table.h"
#include "models/tables/table_content.h"
#include "models/words/to_qstring.h"
#include "session/session_profile.h"

#include <QFileDialog>
#include <QFileInfo>

namespace aotscope {

ProfileController::ProfileController(const Surroundings& around)
    : Controller(around),
      panel_(new TablePair({QStringLiteral("profileRows"), tr("Kernels and their nodes")},
                           {QStringLiteral("profileUnjoined"), tr("Kernels that were not joined")}, 70, window_)),
      action_(makeAction(this, QStringLiteral("actionProfile"), tr("Add P&rofile…"), {tr("Ctrl+Alt+P")},
                         tr("Lays a file of torch.profiler on the graphs: the time of every node as it ran"),
                         [this] { ask(); })) {
    panel_->setObjectName(QStringLiteral("profilePanel"));
    action_->setEnabled(false);
    forward(&job_);
}

void ProfileController::setSession(const std::shared_ptr<const Session>& session) {
    job_.cancel();
    session_ = session;
    action_->setEnabled(true);
    for (TablePanel* table : {panel_->left(), panel_->right()}) table->setContent({});
}

void ProfileController::ask() {
    const QString file = QFileDialog::getOpenFileName(window_, tr("Add Profile"), settings_->lastFolder(),
                                                      tr("Profiles (*.json *.json.gz *.gz);;All files (*)"));
    if (!file.isEmpty()) open(file);
}

void ProfileController::open(const QString& file) {
    if (!session_) return;
    job_.start<JoinedProfile>(
        tr("Reading %1").arg(QFileInfo(file).fileName()),
        [session = session_, path = file.toStdString()](const Progress& progress) {
            return profileOn(*session, path, progress);
        },
        [this](const JoinedProfile& profile) { show(profile); });
}

void ProfileController::show(const JoinedProfile& profile) {
    const CompileRecord& record = *session_->record();
    TableContent joined = contentOf(profileTable(profile, record)), others = contentOf(unjoinedTable(profile));
    joined.summary = capitalized(toQString(profileSummary(profile)));
    joined.whenEmpty = tr("Nothing was joined");
    for (const std::string& note : profile.notes) joined.summary += u'\n' + capitalized(toQString(note));
    others.summary = tr("Not joined");
    others.whenEmpty = tr("Everything was joined");
    panel_->left()->setContent(std::move(joined));
    panel_->right()->setContent(std::move(others));
    Q_EMIT shown();
    if (!profile.rows.empty()) Q_EMIT overlayMade(std::make_shared<const Overlay>(overlayOf(profile, record)));
    Q_EMIT said(toQString(profileSummary(profile)));
}

}  // namespace aotscope
