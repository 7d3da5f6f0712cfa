#include "trace/views/view_history.h"

#include "support/error.h"

#include <torch/csrc/autograd/variable.h>

namespace aotscope {

namespace {

using torch::autograd::DifferentiableViewMeta;
using torch::autograd::ViewInfo;

class Replay final : public torch::autograd::ViewFunc {
public:
    explicit Replay(ViewOperation operation) : operation_(std::move(operation)) {}
    at::Tensor operator()(const at::Tensor& base) const override { return operation_(base); }
    std::unique_ptr<ViewFunc> clone_and_set(std::optional<std::vector<c10::SymInt>>,
                                            std::optional<std::vector<at::Tensor>>) const override {
        return std::make_unique<Replay>(operation_);
    }

private:
    ViewOperation operation_;
};

at::Tensor noWayBack(const at::Tensor&) { throw Error("internal error: a base is asked of its view"); }

/// `view` with another derivation from its base; its history is kept.
void replaceInfo(const at::Tensor& view, ViewInfo info) {
    const auto* old = torch::autograd::impl::get_view_autograd_meta(view);
    auto meta = std::make_unique<DifferentiableViewMeta>(view.unsafeGetTensorImpl(), std::move(info), std::nullopt,
                                                         /*shared_view_info=*/true, old->get_creation_meta());
    meta->set_attr_version(old->get_attr_version());
    meta->grad_fn_ = old->grad_fn_;
    meta->output_nr_ = old->output_nr_;
    meta->requires_grad_ = old->requires_grad_;
    meta->retains_grad_ = old->retains_grad_;
    meta->name_ = old->name_;
    view.unsafeGetTensorImpl()->set_autograd_meta(std::move(meta));
}

}  // namespace

bool isReplayedView(const at::Tensor& tensor) {
    const auto* meta = torch::autograd::impl::get_view_autograd_meta(tensor);
    return meta && meta->has_bw_view() && meta->get_backward_view().has_view_fn();
}

bool isCutFromBase(const at::Tensor& view) {
    const auto* meta = torch::autograd::impl::get_view_autograd_meta(view);
    return meta && meta->has_bw_view() && meta->grad_fn_ && !meta->get_backward_view().base_.requires_grad();
}

bool isWrittenSince(const at::Tensor& view) {
    const auto* meta = torch::autograd::impl::get_view_autograd_meta(view);
    return meta && meta->has_bw_view() && meta->get_attr_version() != view._version();
}

void noteMadeFromBase(const at::Tensor& view, ViewOperation operation) {
    const ViewInfo& old = torch::autograd::impl::get_view_autograd_meta(view)->get_backward_view();
    replaceInfo(view, {old.base_, std::make_unique<Replay>(std::move(operation)), noWayBack});
}

void noteChangeInPlace(const at::Tensor& view, ViewOperation change) {
    const ViewInfo& old = torch::autograd::impl::get_view_autograd_meta(view)->get_backward_view();
    const std::shared_ptr<const torch::autograd::ViewFunc> before = old.view_fn().clone_and_set();
    noteMadeFromBase(view,
                     [before, change = std::move(change)](const at::Tensor& base) { return change((*before)(base)); });
}

}  // namespace aotscope
