#include "controllers/controller.h"

#include <QDir>
#include <QFileDialog>

namespace aotscope {

QString askToSave(QWidget* window, Settings& settings, const QString& title, const QString& name,
                  const QString& filter) {
    QString file = QFileDialog::getSaveFileName(window, title, QDir(settings.saveFolder()).filePath(name), filter);
    if (!file.isEmpty()) settings.setSaveFolder(QFileInfo(file).path());
    return file;
}

bool Controller::busy() const { return false; }
void Controller::setSession(const std::shared_ptr<const Session>& /*session*/) {}

}  // namespace aotscope
