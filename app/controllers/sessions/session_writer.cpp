#include "controllers/sessions/session_writer.h"

#include "io/session/model_reference.h"
#include "io/session/session_file.h"
#include "session/remote/remote_files.h"

#include <QFileInfo>

namespace aotscope {

FileState stateOf(const QString& file) {
    const QFileInfo info(file);
    return info.exists() ? FileState{info.lastModified(), info.size()} : FileState();
}

ChangedOnDisk::ChangedOnDisk(const QString& file)
    : Error("'" + file.toStdString() +
            "' has changed since it was opened here, as when another window saves it; save under another name, or "
            "replace it") {}

FileState save(const SaveRequest& request, const Progress& progress) {
    if (!request.session) throw Error("there is no session to save; open a model first");
    progress.throwIfCancelled();
    SessionContent content = request.session->content();
    request.addResults(content);
    progress.throwIfCancelled();
    const auto models = filesOf(request.session->host());
    if (request.embedModel) embedModel(content, *models, progress);
    // As late as possible, because others may write the file meanwhile.
    if (request.expected && stateOf(request.file) != *request.expected) throw ChangedOnDisk(request.file);
    writeSessionFile(request.file.toStdString(), content, progress, *models);
    return stateOf(request.file);
}

}  // namespace aotscope
