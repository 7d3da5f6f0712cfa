// Statements that make views, and those that index or sort.

#include "support/random_program/generator.h"

#include <ATen/ATen.h>

namespace aotscope::test {

namespace {

std::string list(const std::vector<std::int64_t>& numbers) {
    std::string text = "[";
    for (std::size_t i = 0; i < numbers.size(); ++i) text += (i ? ", " : "") + std::to_string(numbers[i]);
    return text + "]";
}

}  // namespace

void ProgramGenerator::view() {
    const Id x = pick();
    const at::Tensor t = at(x);
    if (noGrad_ && t.requires_grad()) {
        TORCH_CHECK(!written_.contains(storageOf(t)));
        sealed_.insert(storageOf(t));
    }
    const auto d = static_cast<std::int64_t>(below(std::max<std::size_t>(1, static_cast<std::size_t>(t.dim()))));
    const std::string dim = std::to_string(d);
    switch (below(24)) {
        case 0: return define("{0}.t()", {x}, {t.t()});
        case 1: return define("{0}.transpose(0, " + dim + ")", {x}, {t.transpose(0, d)});
        case 2: return define("{0}[0]", {x}, {t.select(0, 0)});
        case 3: return define("{0}.select(" + dim + ", -1)", {x}, {t.select(d, -1)});
        case 4: return define("{0}[1:]", {x}, {t.slice(0, 1)});
        case 5: return define("{0}[::2]", {x}, {t.slice(0, 0, std::nullopt, 2)});
        case 6: return define("{0}[:, :2]", {x}, {t.slice(1, 0, 2)});
        case 7: return define("{0}.narrow(" + dim + ", 0, 1)", {x}, {t.narrow(d, 0, 1)});
        case 8: return define("{0}.unsqueeze(" + dim + ")", {x}, {t.unsqueeze(d)});
        case 9: return define("{0}.squeeze()", {x}, {t.squeeze()});
        case 10: return expand(x, t);
        case 11: return define("{0}.diagonal()", {x}, {t.diagonal()});
        case 12: return strided(x, t);
        case 13: return define("torch.unbind({0}, " + dim + ")", {x}, fewer(t.unbind(d)));
        case 14: return define("torch.split({0}, 1, " + dim + ")", {x}, fewer(t.split(1, d)));
        case 15: return define("torch.chunk({0}, 2, " + dim + ")", {x}, fewer(t.chunk(2, d)));
        case 16: return define("{0}.detach()", {x}, {t.detach()});
        case 17: return complex(x, t);
        case 18: return define("{0}.view(-1)", {x}, {t.view(-1)});
        case 19: return define("{0}.reshape(-1)", {x}, {t.reshape(-1)});
        case 20: return define("{0}.unfold(" + dim + ", 2, 1)", {x}, {t.unfold(d, 2, 1)});
        case 21: return define("{0}.mT", {x}, {t.mT()});
        case 22: return define("{0}.movedim(0, -1)", {x}, {t.movedim(0, -1)});
        default: return define("{0}.unflatten(" + dim + ", [1, -1])", {x}, {t.unflatten(d, {1, -1})});
    }
}

void ProgramGenerator::expand(Id x, const at::Tensor& t) {
    std::vector<std::int64_t> sizes = t.sizes().vec();
    for (auto& size : sizes)
        if (size == 1) size = 2;
    if (sizes == t.sizes().vec()) sizes.insert(sizes.begin(), 2);
    define("{0}.expand(" + list(sizes) + ")", {x}, {t.expand(sizes)});
}

void ProgramGenerator::strided(Id x, const at::Tensor& t) {
    const auto sizes = oneOf<std::vector<std::int64_t>>({{2, 2}, {2}, {3}, {2, 3}, {1, 2}});
    std::vector<std::int64_t> strides;
    for (std::size_t i = 0; i < sizes.size(); ++i) strides.push_back(oneOf<std::int64_t>({1, 2, 3}));
    const auto offset = static_cast<std::int64_t>(below(3));
    define("torch.as_strided({0}, " + list(sizes) + ", " + list(strides) + ", " + std::to_string(offset) + ")", {x},
           {at::as_strided(t, sizes, strides, offset)});
}

void ProgramGenerator::complex(Id x, const at::Tensor& t) {
    if (t.is_complex()) define("torch.view_as_real({0})", {x}, {at::view_as_real(t)});
    else define("torch.view_as_complex({0})", {x}, {at::view_as_complex(t)});
}

std::vector<at::Tensor> ProgramGenerator::fewer(std::vector<at::Tensor> parts) {
    TORCH_CHECK(!parts.empty() && parts.size() < 5);
    return parts;
}

void ProgramGenerator::window() {
    const Id x = pick();
    const at::Tensor t = at(x);
    const auto d = static_cast<std::int64_t>(below(std::max<std::size_t>(1, static_cast<std::size_t>(t.dim()))));
    const auto size = static_cast<std::int64_t>(1 + below(3)), step = static_cast<std::int64_t>(1 + below(3));
    const std::string view =
        "{0}.unfold(" + std::to_string(d) + ", " + std::to_string(size) + ", " + std::to_string(step) + ")";
    if (chance(50) && !(noGrad_ && t.requires_grad())) return define(view, {x}, {t.unfold(d, size, step)});
    if (size > step) return;
    if (chance(50)) return wroteIf(x, view + ".mul_(2)", [&] { return t.unfold(d, size, step).mul_(2); });
    wroteIf(x, view + ".fill_(0.25)", [&] { return t.unfold(d, size, step).fill_(0.25); });
}

void ProgramGenerator::pickElements() {
    const Id x = pick(), y = partner(x);
    const at::Tensor t = at(x), s = at(y);
    const at::Tensor zero = at::zeros({1}, at::kLong), none = at::zeros({}, at::kLong);
    const std::string one = "torch.tensor([0])", scalar = "torch.tensor(0)";
    switch (below(18)) {
        case 0: return define("torch.index_select({0}, 0, " + one + ")", {x}, {t.index_select(0, zero)});
        case 1: return define("torch.take({0}, " + one + ")", {x}, {t.take(zero)});
        case 2:
            return define("torch.gather({0}, 0, torch.zeros_like({0}, dtype=4))", {x},
                          {t.gather(0, at::zeros_like(t, at::kLong))});
        case 3: return define("{0}.index_copy(0, " + one + ", {1})", {x, y}, {t.index_copy(0, zero, s)});
        case 4: return define("{0}.index_add(0, " + one + ", {1})", {x, y}, {t.index_add(0, zero, s)});
        case 5: return define("{0}.index_fill(0, " + one + ", 2)", {x}, {t.index_fill(0, zero, 2)});
        case 6:
            return define("{0}.scatter(0, torch.zeros_like({0}, dtype=4), {1})", {x, y},
                          {t.scatter(0, at::zeros_like(t, at::kLong), s)});
        case 7:
            return define("{0}.scatter_add(0, torch.zeros_like({0}, dtype=4), {1})", {x, y},
                          {t.scatter_add(0, at::zeros_like(t, at::kLong), s)});
        case 8: return define("torch.roll({0}, 1, 0)", {x}, {t.roll(1, 0)});
        case 9: return define("torch.sort({0})[0]", {x}, {std::get<0>(t.sort())});
        case 10: return define("torch.topk({0}, 1)[0]", {x}, {std::get<0>(t.topk(1))});
        case 11: return define("torch.cumsum({0}, -1)", {x}, {t.cumsum(-1)});
        case 12: return defineSaving("torch.cumprod({0}, -1)", {x}, t.cumprod(-1), {t});
        case 13: return defineSaving("torch.softmax({0}, -1)", {x}, t.softmax(-1), {});
        case 14: return defineSaving("torch.logsumexp({0}, -1)", {x}, t.logsumexp(-1), {t});
        case 15: return define("torch.max({0}, -1)[0]", {x}, {std::get<0>(t.max(-1))});
        case 16: return define("torch.index_select({0}, -1, " + scalar + ")", {x}, {t.index_select(-1, none)});
        default: return defineSaving("torch.prod({0})", {x}, t.prod(), {t});
    }
}

}  // namespace aotscope::test
