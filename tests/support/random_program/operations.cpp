// Statements that compute, and those that write in place.

#include "support/random_program/generator.h"

#include <ATen/ATen.h>

namespace aotscope::test {

void ProgramGenerator::compute() {
    const Id x = pick(), y = partner(x);
    const at::Tensor t = at(x), s = at(y);
    switch (below(25)) {
        case 0: return defineSaving("{0}.sin()", {x}, t.sin(), {t});
        case 1: return defineSaving("{0}.cos()", {x}, t.cos(), {t});
        case 2: {
            const at::Tensor r = t.tanh();
            return defineSaving("{0}.tanh()", {x}, r, {r});
        }
        case 3: {
            const at::Tensor r = t.relu();
            return defineSaving("torch.relu({0})", {x}, r, {r});
        }
        case 4: return define("{0} + 1", {x}, {t + 1});
        case 5: return define("{0} * 0.5", {x}, {t * 0.5});
        case 6: return define("{0} + {1}", {x, y}, {t + s});
        case 7: return define("{0} - {1}", {x, y}, {t - s});
        case 8:
        case 9: return defineSaving("{0} * {1}", {x, y}, t * s, {t, s});
        case 10: return define("torch.where({0} > 0, {0}, {1})", {x, y}, {at::where(t > 0, t, s)});
        case 11: return define("{0}.clone()", {x}, {t.clone()});
        case 12: return define("{0}.contiguous()", {x}, {t.contiguous()});
        case 13: return define("{0}.sum()", {x}, {t.sum()});
        case 14: return define("{0}.mean(0)", {x}, {t.mean(0)});
        case 15: return define("{0}.sum(-1, True)", {x}, {t.sum(-1, true)});
        case 16: return define("{0}.cumsum(0)", {x}, {t.cumsum(0)});
        case 17: return defineSaving("torch.mm({0}, {1}.t())", {x, y}, at::mm(t, s.t()), {t, s});
        case 18: return defineSaving("torch.matmul({0}, {1})", {x, y}, at::matmul(t, s), {t, s});
        case 19: return define("torch.cat([{0}, {1}], 0)", {x, y}, {at::cat({t, s}, 0)});
        case 20: return define("torch.stack([{0}, {1}], 0)", {x, y}, {at::stack({t, s}, 0)});
        case 21: return define("torch.zeros_like({0})", {x}, {at::zeros_like(t)});
        case 22: return define("{0}.flip(0)", {x}, {t.flip(0)});
        case 23: return define("{0}.to(7)", {x}, {t.to(at::kDouble)});
        default:
            if (number_) return define("{0} * {1}", {x, *number_}, {t * made_.values[*number_].toInt()});
    }
}

void ProgramGenerator::complexNumbers() {
    const Id x = pick(), y = partner(x);
    const at::Tensor t = at(x), s = at(y);
    const bool views = noGrad_ && t.requires_grad();
    const std::size_t kind = below(20);
    if (views && kind < 11) return;
    switch (kind) {
        case 0:
        case 1: return define("torch.conj({0})", {x}, {t.conj()});
        case 2: return define("torch.imag({0})", {x}, {at::imag(t)});
        case 3: return define("torch.imag(torch.conj({0}))", {x}, {at::imag(t.conj())});
        case 4: return define("torch.real({0})", {x}, {at::real(t)});
        case 5: return define("{0}.mH", {x}, {t.mH()});
        case 6: return define("torch.adjoint({0})", {x}, {t.adjoint()});
        case 7: return complex(x, t);
        case 8: return define("torch.resolve_conj({0})", {x}, {t.resolve_conj()});
        case 9: return define("torch.resolve_neg({0})", {x}, {t.resolve_neg()});
        case 10: return define("torch.view_as_real({0})", {x}, {at::view_as_real(t)});
        case 11: return defineSaving("torch.complex({0}, {1})", {x, y}, at::complex(t, s), {});
        case 12: return defineSaving("torch.angle({0})", {x}, t.angle(), {t});
        case 13: return defineSaving("torch.polar({0}, {1})", {x, y}, at::polar(t, s), {t, s});
        case 14: return defineSaving("{0}.abs()", {x}, t.abs(), {t});
        case 15: return defineSaving("{0}.mH @ {1}", {x, y}, at::matmul(t.mH(), s), {t, s});
        case 16: return defineSaving("torch.vdot({0}, {1})", {x, y}, at::vdot(t, s), {t, s});
        case 17: return define("{0}.conj_physical()", {x}, {t.conj_physical()});
        case 18: return wroteIf(x, "torch.conj({0}).mul_(2)", [&] { return t.conj().mul_(2); });
        default: return wroteIf(x, "torch.imag(torch.conj({0})).add_(1)", [&] { return at::imag(t.conj()).add_(1); });
    }
}

void ProgramGenerator::write() {
    const Id x = target();
    at::Tensor t = at(x);
    const Id y = partner(x);
    const at::Tensor s = at(y);
    if (overlapsItself(t) || sealed_.contains(storageOf(t))) return;
    TORCH_CHECK(!overlapPartly(t, s));
    switch (below(28)) {
        case 0: return wrote("{0}.add_(1)", {x}, t.add_(1));
        case 1: return wrote("{0}.mul_(2)", {x}, t.mul_(2));
        case 2: return wrote("{0}.add_({1})", {x, y}, t.add_(s));
        case 3: return wrote("{0} -= {1}", {x, y}, t.sub_(s));
        case 4: return wrote("{0}.copy_({1})", {x, y}, t.copy_(s));
        case 5: return wrote("{0}.zero_()", {x}, t.zero_());
        case 6: return wrote("{0}.fill_(0.5)", {x}, t.fill_(0.5));
        case 7: return wrote("{0}.t_()", {x}, reshapable(x).t_());
        case 8: return wrote("{0}.transpose_(0, -1)", {x}, reshapable(x).transpose_(0, -1));
        case 9: return wrote("{0}.unsqueeze_(0)", {x}, reshapable(x).unsqueeze_(0));
        case 10: return wrote("{0}.squeeze_()", {x}, reshapable(x).squeeze_());
        case 11: return wrote("{0}.squeeze_(0)", {x}, reshapable(x).squeeze_(0));
        case 12: return wrote("{0}[0].add_(2)", {x}, t.select(0, 0).add_(2));
        case 13: return wrote("{0}[1:].mul_(3)", {x}, t.slice(0, 1).mul_(3));
        case 14: return wrote("{0}[0] = {0}[-1]", {x}, t.select(0, 0).copy_(t.select(0, -1)));
        case 15: return wrote("{0}[..., -1] = 7", {x}, t.select(-1, -1).fill_(7));
        case 16: return wrote("{0}.masked_fill_({0} > 0, 0.25)", {x}, t.masked_fill_(t > 0, 0.25));
        case 17: return wrote("{0}[{0} > 0] = 0.5", {x}, t.index_put_({t > 0}, at::scalar_tensor(0.5)));
        case 18: return wrote("{0}.mul_({1})", {x, y}, t.mul_(s), s);
        case 19: return wrote("{0}.sigmoid_()", {x}, t.sigmoid_(), t);
        case 20: return wrote("{0}.clamp_(-1, 1)", {x}, t.clamp_(-1, 1), t);
        case 21: return wrote("{0}.neg_()", {x}, t.neg_());
        case 22: return wrote("{0}.view(-1)[:2].add_(1)", {x}, t.view(-1).slice(0, 0, 2).add_(1));
        case 23: return wrote("{0}[0].view(-1)[1:].neg_()", {x}, t.select(0, 0).view(-1).slice(0, 1).neg_());
        case 24: return wrote("{0}.diagonal().zero_()", {x}, t.diagonal().zero_());
        case 25: return wrote("{0}.detach().add_(1)", {x}, t.detach().add_(1));
        case 26: TORCH_CHECK(x >= program_.inputs.inputs.size()); return wrote("{0}.detach_()", {x}, t.detach_());
        default:
            TORCH_CHECK(t.sizes() == s.sizes());
            return wrote("torch.add({1}, {1}, out={0})", {x, y}, at::add_out(t, s, s));
    }
}

}  // namespace aotscope::test
