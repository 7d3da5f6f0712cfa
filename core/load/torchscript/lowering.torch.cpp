#include "load/torchscript/lowering.h"

#include "aten/tensors.h"
#include "load/torchscript/interrupts.h"
#include "support/budget.h"
#include "support/error.h"
#include "support/quoted.h"

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/passes/constant_propagation.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>
#include <torch/csrc/jit/passes/inliner.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace aotscope {

namespace {

namespace jit = torch::jit;

/// Two tensors with the same key are one parameter under two names.
using TensorKey = std::tuple<const void*, int64_t, std::vector<int64_t>, std::vector<int64_t>>;

TensorKey keyOf(const at::Tensor& t) { return {storageOf(t), t.storage_offset(), t.sizes().vec(), t.strides().vec()}; }

struct ModuleRef {
    c10::intrusive_ptr<c10::ivalue::Object> object;
    std::string path;
};

std::string joinPath(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
}

/// `type` with futures replaced by their values.
c10::TypePtr withoutFutures(const c10::TypePtr& type) {
    if (const auto future = type->cast<c10::FutureType>()) return withoutFutures(future->getElementType());
    if (type->containedTypes().empty() || type->kind() == c10::TypeKind::ClassType) return type;
    std::vector<c10::TypePtr> contained;
    for (const auto& inner : type->containedTypes()) contained.push_back(withoutFutures(inner));
    return type->withContained(std::move(contained));
}

std::string typeName(const ModuleRef& module) {
    const auto type = module.object->type();
    std::string name = type->name() ? type->name()->name() : std::string();
    return name.substr(0, name.find("___torch_mangle"));
}

std::string described(const ModuleRef& module) {
    return module.path.empty() ? "the model" : "the module '" + module.path + "'";
}

/// Copies methods into one graph, replacing modules by their contents.
class Lowering {
public:
    explicit Lowering(const jit::Module& module) : root_{module._ivalue(), ""} { collectState(module); }

    LoweredMethod run(const std::string& method) {
        result_.graph = std::make_shared<jit::Graph>();
        for (const auto& s : result_.state) {
            jit::Value* input = result_.graph->addInput();
            input->setType(c10::TensorType::get());
            (void)s;
        }
        jit::Function* function = root_.object->type()->findMethod(method);
        if (!function)
            throw UsageError("the module " + inQuotes(typeName(root_)) + " has no method " + inQuotes(method) +
                             otherMethods() + "; choose one of them with --method, or export this one");
        jit::Graph& source = *jit::toGraphFunction(*function).graph();

        Environment environment;
        environment.modules[source.inputs()[0]] = root_;
        for (std::size_t i = 1; i < source.inputs().size(); ++i)
            environment.values[source.inputs()[i]] =
                result_.graph->addInput(source.inputs()[i]->debugNameBase())->copyMetadata(source.inputs()[i]);
        const jit::WithInsertPoint insert(result_.graph->block());
        copyNodes(source.block(), environment, root_);
        for (jit::Value* output : source.outputs()) result_.graph->registerOutput(lookup(environment, output));
        completePlaces();
        return std::move(result_);
    }

private:
    struct Environment {
        std::unordered_map<const jit::Value*, jit::Value*> values;
        std::unordered_map<const jit::Value*, ModuleRef> modules;
    };

    std::string otherMethods() const {
        std::string names;
        for (const jit::Function* other : root_.object->type()->methods())
            names += (names.empty() ? "" : ", ") + other->name();
        return names.empty() ? "" : " (it has: " + names + ")";
    }

    void collectState(const jit::Module& module) {
        const auto add = [&](const std::string& name, const at::Tensor& tensor, Role role) {
            if (!tensor.defined()) return;
            if (stateIndex_.emplace(keyOf(tensor), result_.state.size()).second)
                result_.state.push_back({name, role, tensor});
        };
        for (const auto& p : module.named_parameters(true)) add(p.name, p.value, Role::parameter);
        for (const auto& b : module.named_buffers(true)) add(b.name, b.value, Role::buffer);
        // Plain tensor attributes carry state just as buffers do.
        for (const auto& a : module.named_attributes(true))
            if (a.value.isTensor()) add(a.name, a.value.toTensor(), Role::buffer);
    }

