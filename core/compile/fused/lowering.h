#pragma once

#include "compile/fused/expression.h"
#include "ir/graph.h"

#include <optional>
#include <vector>

namespace aotscope {

/// Where the arguments of an operation come from while it becomes instructions.
class OperandSource {
public:
    virtual ~OperandSource() = default;
    /// The tensor as it is, in the compute type of its type.
    virtual Expr tensor(const Node& node) = 0;
    virtual Expr number(const Node& node) = 0;
};

/// A call that becomes instructions. Arguments are counted as in the operator's schema; those that are given by name
/// are looked up by it.
class LoweredCall {
public:
    LoweredCall(const Node& node, KernelBuilder& builder, OperandSource& source)
        : node_(node), builder_(builder), source_(source) {}

    /// The type of a result, into which operands are converted as ATen does.
    DType result() const;
    bool isReal() const;  ///< whether that is a floating-point type

    bool has(std::size_t i, std::string_view name = {}) const;
    /// The argument as a value of `dtype`, be it a tensor, a number, or a literal; the latter two are not rounded to
    /// it.
    Expr as(DType dtype, std::size_t i, std::string_view name = {});
    /// As a value of the result's type.
    Expr x(std::size_t i, std::string_view name = {}) { return as(result(), i, name); }
    /// As a truth value.
    Expr truth(std::size_t i) { return convert(raw(i), ComputeType::boolean); }
    /// In the compute type of its own type.
    Expr raw(std::size_t i);
    /// The type in which arguments are compared: that to which ATen promotes them.
    DType promoted(std::initializer_list<std::size_t> arguments) const;
    DType typeOf(std::size_t i) const;

    /// What is known before the kernel runs; nothing for anything else.
    std::optional<double> literal(std::size_t i, std::string_view name = {}) const;
    double literal(std::size_t i, std::string_view name, double standard) const;
    bool flag(std::size_t i) const;
    std::string text(std::size_t i, std::string_view name) const;  ///< empty: not given
    Expr constant(double value) { return builder_.constant(promotedType(result()), value); }

    /// How many elements are reduced to one; none where that depends on sizes that vary.
    std::optional<std::int64_t> reducedCount() const;

private:
    const Argument* find(std::size_t i, std::string_view name) const;

    const Node& node_;
    KernelBuilder& builder_;
    OperandSource& source_;
};

/// The results of an operation; none: kernels cannot do it with these arguments.
using LoweredResults = std::vector<Expr>;

struct Lowering {
    LoweredResults (*emit)(LoweredCall&) = nullptr;
    enum class Shape : std::uint8_t {
        pointwise,  ///< results have the broadcast size of the operands
        reduction,  ///< and those of a reduction that of the kept dimensions
        rowwise,    ///< reduces, but results have the size of the operands
    } shape = Shape::pointwise;
    std::optional<std::size_t> dimensions = {};  ///< the argument that says which are reduced; none: all
};

/// How `op` becomes instructions; null if it cannot.
const Lowering* findLowering(std::string_view op);
/// All operations that can.
std::vector<std::string_view> loweredOperations();

/// The dimensions that the call reduces, ascending: empty for pointwise operations.
std::vector<int> reducedDimensions(const Node& call);

/// The size of a dimension, for all values of symbols.
SymExpr sizeOf(const TensorType& type, std::size_t dimension);
inline bool isOne(const SymExpr& size) { return size.isNumber() && size.number() == 1; }

/// The instructions of all results of `call`, each as a value of its type.
LoweredResults lower(const Node& call, KernelBuilder& builder, OperandSource& source);

using LoweringTable = std::vector<std::pair<std::string_view, Lowering>>;
// One file per family.
LoweringTable arithmeticLowerings();
LoweringTable activationLowerings();
LoweringTable reductionLowerings();

}  // namespace aotscope
