#include "controllers/log_controller.h"

#include "support/file.h"

namespace aotscope {

LogController::LogController(const Surroundings& around) : Controller(around), panel_(new LogPanel(window_)) {
    connect(panel_, &LogPanel::saveRequested, this, &LogController::askForFile);
}

void LogController::addCompilation(const CompileRecord& record) {
    std::vector<LogEntry> entries = compileLog(record);
    std::erase_if(entries, [](const LogEntry& entry) { return entry.level <= LogLevel::warning; });
    panel_->add(entries);
}

void LogController::add(LogLevel level, const char* part, const QString& text) {
    std::vector<LogEntry> entries;
    for (const QString& line : text.split(u'\n', Qt::SkipEmptyParts))
        entries.push_back({level, part, line.trimmed().toStdString()});
    panel_->add(entries);
}

void LogController::askForFile() {
    const QString file =
        askToSave(window_, *settings_, tr("Save Log"), QStringLiteral("aotscope.log"), tr("Text (*.log *.txt)"));
    if (!file.isEmpty()) saveTo(file);
}

void LogController::saveTo(const QString& file) {
    guarded([&] {
        writeFileAtomically(file.toStdString(), panel_->text().toStdString());
        Q_EMIT saved(file);
    });
}

}  // namespace aotscope
