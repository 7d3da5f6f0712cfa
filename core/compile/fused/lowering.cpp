#include "compile/fused/lowering.h"

#include "compile/fused/index_call.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

namespace aotscope {

namespace {

bool isFloating(DType type) { return kindOf(type) == DTypeKind::real; }

/// c10::promoteTypes for the types that kernels support.
DType promote(DType a, DType b) {
    if (a == b || b == DType::b8) return a;
    if (a == DType::b8) return b;
    if (isFloating(a) != isFloating(b)) return isFloating(a) ? a : b;
    if (isFloating(a)) {
        if (itemSize(a) == itemSize(b)) return DType::f32;  // the two half types
        return itemSize(a) > itemSize(b) ? a : b;
    }
    if (a == DType::u8 || b == DType::u8) return std::max(itemSize(a), itemSize(b)) == 1 ? DType::i16 : std::max(a, b);
    return std::max(a, b);
}

/// Dtypes of tensors, of zero-dimensional tensors, and of numbers: the latter two count only if they are of a higher
/// kind.
struct Promotion {
    std::optional<DType> tensors, scalars, numbers;

    static void join(std::optional<DType>& known, DType type) { known = known ? promote(*known, type) : type; }
    static std::optional<DType> combine(std::optional<DType> higher, std::optional<DType> lower) {
        if (!higher || !lower) return higher ? higher : lower;
        if (isFloating(*higher)) return higher;
        return *higher == DType::b8 || isFloating(*lower) ? promote(*higher, *lower) : *higher;
    }
    DType result() const { return combine(combine(tensors, scalars), numbers).value_or(DType::f32); }
};

std::optional<DType> numberType(const Argument& argument) {
    if (std::holds_alternative<double>(argument.value)) return DType::f32;
    if (std::holds_alternative<bool>(argument.value)) return DType::b8;
    if (argument.integer()) return DType::i64;
    const ScalarType* scalar = argument.node() ? argument.node()->type.scalar() : nullptr;
    if (!scalar) return std::nullopt;
    return scalar->kind == ScalarType::Kind::real      ? DType::f32
           : scalar->kind == ScalarType::Kind::boolean ? DType::b8
                                                       : DType::i64;
}

std::optional<double> literalOf(const Argument& argument) {
    if (const auto* real = std::get_if<double>(&argument.value)) return *real;
    if (const auto* truth = std::get_if<bool>(&argument.value)) return *truth ? 1 : 0;
    if (const auto* integer = argument.integer()) return static_cast<double>(*integer);
    return std::nullopt;
}

/// The types of the tensors that `call` returns.
std::vector<const TensorType*> resultTypes(const Node& call) {
    if (const auto* one = call.type.tensor()) return {one};
    std::vector<const TensorType*> types;
    if (const auto* tuple = call.type.tuple())
        for (const ValueType& element : *tuple) types.push_back(element.tensor());
    return types;
}

/// Thrown if kernels do not support the arguments of a call.
struct NotLowered {};

}  // namespace

DType LoweredCall::result() const { return resultTypes(node_).at(0)->dtype; }
bool LoweredCall::isReal() const { return isFloating(result()); }

const Argument* LoweredCall::find(std::size_t i, std::string_view name) const {
    const Argument* found = node_.argument(i, name);
    return found && !found->isNone() ? found : nullptr;
}

bool LoweredCall::has(std::size_t i, std::string_view name) const { return find(i, name) != nullptr; }

Expr LoweredCall::as(DType dtype, std::size_t i, std::string_view name) {
    const Argument* argument = find(i, name);
    if (!argument) throw NotLowered{};
    const Node* node = argument->node();
    if (node && node->type.tensor()) {
        const Expr value = source_.tensor(*node);
        return node->type.tensor()->dtype == dtype ? value : convert(value, dtype);
    }
    if (node && node->type.scalar()) return convert(source_.number(*node), promotedType(dtype));
    const ComputeType computeType = promotedType(dtype);
    if (const auto* integer = argument->integer()) return builder_.constant(computeType, *integer);
    const auto value = literalOf(*argument);
    if (!value || (computeType == ComputeType::i64 && *value != std::trunc(*value))) throw NotLowered{};
    return builder_.constant(computeType, *value);
}

Expr LoweredCall::raw(std::size_t i) { return as(typeOf(i), i); }

DType LoweredCall::typeOf(std::size_t i) const {
    const Argument* argument = find(i, {});
    if (!argument) throw NotLowered{};
    if (argument->node() && argument->node()->type.tensor()) return argument->node()->type.tensor()->dtype;
    const auto type = numberType(*argument);
    if (!type) throw NotLowered{};
    return *type;
}

DType LoweredCall::promoted(std::initializer_list<std::size_t> arguments) const {
    Promotion promotion;
    for (const std::size_t i : arguments) {
        const Node* node = find(i, {}) ? find(i, {})->node() : nullptr;
        const TensorType* tensor = node ? node->type.tensor() : nullptr;
        auto& of = !tensor ? promotion.numbers : tensor->sizes.empty() ? promotion.scalars : promotion.tensors;
        Promotion::join(of, typeOf(i));
    }
    return promotion.result();
}

std::optional<double> LoweredCall::literal(std::size_t i, std::string_view name) const {
    const Argument* argument = find(i, name);
    return argument ? literalOf(*argument) : std::nullopt;
}

double LoweredCall::literal(std::size_t i, std::string_view name, double standard) const {
    if (!has(i, name)) return standard;
    const auto value = literal(i, name);
    if (!value) throw NotLowered{};
    return *value;
}

bool LoweredCall::flag(std::size_t i) const { return literal(i, {}, 0) != 0; }

std::string LoweredCall::text(std::size_t i, std::string_view name) const {
    const Argument* argument = find(i, name);
    if (!argument) return {};
    const auto* text = std::get_if<std::string>(&argument->value);
    if (!text) throw NotLowered{};
    return *text;
}

Expr LoweredCall::gathered() {
    const auto call = indexCallOf(node_);
    if (!call || call->values) throw NotLowered{};
    const std::size_t input = source_.indexed(*call->tensor);
    return builder_.gather(input, call->tensor->type.tensor()->dtype,
                           offsetsOf(*call, static_cast<std::int32_t>(input), builder_, source_));
}

std::optional<std::int64_t> LoweredCall::reducedCount() const {
    std::int64_t count = 1;
    for (const int d : reducedDimensions(node_)) {
        const SymExpr size = sizeOf(*node_.args()[0].node()->type.tensor(), static_cast<std::size_t>(d));
        if (!size.isNumber()) return std::nullopt;
        count *= size.number();
    }
    return count;
}

SymExpr sizeOf(const TensorType& type, std::size_t dimension) {
    return type.symbolic ? type.symbolic->sizes[dimension] : SymExpr(type.sizes[dimension]);
}

namespace {

using Lowerings = std::map<std::string, Lowering, std::less<>>;

/// Operators of prims with the same arguments as an ATen operator of another name.
void addPrims(Lowerings& all) {
    constexpr std::string_view same =
        "abs.default acos.default acosh.default asin.default asinh.default atan.default atanh.default "
        "bitwise_not.default ceil.default cos.default cosh.default erf.default erfc.default exp.default exp2.default "
        "expm1.default floor.default isfinite.default log.default log10.default log1p.default log2.default neg.default "
        "reciprocal.default round.default rsqrt.default sign.default sin.default sinh.default sqrt.default tan.default "
        "tanh.default trunc.default add.Tensor atan2.default bitwise_and.Tensor bitwise_or.Tensor bitwise_xor.Tensor "
        "div.Tensor eq.Tensor fmax.default fmin.default fmod.Tensor ge.Tensor gt.Tensor hypot.default le.Tensor "
        "lt.Tensor maximum.default minimum.default mul.Tensor ne.Tensor pow.Tensor_Tensor remainder.Tensor sub.Tensor "
        "where.self amax.default amin.default sum.dim_IntList ";
    for (std::size_t from = 0; from < same.size(); from = same.find(' ', from) + 1) {
        const std::string op(same.substr(from, same.find(' ', from) - from));
        all["prims." + op.substr(0, op.find('.')) + ".default"] = all.at("aten." + op);
    }
    all["prims.var.default"] = all.at("aten.var.correction");
    all["prims.convert_element_type.default"] = all.at("aten._to_copy.default");
}

const Lowerings& lowerings() {
    static const Lowerings table = [] {
        Lowerings all;
        for (const LoweringTable& family :
             {arithmeticLowerings(), activationLowerings(), reductionLowerings(), indexLowerings()})
            all.insert(family.begin(), family.end());
        addPrims(all);
        return all;
    }();
    return table;
}

}  // namespace

const Lowering* findLowering(std::string_view op) {
    const auto it = lowerings().find(op);
    return it == lowerings().end() ? nullptr : &it->second;
}

std::vector<std::string_view> loweredOperations() {
    std::vector<std::string_view> operations;
    for (const auto& [op, lowering] : lowerings()) operations.push_back(op);
    return operations;
}

std::vector<int> reducedDimensions(const Node& call) {
    const Lowering* lowering = findLowering(call.op());
    const auto iterates = [](Lowering::Shape shape) {
        return shape == Lowering::Shape::pointwise || shape == Lowering::Shape::gather;
    };
    if (!lowering || iterates(lowering->shape)) return {};
    const auto rank = static_cast<std::int64_t>(call.args()[0].node()->type.tensor()->sizes.size());
    std::vector<bool> isReduced(static_cast<std::size_t>(rank), true);
    const Argument* given = nullptr;
    if (lowering->dimensions) {
        if (*lowering->dimensions < call.args().size()) given = &call.args()[*lowering->dimensions];
        for (const auto& [key, value] : call.kwargs())
            if (key == "dim" || key == "dims") given = &value;
    }
    if (given && !given->isNone()) {
        const Argument::List list = given->list() ? *given->list() : Argument::List{*given};
        if (!list.empty()) std::fill(isReduced.begin(), isReduced.end(), false);
        for (const Argument& d : list)
            if (const std::int64_t* at = d.integer(); at && *at >= -rank && *at < rank)
                isReduced[static_cast<std::size_t>(*at < 0 ? *at + rank : *at)] = true;
    }
    std::vector<int> reduced;
    for (int d = 0; d < rank; ++d)
        if (isReduced[static_cast<std::size_t>(d)]) reduced.push_back(d);
    return reduced;
}

LoweredResults lower(const Node& call, KernelBuilder& builder, OperandSource& source) {
    const Lowering* lowering = findLowering(call.op());
    const auto types = resultTypes(call);
    const auto isKnown = [](const TensorType* type) { return type && isKernelType(type->dtype); };
    if (!lowering || types.empty() || !std::all_of(types.begin(), types.end(), isKnown)) return {};
    try {
        LoweredCall lowered(call, builder, source);
        LoweredResults results = lowering->emit(lowered);
        results.resize(std::min(results.size(), types.size()));
        for (std::size_t i = 0; i < results.size(); ++i) results[i] = convert(results[i], types[i]->dtype);
        return results;
    } catch (const NotLowered&) {
        return {};
    }
}

}  // namespace aotscope
