#include "debug/edit_value.h"

#include "aten/copy_tensor.h"
#include "aten/tensors.h"
#include "support/error.h"
#include "support/token_reader.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace aotscope {

namespace {

std::optional<c10::Scalar> scalarOf(const std::string& word) {
    if (word == "true" || word == "True") return true;
    if (word == "false" || word == "False") return false;
    if (const auto whole = asNumber<std::int64_t>(word)) return *whole;
    const auto number = asNumber<double>(word);
    return number ? std::optional<c10::Scalar>(*number) : std::nullopt;
}

class Editor {
public:
    Editor(const std::string& text, std::string name) : text_(text), name_(std::move(name)) {}

    c10::IValue edit(const c10::IValue& value) {
        try {
            return edited(value);
        } catch (const Error&) {
            throw;
        } catch (const std::exception&) {  // from LibTorch, for a number beyond the dtype's range
            refuse("numbers that its type can hold");
        }
    }

private:
    c10::IValue edited(const c10::IValue& value) const {
        if (isTensor(value)) return editTensor(value.toTensor());
        if (!value.isBool() && !value.isInt() && !value.isDouble())
            throw Error(name_ + " is neither a tensor nor a number: it cannot be edited");
        const auto numbers = numbersOf(text_);
        if (numbers.size() != 1) refuse("one number");
        requireFit(numbers[0], value.isBool() ? at::kBool : value.isInt() ? at::kLong : at::kDouble);
        if (value.isBool()) return numbers[0].toBool();
        return value.isInt() ? c10::IValue(numbers[0].toLong()) : c10::IValue(numbers[0].toDouble());
    }

    [[noreturn]] void refuse(const std::string& expected) const {
        throw Error("new value of " + name_ + ": expected " + expected + ", found '" + text_ + "'");
    }

    std::vector<c10::Scalar> numbersOf(std::string text) const {
        std::replace_if(
            text.begin(), text.end(), [](char c) { return c == ',' || c == '[' || c == ']' || c == '\n'; }, ' ');
        std::vector<c10::Scalar> numbers;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find(' ', at), text.size());
            if (end > at) {
                const auto number = scalarOf(text.substr(at, end - at));
                if (!number) refuse("numbers (1, -0.5, 1e3, nan, inf, true) or [INDEX, ...] = NUMBER");
                numbers.push_back(*number);
            }
            at = end + 1;
        }
        return numbers;
    }

    void requireFit(const c10::Scalar& number, at::ScalarType type) const {
        if (c10::isFloatingType(type) || c10::isComplexType(type)) return;
        const double value = number.toDouble();
        const bool whole = std::abs(value) < 0x1p63 && std::floor(value) == value;
        if (!whole || (type == at::kBool && value != 0 && value != 1))
            refuse(type == at::kBool ? "0, 1, true or false" : "integers, as its elements are");
    }

    /// With the same strides, as kernels may depend on them; overlapping elements get separate memory.
    static at::Tensor copyOf(const at::Tensor& tensor) {
        for (std::int64_t d = 0; d < tensor.dim(); ++d)
            if (tensor.size(d) > 1 && tensor.stride(d) == 0) return tensor.contiguous();
        if (tensor.is_conj() || tensor.is_neg()) return tensor.clone();
        std::unordered_map<const c10::StorageImpl*, c10::Storage> storages;
        return copyTensor(tensor, storages);
    }

    at::Tensor editTensor(const at::Tensor& tensor) const {
        const at::NoGradGuard noGrad;
        at::Tensor copy = copyOf(tensor.detach());
        const auto equals = text_.find('=');
        const auto numbers = numbersOf(equals == std::string::npos ? text_ : text_.substr(equals + 1));
        for (const c10::Scalar& number : numbers) requireFit(number, tensor.scalar_type());
        if (equals != std::string::npos) {
            if (numbers.size() != 1) refuse("one number after the '='");
            elementOf(copy, numbersOf(text_.substr(0, equals))).fill_(numbers[0]);
        } else if (numbers.size() == 1) {
            copy.fill_(numbers[0]);
        } else {
            fill(copy, numbers);
        }
        return copy;
    }

    at::Tensor elementOf(at::Tensor tensor, const std::vector<c10::Scalar>& index) const {
        const auto sizes = tensor.sizes().vec();
        if (index.size() != sizes.size())
            refuse((sizes.size() == 1 ? "1 index" : std::to_string(sizes.size()) + " indices") +
                   " before the '=', as its sizes are " + c10::str(c10::IntArrayRef(sizes)));
        for (std::size_t d = 0; d < index.size(); ++d) {
            const double i = index[d].toDouble();
            if (!(i >= 0 && i < static_cast<double>(sizes[d])) || std::floor(i) != i)
                refuse("an index from 0 to " + std::to_string(sizes[d] - 1) + " in dimension " + std::to_string(d));
            tensor = tensor.select(0, static_cast<std::int64_t>(i));
        }
        return tensor;
    }

    void fill(at::Tensor& tensor, const std::vector<c10::Scalar>& numbers) const {
        if (static_cast<std::int64_t>(numbers.size()) != tensor.numel())
            refuse("one number or " + std::to_string(tensor.numel()));
        const bool whole = std::all_of(numbers.begin(), numbers.end(), [](auto& n) { return n.isIntegral(true); });
        at::Tensor values = at::empty({tensor.numel()}, whole ? at::kLong : at::kDouble);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (whole) values.mutable_data_ptr<std::int64_t>()[i] = numbers[i].toLong();
            else values.mutable_data_ptr<double>()[i] = numbers[i].toDouble();
        }
        tensor.copy_(values.view(tensor.sizes()));
    }

    const std::string& text_;
    std::string name_;
};

}  // namespace

c10::IValue editedValue(const c10::IValue& value, const std::string& text, const std::string& name) {
    return Editor(text, name).edit(value);
}

}  // namespace aotscope