    static jit::Value* lookup(const Environment& environment, const jit::Value* value) {
        const auto it = environment.values.find(value);
        if (it == environment.values.end())
            throw Error("the model passes a module around as a value (%" + value->debugName() +
                        "); call the module instead");
        return it->second;
    }

    void copyNodes(jit::Block* block, Environment& environment, const ModuleRef& module) {
        for (jit::Node* node : block->nodes()) copyNode(node, environment, module);
    }

    /// Functions that call others twice, forty levels deep, take a few lines, but inlining them would never end.
    void countNode() {
        ++visited_;
        if (visited_ > mostNodes_)
            throw Error("the model's methods, inlined, come to more than " + std::to_string(mostNodes_) +
                        " operations; if it is really that large, raise --memory-limit (Run > "
                        "Limits)");
        if (const Budget* budget = BudgetScope::current()) budget->checkCancelled();
    }

    void copyNode(jit::Node* node, Environment& environment, const ModuleRef& module) {
        countNode();
        if (node->kind() == interruptSymbol()) return;
        if (node->kind() == c10::prim::GetAttr && environment.modules.contains(node->input()))
            return getAttribute(node, environment);
        if (node->kind() == c10::prim::SetAttr && environment.modules.contains(node->input(0)))
            return setAttribute(node, environment);
        if (node->kind() == c10::prim::CallMethod) {
            if (environment.modules.contains(node->input(0))) return callMethod(node, environment);
            if (auto type = node->input(0)->type()->cast<c10::ClassType>())
                return inlineGraph(*jit::toGraphFunction(type->getMethod(node->s(c10::attr::name))).graph(), node, 0,
                                   environment, module);
        }
        if (node->kind() == c10::prim::ModuleContainerIndex)
            throw Error(described(module) +
                        " selects a submodule by an index or key that is known only at run time; loop over the "
                        "submodules with an if instead");
        // Runs synchronously what TorchScript runs concurrently.
        if (node->kind() == c10::prim::fork || node->kind() == forkHereSymbol())
            return inlineGraph(*node->g(c10::attr::Subgraph), node, 0, environment, module);
        if (node->kind() == c10::aten::wait) return bindOutput(node->output(), node->input(), environment, environment);
        if (node->kind() == c10::prim::Print) return;  // text of a tensor that exists only during tracing
        if (node->kind() == c10::prim::CallFunction)
            if (auto* function = jit::tryToGraphFunction(node))
                return inlineGraph(*function->graph(), node, 1, environment, module);
        if (node->kind() == c10::prim::If) return copyIf(node, environment, module);
        copyPlain(node, environment, module);
    }

    void getAttribute(jit::Node* node, Environment& environment) {
        const ModuleRef& owner = environment.modules.at(node->input());
        const std::string& name = node->s(c10::attr::name);
        const c10::IValue value = owner.object->getAttr(name);
        if (value.isObject()) {
            if (!value.toObjectRef().type()->is_module())
                throw Error("attribute '" + joinPath(owner.path, name) + "' is an object of class '" +
                            value.toObjectRef().type()->repr_str() +
                            "'; expected tensors, numbers, strings and containers of these");
            environment.modules[node->output()] = {value.toObject(), joinPath(owner.path, name)};
            return;
        }
        environment.values[node->output()] = attributeValue(value, joinPath(owner.path, name));
    }

    /// `self.count += 1` with a tensor writes in place, then assigns the same tensor: only that is allowed.
    void setAttribute(jit::Node* node, Environment& environment) {
        const ModuleRef& owner = environment.modules.at(node->input(0));
        const std::string& name = node->s(c10::attr::name);
        const c10::IValue current = owner.object->getAttr(name);
        if (current.isTensor() && !environment.modules.contains(node->input(1))) {
            const jit::Value* value = lookup(environment, node->input(1));
            while (const jit::Value* target = writtenInPlace(value)) value = target;
            if (value == attributeValue(current, joinPath(owner.path, name))) return;
        }
        throw Error(described(owner) + " assigns to its attribute " + inQuotes(name) +
                    ", which a pure function cannot do; update a registered buffer in place instead, for example "
                    "with copy_");
    }

