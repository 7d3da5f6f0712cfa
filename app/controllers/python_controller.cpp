#include "controllers/python_controller.h"

#include "controllers/make_action.h"
#include "io/python/text.h"
#include "support/names.h"

#include <QApplication>
#include <QClipboard>

#include <algorithm>

namespace aotscope {

PythonController::PythonController(const Surroundings& around)
    : Controller(around),
      copyInputs_(makeAction(
          this, QStringLiteral("actionCopyInputsPython"), tr("Copy &Inputs as Python"), {tr("Ctrl+Alt+I")},
          tr("Copies lines of Python that make the example inputs, with the same random numbers"),
          [this] { put(inputsAsPython(session_->inputSpec(), session_->inputNames(), session_->options())); })),
      copyDecompositions_(makeAction(
          this, QStringLiteral("actionCopyDecompositionsPython"), tr("Copy &Decompositions as Python"),
          {tr("Ctrl+Alt+D")}, tr("Copies lines of Python that make the same table of PyTorch's decompositions"),
          [this] {
              put(decompositionsAsPython(session_->options().decompositions.get(), engine_->decompositionRules()));
          })),
      copyCheck_(makeAction(
          this, QStringLiteral("actionCopyCheckPython"), tr("Copy Chec&k as Python"), {tr("Ctrl+Alt+K")},
          tr("Copies lines of Python that check the model again, with what was found"), [this] {
              put(checkAsPython(session_->options(), check_ ? &*check_ : nullptr, bisection_ ? &*bisection_ : nullptr));
          })) {
    enable();
}

void PythonController::setSession(const std::shared_ptr<const Session>& session) {
    session_ = session;
    enable();
}

void PythonController::setCheck(const CheckResult* check, const BisectResult* bisection) {
    check_ = check ? std::optional(*check) : std::nullopt;
    bisection_ = bisection ? std::optional(*bisection) : std::nullopt;
    enable();
}

void PythonController::addActionsTo(QMenu* menu) { menu->addActions({copyInputs_, copyDecompositions_, copyCheck_}); }

/// Disabled actions say why.
void PythonController::enable() {
    const QString none = session_ ? QString() : tr("No model is open");
    const QString graphs = session_ ? toQString(session_->whyNotCompiled()) : none;
    const QString unchecked = check_ || bisection_ ? none : tr("The model was not checked: press F6");
    for (const auto& [action, why] :
         {std::pair{copyInputs_, graphs}, std::pair{copyDecompositions_, none}, std::pair{copyCheck_, unchecked}}) {
        action->setEnabled(why.isEmpty());
        action->setToolTip(why.isEmpty() ? action->statusTip() : why);
    }
}

void PythonController::put(const std::string& lines) {
    QApplication::clipboard()->setText(toQString(lines));
    const auto count = static_cast<std::size_t>(std::ranges::count(lines, '\n'));
    Q_EMIT said(tr("%1 of Python copied").arg(toQString(counted(count, "line"))));
}

}  // namespace aotscope
