#include "controllers/scratch_controller.h"

#include "controllers/make_action.h"
#include "models/words/to_qstring.h"
#include "program/inputs/short_inputs.h"
#include "record/model_kind.h"
#include "support/file.h"
#include "support/formatted.h"
#include "support/names.h"

#include <QFileInfo>
#include <QRegularExpression>

namespace aotscope {

namespace {

/// The line at the end of a message, as in "(line 3)"; 0: none.
int lineIn(const QString& message) {
    static const QRegularExpression line(QStringLiteral("\\(line (\\d+)\\)"));
    return line.match(message).captured(1).toInt();
}

}  // namespace

ScratchController::ScratchController(const Surroundings& around, std::function<Options()> options)
    : Controller(around), options_(std::move(options)), panel_(new ScratchPanel(window_)) {
    action_ = makeAction(this, QStringLiteral("actionScratch"), tr("&New Scratch Pad"), {QKeySequence::New},
                         tr("Compiles TorchScript functions while they are typed"), [this] { begin(); });
    connect(panel_, &ScratchPanel::edited, this, &ScratchController::compile);
    connect(panel_, &ScratchPanel::saveRequested, this, &ScratchController::askForFile);
    connect(&job_, &BackgroundJob::failed, this, &ScratchController::explain);
    connect(panel_, &ScratchPanel::lineEntered, this, &ScratchController::selectLine);
    connect(selection_, &Selection::changed, this, &ScratchController::lightLine);
}

void ScratchController::begin() {
    Q_EMIT asked();
    if (panel_->message().isEmpty()) compile();
    panel_->code()->setFocus(Qt::OtherFocusReason);
}

void ScratchController::open(const QString& code, const QString& inputs) {
    panel_->setProgram(code, inputs);
    Q_EMIT asked();
    compile();
}

std::string ScratchController::model() const {
    return std::string(kScriptPrefix) + panel_->code()->toPlainText().toStdString();
}

void ScratchController::compile() {
    lightLine();
    if (panel_->code()->toPlainText().trimmed().isEmpty())
        return panel_->setProblem(tr("Type a function: def f(x): return x.sin()"), 0);
    Options options = options_();
    options.model = model();
    options.inputs = {};
    options.inputFolder.clear();
    options.compileId.clear();
    options.repartition = false;
    job_.start<std::shared_ptr<const Session>>(
        tr("Compiling the scratch pad"),
        [engine = engine_, options, inputs = panel_->inputs()->text().toStdString()](const Progress& progress) {
            Options wanted = options;
            if (inputs.find_first_not_of(" \t") != std::string::npos)
                wanted.inputs = parseShortInputs(inputs, "inputs");
            auto session = engine->open(wanted, progress);
            if (!session->record()->error.empty()) throw Error(session->record()->error);
            return session;
        },
        [this](const std::shared_ptr<const Session>& session) { take(session); });
}

void ScratchController::take(const std::shared_ptr<const Session>& session) {
    const CompileRecord& record = *session->record();
    QStringList parts;
    for (const GraphKind kind : {GraphKind::joint, GraphKind::forward, GraphKind::backward, GraphKind::inference})
        if (const auto graph = record.graph(kind))
            parts << tr("%1 %2").arg(toQString(name(kind)), toQString(counted(graph->callCount(), "operation")));
    panel_->setResult(
        tr("Compiled in %1: %2").arg(toQString(formatDuration(record.times.total)), parts.join(QStringLiteral(", "))));
    Q_EMIT compiled(session);
}

void ScratchController::explain(const std::exception_ptr& error) {
    const std::string why = whyFailed(error).toStdString();
    if (why.empty()) return;
    const QString sentence = toQString(firstSentence(why));
    panel_->setProblem(sentence, lineIn(sentence));
}

void ScratchController::setSession(const std::shared_ptr<const Session>& session) {
    shown_ = session->options().model;
    lightLine();
}

/// All operations that stand in the line, and those of the backward that differentiate them.
void ScratchController::selectLine(int line) {
    if (shown_ != model() || !selection_->graph()) return;
    std::vector<NodeId> nodes;
    for (const auto& node : selection_->graph()->nodes())
        if (node->source && node->source->line == line) nodes.push_back(node->id());
    if (!nodes.empty()) selection_->selectAll(nodes);
}

void ScratchController::lightLine() {
    const Node* node = shown_ == model() ? selection_->object() : nullptr;
    panel_->setLitLine(node && node->source ? node->source->line : 0);
}

void ScratchController::askForFile() {
    const QString file = askToSave(window_, *settings_, tr("Save Scratch Pad"), QStringLiteral("scratch.pt"),
                                   tr("TorchScript (*.pt);;Text (*.py)"));
    if (!file.isEmpty()) saveTo(file);
}

void ScratchController::saveTo(const QString& file) {
    const bool text = QFileInfo(file).suffix() == QLatin1String("py");
    guarded([&] {
        if (text) writeFileAtomically(file.toStdString(), panel_->code()->toPlainText().toStdString() + "\n");
        else engine_->saveScript(model(), file.toStdString());
        Q_EMIT said(tr("%1 written").arg(file));
    });
}

}  // namespace aotscope
