#include "controllers/check_controller.h"

namespace aotscope {

CheckController::CheckController(QWidget* parent) : Controller(parent), panel_(new CheckPanel(parent)) {
    connect(panel_, &CheckPanel::placeAsked, this, &CheckController::placeAsked);
    show(nullptr, nullptr, nullptr);
}

void CheckController::show(const CompileRecord* record, const CheckResult* check, const BisectResult* bisection) {
    const std::string model = record ? record->model.path + record->model.name : std::string();
    const bool another = std::exchange(model_, model) != model;
    const CheckStory& shown = panel_->story();
    if (!another && !check && !bisection && shown.verdict != CheckStory::Verdict::none) {
        if (!shown.ofEarlierRun) panel_->setStory(ofEarlierRun(shown));
        return;
    }
    panel_->setStory(checkStory(record ? *record : CompileRecord(), check, bisection));
}

}  // namespace aotscope
