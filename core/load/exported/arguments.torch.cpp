#include "load/exported/arguments.h"

#include "aten/convert.h"
#include "support/error.h"
#include "support/quoted.h"

#include <ATen/core/jit_type.h>

namespace aotscope {

namespace {

using ExportedArgument = exported::Argument;
using c10::TypeKind;

[[noreturn]] void unfit(const std::string& found, const c10::Type& type) {
    throw Error("expected " + type.repr_str() + ", found " + found);
}

bool isWhole(const c10::Type& type) { return type.kind() == TypeKind::IntType || type.kind() == TypeKind::SymIntType; }
bool isReal(const c10::Type& type) {
    return type.kind() == TypeKind::FloatType || type.kind() == TypeKind::SymFloatType;
}
bool isTruth(const c10::Type& type) {
    return type.kind() == TypeKind::BoolType || type.kind() == TypeKind::SymBoolType;
}
bool takesAnyNumber(const c10::Type& type) {
    return type.kind() == TypeKind::NumberType || type.kind() == TypeKind::TensorType ||
           type.kind() == TypeKind::AnyType;
}

/// A constant as a value of `type`; throws for what does not fit.
struct TypedConstantMaker {
    ArgumentPlanner& planner;
    const c10::Type& type;

    c10::IValue operator()(std::monostate) const {
        if (type.kind() == TypeKind::TensorType) return at::Tensor();
        if (type.kind() == TypeKind::GeneratorType || type.kind() == TypeKind::AnyType) return {};
        unfit("None", type);
    }
    c10::IValue operator()(std::int64_t v) const {
        if (isWhole(type) || takesAnyNumber(type)) return v;
        if (isReal(type)) return static_cast<double>(v);
        if (isTruth(type)) return v != 0;
        unfit("an integer", type);
    }
    c10::IValue operator()(double v) const {
        if (isReal(type) || takesAnyNumber(type)) return v;
        unfit("a float", type);
    }
    c10::IValue operator()(bool v) const {
        if (isTruth(type) || takesAnyNumber(type)) return v;
        if (isWhole(type)) return static_cast<std::int64_t>(v);
        unfit("a boolean", type);
    }
    c10::IValue operator()(const std::complex<double>& v) const {
        if (takesAnyNumber(type)) return c10::complex<double>(v.real(), v.imag());
        unfit("a complex number", type);
    }
    c10::IValue operator()(const std::string& v) const {
        if (type.kind() == TypeKind::StringType || type.kind() == TypeKind::AnyType) return v;
        unfit("a string", type);
    }
    c10::IValue operator()(DType v) const {
        if (type.kind() == TypeKind::ScalarTypeType || isWhole(type)) return toScalarType(v);
        unfit("a dtype", type);
    }
    c10::IValue operator()(Layout v) const {
        if (type.kind() == TypeKind::LayoutType || isWhole(type)) return static_cast<at::Layout>(v);
        unfit("a layout", type);
    }
    c10::IValue operator()(MemoryFormat v) const {
        if (type.kind() == TypeKind::MemoryFormatType || isWhole(type)) return static_cast<at::MemoryFormat>(v);
        unfit("a memory format", type);
    }
    c10::IValue operator()(const Device& v) const {
        if (type.kind() == TypeKind::DeviceObjType) return planner.device(v);
        unfit("a device", type);
    }
    c10::IValue operator()(const ExportedArgument::Operator& v) const {
        throw Error("it takes the operator " + inQuotes(v.target) + ", which is not supported");
    }
    c10::IValue operator()(const ExportedArgument::Foreign& v) const {
        throw Error("it takes " + v.what + ", which exists in Python only; export the model without it");
    }
    c10::IValue operator()(const std::shared_ptr<const exported::Graph>&) const { unfit("a graph", type); }
    c10::IValue operator()(const ExportedArgument::Reference&) const { unfit("a value", type); }
    c10::IValue operator()(const ExportedArgument::List&) const { unfit("a list", type); }
};

}  // namespace

c10::Device ArgumentPlanner::device(const Device& device) const {
    const c10::Device wanted(device.name);
    return wanted.is_meta() ? wanted : device_;
}

Operand ArgumentPlanner::operand(const ExportedArgument& argument) {
    if (const auto* reference = argument.reference()) return lookUp_(reference->name);
    return {Operand::kConstant, constant(argument, *c10::AnyType::get())};
}

c10::IValue ArgumentPlanner::constant(const ExportedArgument& argument, const c10::Type& type) {
    return std::visit(TypedConstantMaker{*this, type}, argument.value);
}

ArgumentPlan ArgumentPlanner::plan(const ExportedArgument& argument, const c10::TypePtr& type, std::int64_t count) {
    using Convert = ArgumentPlan::Convert;
    if (type->kind() == TypeKind::OptionalType) {
        if (std::holds_alternative<std::monostate>(argument.value)) return {};
        return plan(argument, type->expectRef<c10::OptionalType>().getElementType(), count);
    }
    if (const auto* list = argument.list()) return planList(*list, *type);
    if (type->kind() == TypeKind::ListType)
        return planList(ExportedArgument::List(static_cast<std::size_t>(std::max<std::int64_t>(count, 1)), argument),
                        *type);
    ArgumentPlan result;
    if (type->kind() == TypeKind::TensorType) result.convert = Convert::number;
    if (isReal(*type)) result.convert = Convert::real;
    result.operand = argument.reference() ? lookUp_(argument.reference()->name)
                                          : Operand{Operand::kConstant, constant(argument, *type)};
    return result;
}

ArgumentPlan ArgumentPlanner::planList(const ExportedArgument::List& list, const c10::Type& type) {
    const bool any = type.kind() == TypeKind::AnyType;
    if (!any && type.kind() != TypeKind::ListType) unfit("a list", type);
    ArgumentPlan result;
    result.convert = ArgumentPlan::Convert::list;
    result.elementType = any ? c10::TypePtr(c10::AnyType::get()) : type.castRaw<c10::ListType>()->getElementType();
    bool allConstant = true;
    for (const ExportedArgument& element : list) {
        ArgumentPlan planned = plan(element, result.elementType);
        if (planned.convert == ArgumentPlan::Convert::list)
            throw Error("it takes lists of lists, which are not supported");
        allConstant = allConstant && planned.operand.isConstant();
        result.elements.push_back(std::move(planned.operand));
    }
    if (!allConstant) return result;
    ArgumentPlan whole;
    whole.operand.constant = result.value({});
    return whole;
}

}  // namespace aotscope
