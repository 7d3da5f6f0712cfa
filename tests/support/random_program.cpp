#include "support/random_program.h"

#include "program/example_inputs.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/jit_type.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace aotscope::test {

namespace {

using Id = std::size_t;
using Statement = RandomProgram::Statement;
using Output = RandomProgram::Output;

std::string list(const std::vector<std::int64_t>& numbers) {
    std::string text = "[";
    for (std::size_t i = 0; i < numbers.size(); ++i) text += (i ? ", " : "") + std::to_string(numbers[i]);
    return text + "]";
}

const c10::StorageImpl* storageOf(const at::Tensor& t) {
    return t.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
}

/// Byte offsets of all elements.
std::vector<std::int64_t> places(const at::Tensor& t) {
    std::vector<std::int64_t> all = {t.storage_offset() * static_cast<std::int64_t>(t.element_size())};
    for (std::int64_t d = 0; d < t.dim(); ++d) {
        std::vector<std::int64_t> next;
        for (const std::int64_t place : all)
            for (std::int64_t i = 0; i < t.size(d); ++i)
                next.push_back(place + i * t.stride(d) * static_cast<std::int64_t>(t.element_size()));
        all = std::move(next);
    }
    return all;
}

bool overlapsItself(const at::Tensor& t) {
    const auto all = places(t);
    return std::set<std::int64_t>(all.begin(), all.end()).size() != all.size();
}

/// Whether writing `target` while reading `source` depends on the order of the elements.
bool overlapPartly(const at::Tensor& target, const at::Tensor& source) {
    if (storageOf(target) != storageOf(source)) return false;
    const auto written = places(target), read = places(source);
    if (written == read) return false;
    const std::set<std::int64_t> all(written.begin(), written.end());
    return std::any_of(read.begin(), read.end(), [&](std::int64_t place) { return all.contains(place); });
}

/// The kinds of inputs that a program has, and the operations that it favours.
enum class Theme : std::uint8_t {
    plain,    ///< float32
    complex,  ///< complex numbers, lazily conjugated and negated ones among them
    half,     ///< float16 or bfloat16
    small,    ///< tensors without dimensions or without elements
    windows,  ///< unfold, and writes into its results
};

/// Draws statements and runs each one in eager mode at once; statements that eager refuses are dropped.
class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_(seed) {}

    RandomProgram run() {
        theme_ = oneOf(
            {Theme::plain, Theme::plain, Theme::complex, Theme::complex, Theme::half, Theme::small, Theme::windows});
        half_ = oneOf({DType::f16, DType::bf16});
        drawInputs();
        makeInputs();
        const std::size_t wanted = 2 + below(9);
        for (int attempts = 0; attempts < 60 && program_.statements.size() < wanted; ++attempts) step();
        drawOutputs();
        return std::move(program_);
    }

private:
    std::size_t below(std::size_t limit) { return random_() % limit; }
    bool chance(std::size_t percent) { return below(100) < percent; }
    template <typename T>
    T oneOf(std::initializer_list<T> values) {
        return *(values.begin() + below(values.size()));
    }

    // --- inputs ---

    std::size_t derive(std::size_t of, const std::string& op, std::vector<DerivedArgument> args) {
        program_.inputs.values.emplace_back(DerivedSpec{op, of, std::move(args), {}});
        return program_.inputs.values.size() - 1;
    }
    std::size_t leaf(std::vector<std::int64_t> shape, bool requiresGrad) {
        LeafSpec spec;
        spec.shape = std::move(shape);
        spec.requiresGrad = requiresGrad;
        if (!requiresGrad && chance(8)) {
            spec.dtype = DType::i64;
            spec.fill.how = Fill::Randint{0, 5};
        } else if (theme_ == Theme::half && chance(80)) {
            spec.dtype = half_;
        } else if (theme_ == Theme::complex && chance(60)) {
            spec.dtype = chance(90) ? DType::c64 : DType::c128;
        } else if (chance(4)) {
            spec.dtype = DType::f64;
        }
        program_.inputs.values.emplace_back(std::move(spec));
        return program_.inputs.values.size() - 1;
    }
    void give(std::size_t value) {
        if (theme_ == Theme::complex && isComplex(value) && chance(25)) {
            value = derive(value, "conj", {});
            if (chance(40)) value = derive(value, "imag", {});
        }
        program_.inputs.inputs.push_back({InputItem::TensorRef{value}});
    }
    bool isComplex(std::size_t value) const {
        if (const auto* spec = std::get_if<LeafSpec>(&program_.inputs.values[value]))
            return spec->dtype == DType::c64 || spec->dtype == DType::c128;
        const auto& derived = std::get<DerivedSpec>(program_.inputs.values[value]);
        return derived.op != "imag" && isComplex(derived.of);
    }

