#include "window/file_dialogs.h"

#include "canvas/html_page.h"
#include "canvas/picture.h"
#include "export/export_graph.h"
#include "io/report.h"
#include "panels/dialogs/decomposition_dialog.h"
#include "record/model_kind.h"
#include "support/file.h"
#include "support/json/json_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <nlohmann/json.hpp>

namespace aotscope {

FileDialogs::FileDialogs(Workbench& bench, const Controllers& controllers, SessionHandover* handover)
    : QObject(bench.window), bench_(bench), all_(controllers), handover_(handover) {
    connect(all_.runs, &RunController::modelWanted, this, &FileDialogs::openModel);
    connect(bench_.centre->start(), &StartPage::openRequested, this, &FileDialogs::openModel);
    connect(bench_.centre->start(), &StartPage::scratchRequested, all_.scratch->action(), &QAction::trigger);
    connect(bench_.centre->start(), &StartPage::modelChosen, this, &FileDialogs::openInstead);
    connect(all_.remote, &RemoteController::chosen, this, &FileDialogs::openInstead);
    connect(all_.scratch, &ScratchController::compiled, this, &FileDialogs::showScratch);
    connect(all_.scratch, &ScratchController::asked, this, [this] { bench_.pages->show(all_.scratch->panel()); });
    connect(bench_.options, &OptionsPopover::fileWanted, this, &FileDialogs::openForOption);
    connect(bench_.options, &OptionsPopover::decompositionEditorWanted, this, &FileDialogs::editDecompositions);
    connect(all_.training->panel(), &TrainPanel::exportRequested, this, &FileDialogs::exportTraining);
    connect(all_.training->panel(), &TrainPanel::dataRequested, this, &FileDialogs::openBatches);
    connect(all_.whatIf->variants()->pareto(), &ParetoPanel::exportRequested, this, [this] {
        exportChart(QStringLiteral("pareto"),
                    [this](const QString& file) { all_.whatIf->variants()->exportChart(file); });
    });
    connect(all_.whatIf->memory(), &MemoryPanel::exportRequested, this, [this] {
        exportChart(QStringLiteral("memory"), [this](const QString& file) { all_.whatIf->exportMemory(file); });
    });
    connect(all_.times, &TimingController::exported, bench_.status, &StatusLine::sayWritten);
}

QString FileDialogs::askToOpen(const QString& title, const QString& filter) {
    QString file = QFileDialog::getOpenFileName(bench_.window, title, bench_.settings.lastFolder(), filter);
    if (!file.isEmpty()) bench_.settings.setLastFolder(QFileInfo(file).path());
    return file;
}

/// `suggestion`: end of the file name, after the name of the model.
QString FileDialogs::askToSave(const QString& title, const QString& suggestion, const QString& filter) {
    const QString name = QString::fromStdString(bench_.run.session()->record()->model.name);
    return aotscope::askToSave(bench_.window, bench_.settings, title, name + suggestion, filter);
}

// --- what is opened ---

void FileDialogs::openModel() {
    const QString file =
        askToOpen(tr("Open Model or Session"),
                  tr("Models, sessions and graphs (*.pt2 *.pt *.pth *.aotscope *.log *.txt *.json *.py);;All "
                     "files (*)"));
    if (!file.isEmpty()) openInstead(file);
}

void FileDialogs::openFolder() {
    const QString folder = QFileDialog::getExistingDirectory(bench_.window, tr("Open Folder of Printed Graphs"),
                                                             bench_.settings.lastFolder());
    if (folder.isEmpty()) return;
    bench_.settings.setLastFolder(folder);
    openInstead(folder);
}

void FileDialogs::openInstead(const QString& model) {
    Options wanted;
    wanted.model = model.toStdString();
    const auto open = isScript(wanted.model) ? nullptr : bench_.run.runs.ofModel(wanted);
    if (open && open.get() == bench_.run.runs.shown())
        return handover_->guard()->ask(tr("before opening it again"), [this, model] { all_.runs->openModel(model); });
    const SessionController* files = handover_->file();
    if (open && (files->isModified(model) || !files->hasChanged(model))) all_.runs->showRun(open);
    else all_.runs->openModel(model);
}

void FileDialogs::showScratch(const std::shared_ptr<const Session>& session) {
    const auto& shown = bench_.run.session();
    if (shown && isScript(shown->options().model)) return all_.runs->show(session);
    all_.runs->show(session);
    bench_.pages->show(all_.scratch->panel());  // the start page was in front of it
    // Code needs a large dialog, unlike the list of passes.
    QDockWidget* pad = bench_.pages->dock(all_.scratch->panel());
    bench_.window->resizeDocks({bench_.pages->dock(bench_.passes), pad}, {150, 450}, Qt::Vertical);
    bench_.window->resizeDocks({pad}, {360}, Qt::Horizontal);
    all_.scratch->panel()->code()->setFocus(Qt::OtherFocusReason);
}

void FileDialogs::openForOption(const OptionEntry& entry) {
    const auto [title, filter] =
        entry.name() == "--weights"     ? std::pair(tr("Open Weights"), tr("Tensors (*.safetensors *.pt *.pth)"))
        : entry.name() == "--define"    ? std::pair(tr("Open Definitions"), tr("TorchScript functions (*.py)"))
        : entry.name() == "--decompose" ? std::pair(tr("Open Decomposition Table"), tr("Table (*.json)"))
                                        : std::pair(tr("Open Compiler Plug-in"), tr("Shared libraries (*.so *.so.*)"));
    const QString file = askToOpen(title, filter + tr(";;All files (*)"));
    if (!file.isEmpty()) bench_.guarded([&] { bench_.options->takeFile(entry, file); });
}

/// The edited table is written to a file, which is then chosen.
void FileDialogs::editDecompositions() {
    const auto record = bench_.run.record();
    auto* dialog = new DecompositionDialog(all_.runs->options().decompositions.get(),
                                           bench_.engine->decompositionRules(), record.get(), bench_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &DecompositionDialog::saveRequested, this, [this, dialog] {
        const QString file = aotscope::askToSave(dialog, bench_.settings, tr("Save Decomposition Table"),
                                                 QStringLiteral("decompositions.json"), tr("Table (*.json)"));
        if (!file.isEmpty()) bench_.guarded([&] { saveDecompositions(*dialog, file); });
    });
    dialog->open();
}

void FileDialogs::saveDecompositions(DecompositionDialog& dialog, const QString& file) {
    const QByteArray table = dialog.json();
    writeFileAtomically(file.toStdString(), {table.constData(), static_cast<std::size_t>(table.size())});
    dialog.accept();
    bench_.options->takeFile(optionNamed("--decompose"), file);
}

void FileDialogs::openBatches() {
    const QString file = askToOpen(tr("Open Batches"), tr("Tensors (*.pt *.npy *.safetensors);;All files (*)"));
    if (!file.isEmpty()) all_.training->panel()->setData(file);
}

// --- what is written ---

void FileDialogs::exportGraph() {
    const QString kind = titleOf(bench_.pane()->kind()).toLower().replace(u' ', u'-');
    const QString file =
        askToSave(tr("Export Graph"), u'-' + kind + QStringLiteral(".svg"),
                  tr("SVG (*.svg);;Web page (*.html);;PNG (*.png);;PDF (*.pdf);;Graphviz (*.dot);;Text (*.txt);;JSON "
                     "(*.json);;Python (*.py);;TorchScript (*.pt);;TorchScript text (*.jit)"));
    if (!file.isEmpty()) exportTo(file);
}

void FileDialogs::saveReport() {
    const QString file = askToSave(tr("Save Report"), QStringLiteral(".json"), tr("Report (*.json)"));
    if (file.isEmpty()) return;
    const ShownRun& run = bench_.run;
    bench_.guarded([&] {
        const auto report = makeReport(run.session()->options(), *run.session()->record(),
                                       machineOf(bench_.engine, run.session()->options().device),
                                       {run.results().checked ? &*run.results().checked : nullptr,
                                        run.results().timed ? &*run.results().timed : nullptr,
                                        run.results().bisected ? &*run.results().bisected : nullptr});
        writeFileAtomically(file.toStdString(), jsonText(report));
        bench_.status->sayWritten(file);
    });
}

void FileDialogs::exportChart(const QString& chart, const std::function<void(const QString&)>& write) {
    QString file = askToSave(tr("Export Chart"), u'-' + chart + QStringLiteral(".svg"), tr("SVG (*.svg);;PNG (*.png)"));
    if (file.isEmpty()) return;
    if (QFileInfo(file).suffix().isEmpty()) file += QStringLiteral(".svg");
    write(file);
}

void FileDialogs::exportTraining() {
    const QString file = askToSave(tr("Export Training"), QStringLiteral("-training.svg"),
                                   tr("SVG (*.svg);;PNG (*.png);;Table (*.csv);;JSON (*.json)"));
    if (!file.isEmpty()) all_.training->exportTo(file);
}

void FileDialogs::exportTo(const QString& file) {
    const QString format = QFileInfo(file).suffix().toLower();
    const ShownRun& run = bench_.run;
    static const QStringList running{QStringLiteral("pt"), QStringLiteral("jit"), QStringLiteral("py")};
    if (run.session() && !run.partial && running.contains(format)) return exportWithSession(file, format.toStdString());
    bench_.guarded([&] {
        const auto record = run.record();
        if (!record) throw Error("there is no graph to export; open a model first");
        const GraphPane& pane = *bench_.pane();
        static const QStringList pictures{QStringLiteral("html"), QStringLiteral("svg"), QStringLiteral("png"),
                                          QStringLiteral("pdf")};
        if (pictures.contains(format)) {
            const QString title = toQString(record->model.name) + QStringLiteral(": ") + toQString(name(pane.kind())) +
                                  QStringLiteral(" graph");
            const QByteArray bytes = picture(format, title);
            writeFileAtomically(file.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
        } else {
            aotscope::exportGraph({*pane.graph(), pane.kind(), *record}, format.toStdString(), file.toStdString());
        }
        bench_.status->sayWritten(file);
    });
}

/// Writes the visible part of the graph or the difference, as a picture or a page.
QByteArray FileDialogs::picture(const QString& format, const QString& title) const {
    const GraphView& view = *all_.navigation->shownView();
    const DifferenceController& differences = *all_.navigation->difference();
    if (bench_.pane()->layoutRunning() || differences.busy() || !view.graph())
        throw Error("the layout is not finished yet; wait and export again");
    if (format != QLatin1String("html"))
        return renderPicture(*view.graph(), *view.layout(), format, view.paintOptions(), title);
    const auto pageOf = [&](const auto& facts) {
        return writeHtmlPage(*view.graph(), *view.layout(), facts, view.paintOptions(), title);
    };
    const auto difference = differences.shown() ? differences.difference() : nullptr;
    return difference ? pageOf(*difference) : pageOf(*bench_.pane()->graph());
}

/// A session from a file compiles its model first, and Python's inputs are like those of a run. For a difference,
/// Python calls both sides.
void FileDialogs::exportWithSession(const QString& file, const std::string& format) {
    const DifferenceController& differences = *all_.navigation->difference();
    const bool both = format == "py" && differences.shown() && differences.difference();
    all_.runs->job()->start<std::string>(
        tr("Exporting"),
        [session = bench_.run.session(), graph = bench_.pane()->graph(), kind = bench_.pane()->kind(), format,
         difference = both ? differences.difference() : nullptr, path = file.toStdString()](const Progress& progress) {
            const CompileRecord& record = *session->record();
            if (difference)
                return exportDifference({*difference, record, record, session.get(), session.get()}, {}, path, {},
                                        progress);
            return aotscope::exportGraph({*graph, kind, record, session.get()}, format, path, {}, {}, progress);
        },
        [this, file](const std::string&) { bench_.status->sayWritten(file); });
}

}  // namespace aotscope
