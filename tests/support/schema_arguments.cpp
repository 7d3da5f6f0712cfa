#include "support/schema_arguments.h"

#include <ATen/MemoryOverlap.h>
#include <ATen/core/jit_type.h>
#include <torch/version.h>

#include <algorithm>
#include <set>

namespace aotscope::test {

namespace {

using Kind = c10::TypeKind;

bool isOneOf(const std::string& name, std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* n) { return name == n; });
}

/// Guesses one argument after the other; the shapes of all tensors of a call broadcast to one.
class Guess {
public:
    Guess(Random& random, const c10::FunctionSchema& schema)
        : r_(random),
          name_(schema.name()),
          rank_(static_cast<std::size_t>(r_.oneOf<int64_t>({0, 1, 2, 2, 3, 3, 4, 4, 5}))),
          shape_(r_.sizes(rank_, r_.number(0, 9) == 0 ? 0 : 1, 4)),
          type_(r_.oneOf({at::kFloat, at::kFloat, at::kFloat, at::kDouble, at::kBFloat16, at::kHalf, at::kLong,
                          at::kBool, at::kComplexFloat})),
          exact_(r_.coin()) {}

    c10::IValue operator()(const c10::Argument& argument) {
        name_ = argument.name();
        if (argument.default_value() && r_.number(0, 2) == 0) return *argument.default_value();
        if (isOneOf(name_, {"dtype", "device", "layout", "pin_memory", "generator", "memory_format"}))
            return special(argument);
        c10::IValue value = of(*argument.type(), argument.N().value_or(0));
        const bool isWritten = argument.alias_info() && argument.alias_info()->isWrite();
        return isWritten && value.isTensor() ? c10::IValue(withOwnMemory(value.toTensor())) : value;
    }

private:
    /// Kernels that do not look at strides (rrelu_with_noise) write behind tensors whose elements share memory.
    static at::Tensor withOwnMemory(const at::Tensor& tensor) {
        return at::has_internal_overlap(tensor) == at::MemOverlap::No ? tensor : tensor.contiguous();
    }

    c10::IValue special(const c10::Argument& argument) {
        const bool optional = argument.type()->kind() == Kind::OptionalType;
        if (name_ == "dtype" && (!optional || r_.coin()))
            return r_.oneOf({at::kFloat, at::kDouble, at::kLong, at::kBFloat16});
        if (name_ == "memory_format" && (!optional || r_.coin()))
            return r_.oneOf({at::MemoryFormat::Contiguous, at::MemoryFormat::Preserve, at::MemoryFormat::ChannelsLast});
        return {};
    }

    c10::IValue of(const c10::Type& type, int count) {
        switch (type.kind()) {
            case Kind::OptionalType:
                if (r_.number(0, 2) == 0) return {};
                return of(*type.castRaw<c10::OptionalType>()->getElementType(), count);
            case Kind::TensorType: return tensor();
            case Kind::NumberType: return number();
            case Kind::IntType:
            case Kind::SymIntType: return integer();
            case Kind::FloatType: return r_.oneOf({0.25, 0.5, 1.0, 2.0});
            case Kind::BoolType: return r_.coin();
            case Kind::StringType: return word();
            case Kind::ScalarTypeType: return r_.oneOf({at::kFloat, at::kDouble, at::kLong});
            case Kind::ListType: return list(*type.castRaw<c10::ListType>()->getElementType(), count);
            default: return {};
        }
    }

    at::Tensor tensor() {
        if (isOneOf(name_, {"index", "indices", "target", "batch_ids", "offsets"}))
            return r_.tensor(shapeLike(), at::kLong);
        if (isOneOf(name_, {"mask", "condition"})) return r_.tensor(shapeLike(), at::kBool);
        const auto type = r_.number(0, 9) > 0 ? type_ : r_.oneOf({at::kFloat, at::kDouble, at::kLong});
        return r_.tensor(shapeLike(), type);
    }

    /// The shape of the call, or one that broadcasts to it.
    Sizes shapeLike() {
        if (exact_ || r_.coin()) return shape_;
        if (r_.number(0, 5) == 0) return {};
        Sizes sizes = shape_;
        for (auto& size : sizes)
            if (r_.number(0, 3) == 0) size = 1;
        return sizes;
    }