    std::vector<std::int64_t> drawShape() {
        if (theme_ == Theme::small)
            return oneOf<std::vector<std::int64_t>>({{}, {}, {}, {1}, {1, 1}, {0}, {0, 3}, {2, 0}, {3}, {2, 3}});
        if (theme_ == Theme::windows)
            return oneOf<std::vector<std::int64_t>>({{3}, {4}, {6}, {7}, {2, 4}, {4, 3}, {2, 5}, {6, 2}, {2, 2, 3}});
        return oneOf<std::vector<std::int64_t>>(
            {{3}, {2, 3}, {3, 2}, {2, 2}, {2, 2}, {4}, {1, 3}, {2, 1}, {2, 2, 2}, {}, {1}, {3, 3}, {2, 3}, {0, 3}});
    }

    void drawInputs() {
        const std::size_t wanted = 1 + below(4);
        while (program_.inputs.inputs.size() < wanted) drawInput();
        if (chance(20)) program_.inputs.inputs.push_back({static_cast<std::int64_t>(2 + below(3))});
    }

    void drawInput() {
        switch (below(10)) {
            case 0:
            case 1:
            case 2: return give(leaf(drawShape(), false));
            case 3:
            case 4: return give(leaf(drawShape(), true));
            case 5:
            case 6: return give(derive(leaf(drawShape(), true), "add_scalar", {1.0}));
            case 7:
            case 8: return drawRelatives();
            default:
                if (program_.inputs.inputs.empty()) return;
                const InputItem again = program_.inputs.inputs[below(program_.inputs.inputs.size())];
                program_.inputs.inputs.push_back(again);
        }
    }

    /// Views of one tensor: overlapping, side by side, interleaved.
    void drawRelatives() {
        std::size_t base = leaf({12}, chance(50));
        if (chance(60)) base = derive(base, "mul_scalar", {2.0});
        using List = std::vector<std::int64_t>;
        for (std::size_t i = 1 + below(3); i > 0; --i) {
            const auto offset = static_cast<double>(below(7));
            switch (below(7)) {
                case 0: give(base); break;
                case 1: give(derive(base, "slice", {0.0, offset, offset + 3})); break;
                case 2: give(derive(base, "slice", {0.0, offset, 12.0, 2.0})); break;
                case 3: give(derive(base, "as_strided", {List{2, 3}, List{3, 1}, offset})); break;
                case 4: give(derive(base, "as_strided", {List{2, 2}, List{1, 4}, offset})); break;
                case 5: give(derive(base, "view", {oneOf<List>({{3, 4}, {2, 6}, {2, 2, 3}, {12}})})); break;
                default: give(derive(derive(base, "view", {List{4, 3}}), "transpose", {0.0, 1.0}));
            }
        }
    }

    void makeInputs() {
        std::vector<InputDeclaration> declared;
        for (const InputItem& item : program_.inputs.inputs) {
            const bool number = std::holds_alternative<std::int64_t>(item.data);
            declared.push_back(
                {"x", number ? c10::TypePtr(c10::IntType::get()) : c10::TypePtr(c10::TensorType::get()), {}});
        }
        made_ = aotscope::makeInputs(program_.inputs, declared, 0, c10::kCPU, {});
        for (const auto& value : made_.values) {
            if (value.isTensor()) tensors_.push_back(values_.size());
            else number_ = values_.size();
            values_.push_back(value.isTensor() ? value.toTensor() : at::Tensor());
        }
    }

    // --- statements ---

    Id pick() {
        if (chance(50)) return tensors_[below(tensors_.size())];
        return tensors_[tensors_.size() - 1 - below(std::min<std::size_t>(tensors_.size(), 3))];
    }
    const at::Tensor& at(Id id) const { return values_[id]; }

    /// Another value of the same shape if there is one.
    Id partner(Id x) {
        for (int i = 0; i < 6; ++i)
            if (const Id y = pick(); at(y).sizes() == at(x).sizes()) return y;
        return pick();
    }