    /// The tensor that the operation behind `value` writes to and returns; null for other operations.
    static const jit::Value* writtenInPlace(const jit::Value* value) {
        const jit::Node* node = value->node();
        const auto* schema = node->maybeSchema();
        if (!schema || schema->arguments().empty() || schema->returns().size() != 1) return nullptr;
        const auto* written = schema->arguments()[0].alias_info();
        const auto* returned = schema->returns()[0].alias_info();
        const bool same = written && returned && written->isWrite() && written->beforeSets() == returned->beforeSets();
        return same ? node->input(0) : nullptr;
    }

    jit::Value* attributeValue(const c10::IValue& value, const std::string& name) {
        if (value.isTensor() && value.toTensor().defined()) {
            const auto it = stateIndex_.find(keyOf(value.toTensor()));
            check(it != stateIndex_.end(), "tensor attribute " + inQuotes(name) + " was not collected");
            return result_.graph->inputs()[it->second];
        }
        if (value.isTensorList()) {
            std::vector<jit::Value*> elements;
            for (const at::Tensor& t : value.toTensorVector()) elements.push_back(listedTensor(t));
            return result_.graph->insertNode(result_.graph->createList(c10::TensorType::get(), elements))->output();
        }
        if (auto constant = jit::tryInsertConstant(*result_.graph, value)) return *constant;
        throw Error("attribute " + inQuotes(name) + " is of type '" + value.type()->repr_str() +
                    "'; expected tensors, numbers, strings and containers of these");
    }

    jit::Value* listedTensor(const at::Tensor& tensor) {
        const auto it = stateIndex_.find(keyOf(tensor));
        return it != stateIndex_.end() ? result_.graph->inputs()[it->second] : result_.graph->insertConstant(tensor);
    }

    void callMethod(jit::Node* node, Environment& environment) {
        const ModuleRef callee = environment.modules.at(node->input(0));
        const std::string& name = node->s(c10::attr::name);
        jit::Function* function = callee.object->type()->findMethod(name);
        if (!function) throw Error("module '" + callee.path + "' has no method '" + name + "'");
        inlineGraph(*jit::toGraphFunction(*function).graph(), node, 0, environment, callee);
    }

    void inlineGraph(jit::Graph& callee, jit::Node* call, std::size_t firstInput, Environment& environment,
                     const ModuleRef& module) {
        Environment inner;
        for (std::size_t i = 0; i < callee.inputs().size(); ++i) {
            const jit::Value* actual = call->input(firstInput + i);
            if (auto it = environment.modules.find(actual); it != environment.modules.end())
                inner.modules[callee.inputs()[i]] = it->second;
            else inner.values[callee.inputs()[i]] = lookup(environment, actual);
        }
        copyNodes(callee.block(), inner, module);
        for (std::size_t i = 0; i < callee.outputs().size(); ++i)
            bindOutput(call->outputs()[i], callee.outputs()[i], environment, inner);
    }

    /// Binds a value of `from`, which may be a module, to the value of `target` in `to`.
    static void bindOutput(const jit::Value* target, const jit::Value* value, Environment& to,
                           const Environment& from) {
        if (auto it = from.modules.find(value); it != from.modules.end()) to.modules[target] = it->second;
        else to.values[target] = lookup(from, value);
    }

    void copyIf(jit::Node* node, Environment& environment, const ModuleRef& module) {
        const auto condition = jit::constant_as<bool>(lookup(environment, node->input()));
        if (!condition) return copyPlain(node, environment, module);
        jit::Block* taken = node->blocks()[*condition ? 0 : 1];
        copyNodes(taken, environment, module);
        for (std::size_t i = 0; i < node->outputs().size(); ++i)
            bindOutput(node->outputs()[i], taken->outputs()[i], environment, environment);
    }

    /// Whether it may run tensor operations: everything except parts of the language itself.
    static bool mayDispatch(const jit::Node* node) {
        if (!node->kind().is_prim() || node->kind() == c10::prim::CallMethod) return true;
        const auto isTensor = [](const jit::Value* v) { return v->type()->kind() == c10::TypeKind::TensorType; };
        return node->maybeOperator() && std::any_of(node->inputs().begin(), node->inputs().end(), isTensor);
    }

