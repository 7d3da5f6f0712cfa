#pragma once

#include "compile/fused/expression.h"
#include "ir/graph.h"

#include <optional>
#include <vector>

namespace aotscope {

/// Where an operation that is lowered to instructions gets its arguments.
class OperandSource {
public:
    virtual ~OperandSource() = default;
    /// The tensor in the compute type of its dtype.
    virtual Expr tensor(const Node& node) = 0;
    virtual Expr number(const Node& node) = 0;
    /// The input of the kernel that is the tensor whose elements are selected by indices.
    virtual std::size_t indexed(const Node& tensor) = 0;
};

struct IndexCall;
/// The offsets of a call's indices in `tensor`, which is an input, or -1 - an output.
std::vector<Expr> offsetsOf(const IndexCall& call, std::int32_t tensor, KernelBuilder& builder, OperandSource& source);

/// A call that is lowered to instructions. Arguments are numbered as in the operator's schema; keyword arguments are
/// found by name.
class LoweredCall {
public:
    LoweredCall(const Node& node, KernelBuilder& builder, OperandSource& source)
        : node_(node), builder_(builder), source_(source) {}

    /// The dtype of the result, to which operands are converted as in ATen.
    DType result() const;
    bool isReal() const;  ///< whether that is a floating-point type

    bool has(std::size_t i, std::string_view name = {}) const;
    /// The argument as a value of `dtype`, whether a tensor, a number, or a literal; the latter two are not rounded.
    Expr as(DType dtype, std::size_t i, std::string_view name = {});
    /// In the result's dtype.
    Expr x(std::size_t i, std::string_view name = {}) { return as(result(), i, name); }
    /// As a boolean.
    Expr truth(std::size_t i) { return convert(raw(i), ComputeType::boolean); }
    /// In its own compute type.
    Expr raw(std::size_t i);
    /// The dtype in which arguments are compared: the one to which ATen promotes them.
    DType promoted(std::initializer_list<std::size_t> arguments) const;
    DType typeOf(std::size_t i) const;

    /// The value if it is known before the kernel runs.
    std::optional<double> literal(std::size_t i, std::string_view name = {}) const;
    double literal(std::size_t i, std::string_view name, double standard) const;
    bool flag(std::size_t i) const;
    std::string text(std::size_t i, std::string_view name) const;  ///< empty: not given
    Expr constant(double value) { return builder_.constant(promotedType(result()), value); }

    /// The elements that indices select; throws if kernels do not support these.
    Expr gathered();

    /// How many elements are reduced to one; nothing if that depends on dynamic sizes.
    std::optional<std::int64_t> reducedCount() const;

private:
    const Argument* find(std::size_t i, std::string_view name) const;

    const Node& node_;
    KernelBuilder& builder_;
    OperandSource& source_;
};

/// The results of an operation; empty if kernels cannot compute it with these arguments.
using LoweredResults = std::vector<Expr>;

struct Lowering {
    LoweredResults (*emit)(LoweredCall&) = nullptr;
    enum class Shape : std::uint8_t {
        pointwise,  ///< results have the broadcast size of the operands
        gather,     ///< results have the size that indices and unindexed dimensions give
        reduction,  ///< results have the size of the kept dimensions
        rowwise,    ///< reduces, but results have the size of the operands
    } shape = Shape::pointwise;
    std::optional<std::size_t> dimensions = {};  ///< the argument that lists the reduced dimensions; nothing: all
};

/// The lowering of `op`; null if it has none.
const Lowering* findLowering(std::string_view op);
/// All operations that have a lowering.
std::vector<std::string_view> loweredOperations();

/// The dimensions that the call reduces, ascending: empty for pointwise operations.
std::vector<int> reducedDimensions(const Node& call);

/// The size of a dimension, valid for all values of the symbols.
SymExpr sizeOf(const TensorType& type, std::size_t dimension);
inline bool isOne(const SymExpr& size) { return size.isNumber() && size.number() == 1; }

/// The instructions of all results of `call`, each in its own dtype.
LoweredResults lower(const Node& call, KernelBuilder& builder, OperandSource& source);

using LoweringTable = std::vector<std::pair<std::string_view, Lowering>>;
// One file per family.
LoweringTable arithmeticLowerings();
LoweringTable activationLowerings();
LoweringTable reductionLowerings();
LoweringTable indexLowerings();

}  // namespace aotscope