    void note(const std::string& text, std::vector<Id> operands, std::vector<Id> results = {}) {
        for (const Id operand : operands)
            if (at(operand).defined()) used_.insert(storageOf(at(operand)));
        program_.statements.push_back({text, std::move(operands), std::move(results), noGrad_});
    }
    void define(const std::string& text, std::vector<Id> operands, const std::vector<at::Tensor>& results) {
        std::vector<Id> ids;
        for (const at::Tensor& result : results)
            if (result.numel() > 64) return;
        for (const at::Tensor& result : results) {
            ids.push_back(values_.size());
            tensors_.push_back(values_.size());
            values_.push_back(result);
        }
        note(text, std::move(operands), std::move(ids));
    }
    /// A result whose backward reads these values: they should not be overwritten.
    void defineSaving(const std::string& text, std::vector<Id> operands, const at::Tensor& result,
                      const std::vector<at::Tensor>& saved) {
        define(text, std::move(operands), {result});
        if (result.requires_grad())
            for (const at::Tensor& t : saved) saved_.insert(storageOf(t));
    }

    void step() {
        if (regionLeft_ > 0) --regionLeft_;
        else if (chance(8)) regionLeft_ = 1 + below(3);
        noGrad_ = regionLeft_ > 0;
        const at::AutoGradMode grad(!noGrad_);
        try {
            const std::size_t kind = below(100);
            if (theme_ == Theme::complex && kind % 3 == 0) complexNumbers();
            else if (theme_ == Theme::windows && kind % 4 == 0) window();
            else if (kind < 38) view();
            else if (kind < 68) write();
            else if (kind < 90) compute();
            else pickElements();
        } catch (const std::exception&) {
            // Eager refuses this one.
        }
    }

    void view() {
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

    void complexNumbers() {
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
            default:
                return wroteIf(x, "torch.imag(torch.conj({0})).add_(1)", [&] { return at::imag(t.conj()).add_(1); });
        }
    }

    /// A write through a temporary view.
    template <typename Write>
    void wroteIf(Id x, const std::string& text, Write&& write) {
        if (overlapsItself(at(x)) || sealed_.contains(storageOf(at(x)))) return;
        wrote(text, {x}, write());
    }

