#include "cli/window/window_command.h"

#include "cli/exit_code.h"
#include "cli/report_errors.h"
#include "controllers/settings.h"
#include "export/packaged_qt.h"
#include "export/picture_export.h"
#include "io/text_report.h"
#include "record/options/option_use.h"
#include "remote/engine_program.h"
#include "session/remote/pipe_engine.h"
#include "support/error.h"
#include "window/life/quit_signals.h"
#include "window/main_window.h"
#include "window/run_window.h"

#include <QApplication>
#include <QDir>
#include <QIcon>
#include <QProcess>
#include <QScreen>
#include <QTemporaryDir>

#include <csignal>
#include <cstdlib>
#include <iostream>

namespace aotscope {

namespace {

bool haveDisplay() {
    return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || !qEnvironmentVariable("DISPLAY").isEmpty() ||
           !qEnvironmentVariable("WAYLAND_DISPLAY").isEmpty();
}

/// The content of the window as text and pictures.
int printInstead(Options options) {
    constexpr std::size_t largestSaved = 12;
    if (options.model.empty()) options.model = "sample:resnet18";
    const auto session = makeEngine()->open(options, {});
    const auto record = session->record();
    if (const auto unused = unusedOptions(options); record->error.empty() && !unused.empty())
        throw UsageError(unused.front());
    std::cout << summaryText(*record) << "\n" << passesText(*record) << "\n";
    if (record->partition) std::cout << partitionText(*record->partition, largestSaved) << "\n";
    QTemporaryDir folder(QDir::tempPath() + QStringLiteral("/aotscope-XXXXXX"));
    folder.setAutoRemove(false);
    for (const auto& [kind, graph] : record->graphs) {
        const auto file = std::filesystem::path(folder.path().toStdString()) / (std::string(name(kind)) + ".svg");
        exportPicture({*graph, kind, *record}, "svg", file);
    }
    std::cout << "No window: neither DISPLAY nor WAYLAND_DISPLAY is set. The graphs are in "
              << folder.path().toStdString() << "\n";
    if (!record->error.empty()) throw Error(record->error);
    return kFine;
}

/// Checked before the application starts: Qt ends the program if no display answers.
void failWithoutDisplay(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type != QtFatalMsg) return;
    const QString display = qEnvironmentVariable("DISPLAY"), why = message.section(QLatin1Char('.'), 0, 0);
    sayError("cannot open a window on display '" + display.toStdString() + "': " + why.toStdString() +
             "; check DISPLAY, or unset it to get the tables and pictures without a window");
    std::_Exit(kFailed);
}

/// Unsaved content survives an end of the program that the user did not ask for.
void keepWhatIsOpen(MainWindow& window) {
    window.sessionFile()->startAutosave();
    QObject::connect(new QuitSignals(&window), &QuitSignals::asked, &window, [&window](int signal) {
        SessionController* file = window.sessionFile();
        const bool unsaved = file->isModified() || !file->otherModified().isEmpty();
        unsaved ? file->keepForRecovery() : file->end();  // which also removes the lock of the copy
        QuitSignals::endBy(signal);
    });
    QObject::connect(qApp, &QGuiApplication::commitDataRequest, &window,
                     [&window] { window.sessionFile()->keepForRecovery(); });
    QObject::connect(window.recovery(), &RecoveryController::openElsewhereRequested, &window, [](const QString& file) {
        QProcess::startDetached(QCoreApplication::applicationFilePath(), {file});
    });
}

}  // namespace

std::shared_ptr<const Engine> makeEngine() {
    const auto self = std::filesystem::read_symlink("/proc/self/exe");
    try {
        return engineIn(engineProgram().program, self);
    } catch (const Error&) {
        return engineIn(self);  // which says why
    }
}

int showWindow(Options options, bool choosesCompiler, int argc, char** argv) {
    if (!haveDisplay()) return printInstead(options);
    std::signal(SIGPIPE, SIG_IGN);  // a reader of the output may leave; the window stays
    qInstallMessageHandler(failWithoutDisplay);
    usePackagedQt();
    QApplication application(argc, argv);
    qInstallMessageHandler(nullptr);
    QApplication::setApplicationName(QStringLiteral("aotscope"));
    QApplication::setOrganizationName(QStringLiteral("aotscope"));
    QApplication::setApplicationVersion(QStringLiteral(AOTSCOPE_VERSION));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/aotscope.png")));
    MainWindow window(makeEngine());
    if (!choosesCompiler) {
        const CompilerChoice remembered = Settings().compilers();
        options.compilers.forward = remembered.forward;
        if (options.compilers.backward.empty()) options.compilers.backward = remembered.backward;
        if (options.compilers.inference.empty()) options.compilers.inference = remembered.inference;
        options.compilers.plugins.insert(options.compilers.plugins.begin(), remembered.plugins.begin(),
                                         remembered.plugins.end());
    }
    window.setOptions(options);
    fitToScreen(window, window.screen()->availableSize());
    window.show();
    keepWhatIsOpen(window);
    window.offerWindows([] { QProcess::startDetached(QCoreApplication::applicationFilePath(), {}); });
    window.guide()->offer();
    const QString model = toQString(options.model);
    if (!model.isEmpty()) window.openModel(model, options.inputs, options.inputFolder);
    // A window for one of several lost sessions was already answered.
    if (!RecoveryFile::contains(model)) window.recovery()->offer();
    return runUntilClosed(window);
}

}  // namespace aotscope
