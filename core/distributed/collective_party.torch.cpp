#include "distributed/collective_party.h"

#include "distributed/place.h"
#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <ATen/ops/from_blob.h>
#include <c10/core/impl/alloc_cpu.h>

#include <sstream>

namespace aotscope {

namespace {

using Tensors = std::vector<at::Tensor>;

std::string nameOf(const c10::IValue& group) {
    if (group.isString()) return group.toStringRef();
    throw Error("a collective is given a process group as an object; only the names of process groups exist here");
}

/// Not counted by any MemoryMeter: another rank may be the last to use and free it.
at::Tensor lentCopy(const at::Tensor& tensor) {
    if (!tensor.is_cpu() || tensor.is_quantized() || tensor.numel() == 0)
        return tensor.detach().clone(at::MemoryFormat::Contiguous);
    void* memory = c10::alloc_cpu(static_cast<std::size_t>(tensor.numel()) * tensor.element_size());
    at::Tensor copy = at::from_blob(memory, tensor.sizes(), c10::free_cpu, tensor.options().requires_grad({}));
    copy.copy_(tensor.detach());
    return copy;
}

Tensors copiesOf(const Tensors& tensors) {
    Tensors copies;
    for (const at::Tensor& t : tensors) copies.push_back(lentCopy(t));
    return copies;
}

}  // namespace

std::string typeText(at::ScalarType dtype, at::IntArrayRef sizes) {
    std::ostringstream text;
    text << c10::toString(dtype) << sizes;
    return text.str();
}
std::string typeText(const at::Tensor& tensor) { return typeText(tensor.scalar_type(), tensor.sizes()); }

std::string callText(std::string text, const std::vector<at::Tensor>& tensors) {
    text += " of ";
    for (std::size_t i = 0; i < tensors.size(); ++i) text += (i == 0 ? "" : ", ") + typeText(tensors[i]);
    return text;
}

Contribution contribution(std::string call, const std::vector<at::Tensor>& tensors) {
    return {callText(std::move(call), tensors), copiesOf(tensors), {}, PlaceScope::current()};
}

Party::Party(const c10::IValue& name, std::optional<std::int64_t> size) {
    if (size) world->groups().note(nameOf(name), *size);
    group = world->groups().groupOf(nameOf(name), size);
}

void Party::exchange(Contribution mine, Outcome outcome) const {
    if (!outcome.results.empty() && !outcome.results.front().is_cpu())
        outcome.fill = [fill = std::move(outcome.fill),
                        device = outcome.results.front().device()](const Contributions& all) { fill(all.on(device)); };
    world->exchange(group, std::move(mine), std::move(outcome));
}

std::size_t Party::peer(std::int64_t rank, const char* what) const {
    if (rank < 0 || rank >= size())
        throw Error(std::string(what) + " names rank " + std::to_string(rank) + " of group " + inQuotes(group.name) +
                    ", which has " + counted(ranks(), "rank") + "; give its size with --world-size or --group");
    return static_cast<std::size_t>(rank);
}

}  // namespace aotscope
