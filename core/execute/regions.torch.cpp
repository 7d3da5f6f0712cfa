#include "execute/regions.h"

#include "aten/autocast.h"
#include "execute/batching.h"

#include <ATen/core/grad_mode.h>

namespace aotscope {

namespace {

std::shared_ptr<void> beginGradMode(const torch::jit::Stack& arguments, LocationSink* /*sink*/) {
    return std::make_shared<c10::AutoGradMode>(arguments.at(0).toBool());
}

std::shared_ptr<void> beginAutocast(const torch::jit::Stack& arguments, LocationSink* /*sink*/) {
    const c10::IValue &dtype = arguments.at(1), &cache = arguments.at(3);
    return std::make_shared<AutocastScope>(arguments[0].toDevice().type(), arguments[2].toBool(),
                                           dtype.isNone() ? std::nullopt : std::optional(dtype.toScalarType()),
                                           cache.isNone() ? std::nullopt : std::optional(cache.toBool()));
}

class CheckpointScope {
public:
    CheckpointScope(LocationSink& sink, std::int32_t number) : sink_(sink), around_(sink.enterRegion(number)) {}
    ~CheckpointScope() { sink_.enterRegion(around_); }
    CheckpointScope(const CheckpointScope&) = delete;
    CheckpointScope& operator=(const CheckpointScope&) = delete;

private:
    LocationSink& sink_;
    std::int32_t around_;
};

std::shared_ptr<void> beginCheckpoint(const torch::jit::Stack& arguments, LocationSink* sink) {
    if (!sink) return nullptr;
    return std::make_shared<CheckpointScope>(*sink, static_cast<std::int32_t>(arguments.at(0).toInt()));
}

std::shared_ptr<void> beginBatch(const torch::jit::Stack& arguments, LocationSink* /*sink*/) {
    return enterBatch(arguments);
}

}  // namespace

BeginRegion findRegion(std::string_view op) {
    if (op == kGradModeRegion) return beginGradMode;
    if (op == kAutocastRegion) return beginAutocast;
    if (op == kCheckpointRegion) return beginCheckpoint;
    return batchingOf(op) == Batching::enter ? beginBatch : nullptr;
}

bool endsRegion(std::string_view op) { return op == kEndOfRegion || batchingOf(op) == Batching::leave; }

}  // namespace aotscope
