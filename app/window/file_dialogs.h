#pragma once

#include "window/controllers.h"
#include "window/session_handover.h"

namespace aotscope {

class DecompositionDialog;

/// Asks for the files that are opened and written, and writes what is shown into them. An error is reported as a
/// problem.
class FileDialogs : public QObject {
    Q_OBJECT

public:
    FileDialogs(Workbench& bench, const Controllers& controllers, SessionHandover* handover);

    /// Writes the shown graph; the format follows the file's ending.
    void exportTo(const QString& file);

public Q_SLOTS:
    void openModel();
    void openFolder();
    /// Opens `model` once it is clear what becomes of unsaved changes.
    void openInstead(const QString& model);
    void exportGraph();
    void saveReport();

private:
    /// What was typed takes the place of another model once it is clear what becomes of unsaved changes.
    void showScratch(const std::shared_ptr<const Session>& session);
    void openForOption(const OptionEntry& entry);
    void editDecompositions();
    void saveDecompositions(DecompositionDialog& dialog, const QString& file);
    void openBatches();
    void exportChart(const QString& chart, const std::function<void(const QString& file)>& write);
    void exportTraining();
    void exportWithSession(const QString& file, const std::string& format);
    QByteArray picture(const QString& format, const QString& title) const;

    /// Empty: nobody chose a file. The folder is remembered.
    QString askToOpen(const QString& title, const QString& filter);
    QString askToSave(const QString& title, const QString& suggestion, const QString& filter);

    Workbench& bench_;
    const Controllers& all_;
    SessionHandover* handover_;
};

}  // namespace aotscope