    c10::IValue number() {
        // LibTorch 2.11 divides by a step that is 0 as an integer.
        if (TORCH_VERSION_MINOR < 12 && name_ == "step") return r_.number(1, 3);
        if (r_.coin()) return r_.number(1, 3);
        return r_.oneOf({0.5, 1.5, 2.0});
    }

    int64_t integer() {
        const auto rank = static_cast<int64_t>(rank_);
        if (name_.find("dim") != std::string::npos || name_ == "axis")
            return r_.number(-rank, std::max<int64_t>(rank - 1, 0));
        if (isOneOf(name_, {"index", "start", "offset", "storage_offset", "diagonal"})) return r_.number(-1, 2);
        if (isOneOf(name_, {"reduction", "correction"})) return r_.number(0, 2);
        return r_.number(1, 4);
    }

    c10::IValue word() {
        if (name_ == "rounding_mode") return r_.oneOf({"floor", "trunc"});
        if (name_ == "approximate") return r_.oneOf({"none", "tanh"});
        if (name_ == "reduce") return r_.oneOf({"sum", "mean", "amax", "prod"});
        return "none";
    }

    c10::IValue list(const c10::Type& element, int count) {
        const auto length = static_cast<std::size_t>(count > 1 ? count : r_.number(1, 3));
        switch (element.kind()) {
            case Kind::TensorType: {
                c10::List<at::Tensor> tensors;
                for (std::size_t i = 0; i < length; ++i) tensors.push_back(tensor());
                return tensors;
            }
            case Kind::OptionalType: {
                c10::List<std::optional<at::Tensor>> tensors;
                for (std::size_t i = 0; i < length; ++i) tensors.push_back(r_.tensor(r_.sizes(1, 1, 3), at::kLong));
                return tensors;
            }
            case Kind::BoolType: {
                c10::List<bool> bools;
                for (std::size_t i = 0; i < length; ++i) bools.push_back(r_.coin());
                return bools;
            }
            case Kind::NumberType: {
                c10::impl::GenericList numbers(c10::NumberType::get());
                for (std::size_t i = 0; i < length; ++i) numbers.push_back(number());
                return numbers;
            }
            case Kind::FloatType: return std::vector<double>(length, 2.0);
            default: return integers(length);
        }
    }

    Sizes integers(std::size_t length) {
        if (isOneOf(name_, {"dims", "dim"})) return someDimensions();
        if (isOneOf(name_, {"size", "sizes", "shape", "self_size", "input_size", "input_sizes"})) {
            if (r_.coin()) return shape_;
            Sizes wider = shape_;
            if (r_.coin()) wider.insert(wider.begin(), 2);
            for (auto& size : wider)
                if (size == 1) size = r_.number(1, 3);
            return wider;
        }
        if (isOneOf(name_, {"stride", "strides"}) && r_.coin()) return Sizes(rank_, 1);
        if (name_ == "repeats") return r_.sizes(rank_ + static_cast<std::size_t>(r_.number(0, 1)), 1, 3);
        if (isOneOf(name_, {"padding", "pad"})) return r_.sizes(length, 0, 1);
        if (isOneOf(name_, {"shifts"})) return r_.sizes(length, -2, 2);
        return r_.sizes(length, 1, 3);
    }

    /// Distinct dimensions, for permutations all of them.
    Sizes someDimensions() {
        Sizes all;
        for (std::size_t i = 0; i < rank_; ++i) all.push_back(static_cast<int64_t>(i));
        for (std::size_t i = rank_; i > 1; --i)
            std::swap(all[i - 1], all[static_cast<std::size_t>(r_.number(0, static_cast<int64_t>(i) - 1))]);
        if (r_.coin()) all.resize(static_cast<std::size_t>(r_.number(0, static_cast<int64_t>(rank_))));
        return all;
    }

    Random& r_;
    std::string name_;
    std::size_t rank_;
    Sizes shape_;
    at::ScalarType type_;
    bool exact_;
};

}  // namespace

Values schemaArguments(const c10::FunctionSchema& schema, Random& random) {
    Guess guess(random, schema);
    Values arguments;
    for (const auto& argument : schema.arguments()) arguments.push_back(guess(argument));
    return arguments;
}

}  // namespace aotscope::test