    void copyPlain(jit::Node* node, Environment& environment, const ModuleRef& module) {
        const auto map = [&](jit::Value* v) { return lookup(environment, v); };
        jit::Node* copy = result_.graph->insertNode(result_.graph->createClone(node, map, /*copy_blocks=*/false));
        for (std::size_t i = 0; i < node->outputs().size(); ++i) {
            environment.values[node->outputs()[i]] = copy->outputs()[i];
            copy->outputs()[i]->setType(withoutFutures(copy->outputs()[i]->type()));
        }
        if (mayDispatch(node)) locate(copy, node, module);
        for (jit::Block* block : node->blocks()) {
            jit::Block* target = copy->addBlock();
            for (jit::Value* input : block->inputs())
                environment.values[input] = target->addInput()->copyMetadata(input);
            const jit::WithInsertPoint insert(target);
            copyNodes(block, environment, module);
            for (jit::Value* output : block->outputs()) target->registerOutput(lookup(environment, output));
        }
        foldIfConstant(copy, environment, node);
    }

    /// Evaluates integer and boolean arithmetic on constants, so that branches on it are known.
    void foldIfConstant(jit::Node* copy, Environment& environment, jit::Node* original) {
        if (copy->outputs().size() != 1 || !copy->blocks().empty() || copy->kind() == c10::prim::Constant ||
            copy->hasSideEffects())
            return;
        const auto kind = copy->output()->type()->kind();
        const bool number =
            kind == c10::TypeKind::BoolType || kind == c10::TypeKind::IntType || kind == c10::TypeKind::FloatType;
        if (!number && copy->kind() != c10::prim::unchecked_cast) return;
        for (jit::Value* input : copy->inputs())
            if (input->node()->kind() != c10::prim::Constant) return;
        const auto results = jit::runNodeIfInputsAreConstant(copy);
        if (!results || results->size() != 1) return;
        const auto constant = jit::tryInsertConstant(*result_.graph, results->front());
        if (!constant) return;
        environment.values[original->output()] = *constant;
        result_.locationOf.erase(copy);
        copy->destroy();
    }

    /// Some of TorchScript's own operators have no location and get that of the nearest operation in their module.
    void completePlaces() {
        const auto complete = [](auto begin, auto end) {
            for (auto it = begin, last = begin; it != end; last = it++)
                if ((*it)->text.empty() && (*last)->module == (*it)->module) *it = *last;
        };
        complete(result_.locations.begin(), result_.locations.end());
        complete(result_.locations.rbegin(), result_.locations.rend());
    }

    void locate(const jit::Node* copy, const jit::Node* original, const ModuleRef& module) {
        SourceInfo info;
        info.module = module.path;
        info.moduleType = typeName(module);
        auto range = original->sourceRange();
        if (auto generated = range.findSourceRangeThatGenerated()) range = *generated;
        if (auto place = range.file_line_col()) {
            info.file = std::get<0>(*place);
            info.line = static_cast<std::int32_t>(std::get<1>(*place));
        }
        if (const auto& source = range.source()) {
            const auto line = source->get_line(source->lineno_for_offset(range.start())).str();
            const auto start = line.find_first_not_of(' ');
            if (start != std::string::npos) info.text = line.substr(start);
            while (!info.text.empty() && (info.text.back() == '\n' || info.text.back() == ' ')) info.text.pop_back();
        }
        result_.locationOf[copy] = result_.locations.size();
        result_.locations.push_back(std::make_shared<const SourceInfo>(std::move(info)));
    }

    ModuleRef root_;
    LoweredMethod result_;
    const std::size_t mostNodes_ =
        ForeignRun::current() ? ForeignRun::current()->mostOperations() : std::numeric_limits<std::size_t>::max();
    std::size_t visited_ = 0;
    std::map<TensorKey, std::size_t> stateIndex_;
};

}  // namespace

LoweredMethod lowerMethod(const torch::jit::Module& module, const std::string& method) {
    return Lowering(module).run(method);
}

}  // namespace aotscope