    /// Windows that are adjacent, have gaps between them, or overlap.
    void window() {
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

    /// Operations that index or sort.
    void pickElements() {
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

    static std::vector<at::Tensor> fewer(std::vector<at::Tensor> parts) {
        TORCH_CHECK(!parts.empty() && parts.size() < 5);
        return parts;
    }

    void expand(Id x, const at::Tensor& t) {
        std::vector<std::int64_t> sizes = t.sizes().vec();
        for (auto& size : sizes)
            if (size == 1) size = 2;
        if (sizes == t.sizes().vec()) sizes.insert(sizes.begin(), 2);
        define("{0}.expand(" + list(sizes) + ")", {x}, {t.expand(sizes)});
    }

    void strided(Id x, const at::Tensor& t) {
        const auto sizes = oneOf<std::vector<std::int64_t>>({{2, 2}, {2}, {3}, {2, 3}, {1, 2}});
        std::vector<std::int64_t> strides;
        for (std::size_t i = 0; i < sizes.size(); ++i) strides.push_back(oneOf<std::int64_t>({1, 2, 3}));
        const auto offset = static_cast<std::int64_t>(below(3));
        define("torch.as_strided({0}, " + list(sizes) + ", " + list(strides) + ", " + std::to_string(offset) + ")", {x},
               {at::as_strided(t, sizes, strides, offset)});
    }

    void complex(Id x, const at::Tensor& t) {
        if (t.is_complex()) define("torch.view_as_real({0})", {x}, {at::view_as_real(t)});
        else define("torch.view_as_complex({0})", {x}, {at::view_as_complex(t)});
    }

    /// A value to write to, rarely one whose old content a backward needs.
    Id target() {
        Id x = pick();
        for (int i = 0; i < 8 && saved_.contains(storageOf(at(x))) && !chance(5); ++i) x = pick();
        return x;
    }

    /// `x`, if its sizes may change in place, that is, if autograd need not track this through other values.
    at::Tensor reshapable(Id x) {
        at::Tensor t = at(x);
        const bool intermediateView = t.is_view() && x >= program_.inputs.inputs.size();
        TORCH_CHECK(!t.requires_grad() || !(noGrad_ || intermediateView || used_.contains(storageOf(t))));
        return t;
    }

    // The checks here and in reshapable() exclude known differences of compiled functions, which have
    // examples in test_semantics, and views whose gradients are wrong in eager.
    void write() {
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
    /// `saved`: the values that the backward of a write reads.
    void wrote(const std::string& text, std::vector<Id> operands, const at::Tensor& result,
               const at::Tensor& saved = {}) {
        written_.insert(storageOf(at(operands[0])));
        note(text, std::move(operands));
        if (saved.defined() && result.requires_grad()) saved_.insert(storageOf(saved));
    }

    void compute() {
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

    // --- outputs ---

    void drawOutputs() {
        for (std::size_t count = 1 + below(4); count > 0; --count) {
            const std::size_t kind = below(100);
            if (kind < 6 && !program_.outputs.empty()) {
                program_.outputs.push_back({Output::Kind::size, {pick()}});
            } else if (kind < 16) {
                program_.outputs.push_back({Output::Kind::list, {pick(), pick()}});
            } else {
                program_.outputs.push_back({Output::Kind::tensor, {pick()}});
            }
        }
    }

    std::mt19937_64 random_;
    Theme theme_ = Theme::plain;
    DType half_ = DType::f16;
    RandomProgram program_;
    ExampleInputs made_;
    std::vector<at::Tensor> values_;  ///< computed so far
    std::vector<Id> tensors_;         ///< values that are tensors
    std::optional<Id> number_;
    std::set<const c10::StorageImpl*> used_, written_;
    std::set<const c10::StorageImpl*> saved_;   ///< read by a backward
    std::set<const c10::StorageImpl*> sealed_;  ///< behind views made under no_grad; must not be written to
    std::size_t regionLeft_ = 0;
    bool noGrad_ = false;
};

// --- text ---

std::string nameOf(Id id, std::size_t inputs) { return (id < inputs ? "x" : "v") + std::to_string(id); }

std::string lineOf(const Statement& statement, std::size_t inputs) {
    std::string line;
    for (std::size_t i = 0; i < statement.results.size(); ++i)
        line += (i ? ", " : "") + nameOf(statement.results[i], inputs);
    // A list of one result has to be unpacked, too.
    const bool unpacks = statement.text.starts_with("torch.unbind") || statement.text.starts_with("torch.split") ||
                         statement.text.starts_with("torch.chunk");
    if (unpacks && statement.results.size() == 1) line += ",";
    if (!statement.results.empty()) line += " = ";
    for (std::size_t i = 0; i < statement.text.size(); ++i) {
        if (statement.text[i] != '{') {
            line += statement.text[i];
            continue;
        }
        line += nameOf(statement.operands[static_cast<std::size_t>(statement.text[i + 1] - '0')], inputs);
        i += 2;
    }
    return line;
}

}  // namespace

std::string RandomProgram::text() const {
    const std::size_t count = inputs.inputs.size();
    std::string parameters, types, returned, body;
    for (std::size_t i = 0; i < count; ++i)
        parameters += ", " + nameOf(i, count) +
                      (std::holds_alternative<std::int64_t>(inputs.inputs[i].data) ? ": int" : ": Tensor");
    bool inRegion = false;
    const auto region = [&](bool noGrad) {
        if (noGrad && !inRegion) body += "    grad = torch.is_grad_enabled()\n    torch.set_grad_enabled(False)\n";
        if (!noGrad && inRegion) body += "    torch.set_grad_enabled(grad)\n";
        inRegion = noGrad;
    };
    for (const Statement& statement : statements) {
        region(statement.noGrad);
        body += "    " + lineOf(statement, count) + "\n";
    }
    region(false);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Output& output = outputs[i];
        const std::string separator = i ? ", " : "", name = nameOf(output.values[0], count);
        switch (output.kind) {
            case Output::Kind::tensor:
                types += separator + "Tensor";
                returned += separator + name;
                break;
            case Output::Kind::list:
                types += separator + "List[Tensor]";
                returned += separator + "[" + name + ", " + nameOf(output.values[1], count) + "]";
                break;
            case Output::Kind::size: types += separator + "int"; returned += separator + name + ".dim()";
        }
    }
    if (outputs.size() > 1) types = "Tuple[" + types + "]";
    return "def forward(self" + parameters + ") -> " + types + ":\n" + body + "    return " + returned;
}

RandomProgram randomProgram(std::uint64_t seed) { return Generator(seed).run(); }

}  // namespace aotscope::test
