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
      panel_(new QSplitter(Qt::Vertical, window_)),
      joined_(new TablePanel(panel_)),
      others_(new TablePanel(panel_)),
      action_(makeAction(this, QStringLiteral("actionProfile"), tr("Add P&rofile…"), {tr("Ctrl+Alt+P")},
                         tr("Lays a file of torch.profiler on the graphs: the time of every node as it ran"),
                         [this] { ask(); })) {
    panel_->setObjectName(QStringLiteral("profilePanel"));
    panel_->setStretchFactor(0, 2);
    panel_->setStretchFactor(1, 1);
    joined_->setObjectName(QStringLiteral("profileRows"));
    joined_->view()->setAccessibleName(tr("Kernels and their nodes"));
    others_->setObjectName(QStringLiteral("profileUnjoined"));
    others_->view()->setAccessibleName(tr("Kernels that were not joined"));
    action_->setEnabled(false);
    forward(&job_);
}

void ProfileController::setSession(const std::shared_ptr<const Session>& session) {
    job_.cancel();
    session_ = session;
    action_->setEnabled(true);
    for (TablePanel* table : {joined_, others_}) table->setContent({});
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
    TableContent joined = contentOf(profileTable(profile, record),
                                    {"name", "ms", "node", "module", "median_ms", "calls", "share", "source"}),
                 others = contentOf(unjoinedTable(profile), {"name", "ms", "reason", "calls", "share"});
    joined.summary = capitalized(toQString(profileSummary(profile)));
    joined.whenEmpty = tr("Nothing was joined");
    for (const std::string& note : profile.notes) joined.summary += u'\n' + capitalized(toQString(note));
    others.summary = tr("Not joined");
    others.whenEmpty = tr("Everything was joined");
    joined_->setContent(std::move(joined));
    others_->setContent(std::move(others));
    Q_EMIT shown();
    if (!profile.rows.empty()) Q_EMIT overlayMade(std::make_shared<const Overlay>(overlayOf(profile, record)));
    Q_EMIT said(toQString(profileSummary(profile)));
}

}  // namespace aotscope
