#include "controllers/what_if/fit_controller.h"

#include "models/words/to_qstring.h"

#include <QEvent>

#include <algorithm>

namespace aotscope {

namespace {

/// The symbols beside the batch.
std::vector<Symbol> othersOf(const VaryingBatch& batch) {
    std::vector<Symbol> others;
    for (const Symbol& symbol : batch.session->record()->symbols)
        if (std::ranges::count(batch.sizes, symbol.name, &Symbol::name) == 0) others.push_back(symbol);
    return others;
}

/// Why no training step can be looked at; empty if one can.
QString whyNot(const Session& session) {
    const CompileRecord& record = *session.record();
    if (!record.error.empty()) return toQString(record.error);
    if (!record.partition || !record.partition->backward)
        return QObject::tr("A training step needs a backward: no input of this run requires a gradient");
    return {};
}

}  // namespace

FitController::FitController(const Surroundings& around) : Controller(around), panel_(new FitPanel(window_)) {
    forward(&job_);
    connect(panel_, &FitPanel::asked, this, &FitController::ask);
    connect(panel_, &FitPanel::deviceChosen, this, &FitController::onDevice);
    connect(&job_, &BackgroundJob::failed, this,
            [this](const std::exception_ptr& error) { panel_->showProblem(whyFailed(error)); });
    panel_->installEventFilter(this);
}

void FitController::setSession(const std::shared_ptr<const Session>& session) {
    job_.cancel();
    session_ = session;
    compiled_.clear();
    asked_ = false;
    panel_->reset(whyNot(*session_), toQString(session_->options().device));
    onDevice();
}

/// The page was opened.
bool FitController::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::Show && !asked_) ask();
    return Controller::eventFilter(object, event);
}

void FitController::onDevice() {
    if (!session_) return;
    const FitQuestion question{.sheet = panel_->sheet()};
    if (const std::int64_t memory = memoryFor(question, session_->options().device); memory > 0)
        panel_->setLimit(memory);
    ask();
}

void FitController::ask() {
    if (!session_ || !panel_->isVisible() || !whyNot(*session_).isEmpty()) return;
    asked_ = true;
    const FitQuestion question{.sheet = panel_->sheet(),
                               .optimizer = &panel_->optimizer(),
                               .loss = panel_->loss(),
                               .limit = panel_->limit(),
                               .sizes = panel_->sizes(),
                               .shown = panel_->batch()};
    const Options options = optionsFor(question, session_->options());
    const auto known = compiled_.find(options.device);
    const bool isNew = known == compiled_.end();
    const VaryingBatch before = isNew ? VaryingBatch() : known->second;
    const std::int64_t shown = isNew ? 0 : question.shown;
    job_.start<Answer>(
        isNew ? tr("Compiling with a dynamic batch") : tr("Looking at training steps"),
        [engine = engine_, session = session_, question, options, before, isNew, shown](const Progress& progress) {
            Answer answer{before, {}};
            if (isNew) {
                const bool other = options.device != session->options().device;
                answer.batch =
                    varyBatch(*engine, other ? engine->open(options, progress, session) : session, {}, progress);
            }
            FitQuestion asked = question;
            asked.shown = shown;
            if (isNew) asked.sizes.clear();
            answer.found = answerFit(*engine, answer.batch, {}, asked, progress);
            return answer;
        },
        [this, device = options.device, shown](Answer answer) { take(device, shown, std::move(answer)); });
}

void FitController::take(const std::string& device, std::int64_t shown, Answer answer) {
    const std::vector<Symbol>& sizes = answer.batch.sizes;
    if (shown == 0 && !sizes.empty()) shown = sizes.front().hint;
    if (!compiled_.contains(device)) {
        panel_->setSizes(othersOf(answer.batch));
        compiled_[device] = std::move(answer.batch);
    }
    panel_->show(answer.found, shown);
}

}  // namespace aotscope
