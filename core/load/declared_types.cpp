#include "load/script_graph_check.h"
#include "support/error.h"

#include <set>
#include <utility>

namespace aotscope {

namespace {

using c10::TypeKind;

/// Compares values with what their places declare, without recursion. What a number, a text or a tensor is, everyone
/// who uses it asks; where a tuple or an object is expected, LibTorch does not.
class TypeCheck {
public:
    void run(const c10::ivalue::Object& root) {
        addAttributes(root, "");
        while (!work_.empty()) {
            const Work work = std::move(work_.back());
            work_.pop_back();
            check(work);
        }
    }

private:
    struct Work {
        c10::IValue value;
        c10::TypePtr declared;
        std::string name;
    };

    void addAttributes(const c10::ivalue::Object& object, const std::string& name) {
        const auto held = object.type();
        const c10::ClassType& type = *held;
        if (object.slots().size() < type.numAttributes()) fail(name, "has too few attributes");
        for (std::size_t i = 0; i < type.numAttributes(); ++i)
            work_.push_back({object.getSlot(i), type.getAttribute(i),
                             name.empty() ? type.getAttributeName(i) : name + "." + type.getAttributeName(i)});
    }

    void check(const Work& work) {
        const c10::IValue& value = work.value;
        if (value.isPtrType() && !seen_.emplace(value.internalToPointer(), work.declared.get()).second) return;
        if (value.isObject()) addAttributes(value.toObjectRef(), work.name);
        const c10::Type& declared = *work.declared;
        switch (declared.kind()) {
            case TypeKind::OptionalType:
                if (!value.isNone()) work_.push_back({value, declared.containedType(0), work.name});
                return;
            case TypeKind::ClassType:
            case TypeKind::InterfaceType:
                if (!value.isObject() || !value.type()->isSubtypeOf(declared)) fail(work);
                return;
            case TypeKind::TupleType: return checkTuple(work);
            case TypeKind::ListType:
                if (value.isList() && !isLeaf(*declared.containedType(0)))
                    for (const c10::IValue& element : value.toListRef())
                        work_.push_back({element, declared.containedType(0), work.name});
                return;
            case TypeKind::DictType:
                if (value.isGenericDict() && !isLeaf(*declared.containedType(1)))
                    for (const auto& entry : value.toGenericDict())
                        work_.push_back({entry.value(), declared.containedType(1), work.name});
                return;
            case TypeKind::UnionType: return checkUnion(work);
            case TypeKind::AnyType: return addElements(work);
            default: return;
        }
    }

    /// Of a value that may be anything: objects in it are of some class all the same.
    void addElements(const Work& work) {
        const c10::IValue& value = work.value;
        const auto add = [&](const c10::IValue& element) { work_.push_back({element, work.declared, work.name}); };
        if (value.isTuple())
            for (const c10::IValue& element : value.toTupleRef().elements()) add(element);
        else if (value.isList())
            for (const c10::IValue& element : value.toListRef()) add(element);
        else if (value.isGenericDict())
            for (const auto& entry : value.toGenericDict()) add(entry.value());
    }

    void checkTuple(const Work& work) {
        const auto declared = work.declared->containedTypes();
        if (!work.value.isTuple() || work.value.toTupleRef().elements().size() != declared.size()) fail(work);
        for (std::size_t i = 0; i < declared.size(); ++i)
            work_.push_back({work.value.toTupleRef().elements()[i], declared[i], work.name});
    }

    /// An object or a tuple must be one of the alternatives.
    void checkUnion(const Work& work) {
        if (!work.value.isObject() && !work.value.isTuple()) return;
        for (const c10::TypePtr& type : work.declared->containedTypes()) {
            const bool fits = work.value.isObject()
                                  ? work.value.type()->isSubtypeOf(*type)
                                  : type->kind() == TypeKind::TupleType &&
                                        type->containedTypes().size() == work.value.toTupleRef().elements().size();
            if (fits) return work_.push_back({work.value, type, work.name});
        }
        fail(work);
    }

    static bool isLeaf(const c10::Type& type) {
        return type.containedTypes().empty() && !type.castRaw<c10::NamedType>() && type.kind() != TypeKind::AnyType;
    }

    [[noreturn]] static void fail(const Work& work) {
        fail(work.name, "is no " + work.declared->repr_str().substr(0, 80));
    }
    [[noreturn]] static void fail(const std::string& name, const std::string& why) {
        throw Error("its attribute '" + name.substr(0, 80) + "' " + why);
    }

    std::vector<Work> work_;
    std::set<std::pair<const void*, const void*>> seen_;  ///< values may be shared: each once for each declaration
};

}  // namespace

void requireDeclaredTypes(const torch::jit::Module& module) { TypeCheck().run(*module._ivalue()); }

}  // namespace aotscope
