#pragma once

#include "window/controllers.h"
#include "window/session_handover.h"

namespace aotscope {

class DecompositionDialog;

/// Asks for files to open and write, and writes what is shown to them. Errors are reported as problems.
class FileDialogs : public QObject {
    Q_OBJECT

public:
    FileDialogs(Workbench& bench, const Controllers& controllers, SessionHandover* handover);

    /// Writes the shown graph; the format follows the file's extension.
    void exportTo(const QString& file);

public Q_SLOTS:
    void openModel();
    void openFolder();
    /// Opens `model` after the user has decided about unsaved changes.
    void openInstead(const QString& model);
    void exportGraph();
    void saveReport();

private:
    /// Typed code replaces another model after the user has decided about unsaved changes.
    void showScratch(const std::shared_ptr<const Session>& session);
    void openForOption(const OptionEntry& entry);
    void editDecompositions();
    void saveDecompositions(DecompositionDialog& dialog, const QString& file);
    void openBatches();
    void exportChart(const QString& chart, const std::function<void(const QString& file)>& write);
    void exportTraining();
    void exportWithSession(const QString& file, const std::string& format);
    QByteArray picture(const QString& format, const QString& title) const;

    /// Empty: no file was chosen. The folder is remembered.
    QString askToOpen(const QString& title, const QString& filter);
    QString askToSave(const QString& title, const QString& suggestion, const QString& filter);

    Workbench& bench_;
    const Controllers& all_;
    SessionHandover* handover_;
};

}  // namespace aotscope
