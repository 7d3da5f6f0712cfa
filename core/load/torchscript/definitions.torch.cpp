#include "load/torchscript/definitions.h"

#include "aten/convert.h"
#include "ir/node_attributes.h"
#include "load/torchscript/definition_texts.h"
#include "load/torchscript/interrupts.h"
#include "load/torchscript/script_definitions.h"
#include "load/torchscript/script_graph_check.h"
#include "load/torchscript/script_resolver.h"
#include "load/torchscript/script_source_check.h"
#include "load/torchscript/script_types.h"
#include "support/error.h"
#include "support/mapped_file.h"
#include "support/quoted.h"
#include "support/text_encoding.h"

#include <ATen/ScalarOps.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/frontend/script_type_parser.h>
#include <torch/csrc/jit/ir/alias_analysis.h>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/runtime/custom_operator.h>
#include <torch/csrc/jit/runtime/interpreter.h>

#include <algorithm>
#include <mutex>

namespace aotscope {

namespace {

namespace jit = torch::jit;

constexpr std::size_t kMostText = 1'000'000, kMostOperators = 256;
/// The name of the file in ScriptDefinitions, and the prefix of its functions there.
constexpr const char *kRecord = "definitions.py", *kPrefix = "definitions.";
constexpr std::string_view kFake = "__fake", kBackward = "__backward";

/// The operator that a function named NAMESPACE__NAME computes; empty for a helper.
std::string operatorOf(const std::string& function) {
    const auto at = function.find("__", 1);
    if (function.starts_with("_") || at == std::string::npos || at + 2 == function.size()) return {};
    return function.substr(0, at) + "::" + function.substr(at + 2);
}

bool isTensorOrList(const c10::TypePtr& type) {
    return type->kind() == c10::TypeKind::TensorType || type->isSubtypeOf(*c10::ListType::ofTensors());
}

/// TorchScript has no types for dtypes and layouts; by convention, parameters with these names have them.
c10::Argument withRealType(const c10::Argument& argument) {
    const std::string& name = argument.name();
    c10::TypePtr real;
    if (name == "dtype" || name.ends_with("_dtype")) real = c10::ScalarTypeType::get();
    if (name == "layout") real = c10::LayoutType::get();
    const auto optional = argument.type()->cast<c10::OptionalType>();
    const c10::TypePtr type = optional ? optional->getElementType() : argument.type();
    if (!real || type->kind() != c10::TypeKind::IntType) return argument;
    if (optional) real = c10::OptionalType::create(real);
    return {name, argument.type(), real, argument.N(), argument.default_value(), argument.kwarg_only()};
}

/// The schema of the operator that `definition` computes.
c10::FunctionSchema schemaOf(const std::string& op, const jit::Def& definition, bool builtIn) {
    const c10::FunctionSchema declared =
        jit::ScriptTypeParser(scriptResolver()).parseSchemaFromDef(definition, /*skip_self=*/false);
    std::vector<c10::Argument> returns;
    const c10::TypePtr type = declared.returns().empty() ? c10::NoneType::get() : declared.returns()[0].type();
    std::vector<c10::TypePtr> types = {type};
    if (const auto tuple = type->cast<c10::TupleType>()) types = tuple->elements().vec();
    for (const auto& returned : types) {
        if (!isTensorOrList(returned))
            throw Error("the function for '" + op + "' returns " + returned->annotation_str() +
                        "; expected Tensor, List[Tensor], or a tuple of these");
        returns.emplace_back("", returned);
    }
    std::vector<c10::Argument> arguments = declared.arguments();
    if (builtIn) std::ranges::transform(arguments, arguments.begin(), withRealType);
    return {op, "", std::move(arguments), std::move(returns)};
}

/// The number of nodes in `block`, and of calls of functions among them.
std::pair<std::size_t, std::size_t> countNodes(const jit::Block& block) {
    std::pair<std::size_t, std::size_t> count;
    for (const jit::Node* node : block.nodes()) {
        ++count.first;
        count.second += node->kind() == c10::prim::CallFunction ? 1 : 0;
        for (const jit::Block* inner : node->blocks()) {
            const auto [nodes, calls] = countNodes(*inner);
            count.first += nodes, count.second += calls;
        }
    }
    return count;
}

/// Without optimization, LibTorch inlines only one level of calls.
void inlineCalls(jit::Graph& graph, const std::string& name) {
    constexpr std::size_t mostNodes = 100'000, deepest = 64;
    for (std::size_t level = 0; level < deepest; ++level) {
        const auto [nodes, calls] = countNodes(*graph.block());
        if (nodes > mostNodes)
            throw Error("the function " + inQuotes(name) + " is too long, including the functions it calls");
        if (calls == 0) return;
        jit::Inline(graph);
    }
}

/// Graphs cannot represent a definition's writes into an argument: they would be lost, or visible too early.
void requireNoWrites(const std::shared_ptr<jit::Graph>& graph, const std::string& name) {
    const jit::AliasDb aliases(graph);
    const auto inputs = graph->inputs();
    if (std::any_of(inputs.begin(), inputs.end(), [&](const jit::Value* input) { return aliases.hasWriters(input); }))
        throw Error("the function " + inQuotes(name) +
                    " writes into a parameter, or into a view of one; return the new value instead");
}

[[noreturn]] void refuseKnown(const std::string& op) {
    throw Error("it defines '" + op + "', which belongs to LibTorch or to a library that is loaded");
}

/// The schema of LibTorch's operator for which the function for `op` is a rule.
c10::FunctionSchema ruledSchema(const std::string& op) {
    const auto find = [](const std::string& name, const std::string& overload) {
        return c10::Dispatcher::singleton().findSchema({name, overload == "default" ? "" : overload});
    };
    auto known = find(op, "");
    const auto at = op.rfind("__");
    if (!known && at != std::string::npos && at > op.find("::") + 2) known = find(op.substr(0, at), op.substr(at + 2));
    if (known && !isRegisteredHere(known->operator_name())) return known->schema();
    refuseKnown(op);
}

void requireSameParameters(const std::string& function, const c10::FunctionSchema& given,
                           const c10::FunctionSchema& ruled) {
    const auto sameName = [](const c10::Argument& a, const c10::Argument& b) { return a.name() == b.name(); };
    const bool mutates =
        std::ranges::any_of(ruled.arguments(), [](const c10::Argument& a) { return a.alias_info() != nullptr; });
    if (mutates)
        throw Error("the operator that " + inQuotes(function) +
                    " is a rule for returns a view of its argument, or writes into it, which a rule cannot");
    if (!std::ranges::equal(given.arguments(), ruled.arguments(), sameName) ||
        given.returns().size() != ruled.returns().size())
        throw Error("the parameters or results of " + inQuotes(function) + " are not those of " + c10::str(ruled));
}

/// Converts a number or None to a parameter's type: the operator may have a different type for it.
c10::IValue asParameter(const c10::IValue& value, const c10::Type& type) {
    if (type.kind() == c10::TypeKind::FloatType && value.isInt()) return static_cast<double>(value.toInt());
    if (type.kind() == c10::TypeKind::OptionalType && value.isTensor() && !value.toTensor().defined()) return {};
    return value;
}

/// A compiled function, ready to run on any thread.
struct Compiled {
    std::shared_ptr<jit::CompilationUnit> unit;
    jit::Code code;
    std::vector<std::string> parameters;
    std::vector<c10::TypePtr> types;  ///< of the parameters

    void run(jit::Stack& stack, bool spread) const {
        const std::size_t below = stack.size() - types.size();
        jit::Stack own;
        for (std::size_t i = 0; i < types.size(); ++i) own.push_back(asParameter(stack[below + i], *types[i]));
        stack.resize(below);
        jit::InterpreterState(code).run(own);
        if (spread && own.size() == 1 && own.back().isTuple()) own = own.back().toTupleRef().elements().vec();
        stack.insert(stack.end(), own.begin(), own.end());
    }
};

/// aotscope::number(Scalar x) -> Tensor: passes a number for a tensor as Python does.
c10::Symbol numberSymbol() {
    static const c10::Symbol symbol = c10::Symbol::fromQualString("aotscope::number");
    [[maybe_unused]] static const jit::RegisterOperators registered({jit::Operator(
        "aotscope::number(Scalar x) -> Tensor",
        [](jit::Stack& stack) {
            at::Tensor tensor = c10::scalar_to_tensor(jit::pop(stack).toScalar());
            tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
            stack.emplace_back(std::move(tensor));
        },
        c10::AliasAnalysisKind::CONSERVATIVE)});
    return symbol;
}

/// x * 2 is mul.Tensor in Python's graphs, and mul.Scalar in TorchScript's.
void passNumbersAsTensors(jit::Block& block) {
    for (auto it = block.nodes().begin(); it != block.nodes().end();) {
        jit::Node* node = *it++;
        for (jit::Block* inner : node->blocks()) passNumbersAsTensors(*inner);
        const bool arithmetic = node->kind() == c10::aten::add || node->kind() == c10::aten::sub ||
                                node->kind() == c10::aten::mul || node->kind() == c10::aten::div;
        const c10::FunctionSchema* schema = arithmetic ? node->maybeSchema() : nullptr;
        if (!schema || !schema->overload_name().starts_with("Scalar") ||
            node->input(0)->type()->kind() != c10::TypeKind::TensorType)
            continue;
        const jit::WithInsertPoint here(node);
        jit::Node* number = node->owningGraph()->create(numberSymbol(), {node->input(1)});
        number->output()->setType(c10::TensorType::get());
        node->owningGraph()->insertNode(number);
        node->replaceInput(1, number->output());
    }
}

class DefinitionCompiler {
public:
    DefinitionCompiler(const std::string& text, OperatorKinds allow, std::string opening, bool builtIn = false)
        : judge_(allow), opening_(std::move(opening)), builtIn_(builtIn) {
        if (text.size() > kMostText) throw Error("it has more than 1 MB");
        code_.add(kRecord, withoutImports(text));
        requireShortChains(code_);
        requireSmallTypes(code_);
        judgeSource(code_, judge_);
        judgeCodeRunAtLoad(code_, judge_);
        judge_.require(opening_);
    }

    Definitions run() {
        for (const auto& [name, definition] : code_.all()) {
            if (definition.isClass())
                throw Error("it defines the class " + inQuotes(shortName(name)) + "; only functions are allowed");
            functions_.emplace_back(definition.tree);
        }
        Definitions definitions = operators();
        compile();
        for (auto& [op, defined] : definitions) defined.definition = definitionFor(functionOf(op));
        return definitions;
    }

private:
    static std::string shortName(const std::string& name) { return name.substr(std::string_view(kPrefix).size()); }
    static std::string functionOf(std::string op) { return op.replace(op.find("::"), 2, "__"); }
    bool has(const std::string& function) const { return code_.find(kPrefix + function) != nullptr; }

    /// Registered before anything is compiled, since functions may call them.
    Definitions operators() const {
        Definitions result;
        for (const jit::Def& function : functions_) {
            const std::string name = function.name().name(), op = operatorOf(name);
            if (op.empty()) continue;
            if (requireWhole(name, kFake) || requireWhole(name, kBackward)) continue;
            if (belongsToLibTorch(op)) {
                result.emplace(op, DefinedOperator{ruleFor(op, function), nullptr});
                continue;
            }
            const auto known = c10::Dispatcher::singleton().findOp({op, ""});
            if (known && known->hasSchema() && !isRegisteredHere({op, ""})) refuseKnown(op);
            const c10::FunctionSchema schema = schemaOf(op, function, builtIn_);
            registerOperator(schema);
            result.emplace(op, DefinedOperator{schema, nullptr});
        }
        if (result.size() > kMostOperators)
            throw Error("it defines more than " + std::to_string(kMostOperators) + " operators");
        return result;
    }

    /// The LibTorch operator that a function replaces.
    c10::FunctionSchema ruleFor(const std::string& op, const jit::Def& function) const {
        const std::string name = functionOf(op);
        for (const std::string_view suffix : {kFake, kBackward})
            if (has(name + std::string(suffix)))
                throw Error("it defines " + inQuotes(name + std::string(suffix)) +
                            "; shapes and gradients of a rule for an operator of LibTorch are those of what it calls");
        const c10::FunctionSchema ruled = ruledSchema(op);
        requireSameParameters(name, schemaOf(op, function, builtIn_), ruled);
        return ruled;
    }

    /// Whether `name` ends in `suffix` and belongs to an operator of the file.
    bool requireWhole(const std::string& name, std::string_view suffix) const {
        if (!name.ends_with(suffix)) return false;
        const std::string owner = name.substr(0, name.size() - suffix.size());
        if (!has(owner))
            throw Error("it defines " + inQuotes(name) + ", but no function " + inQuotes(owner) +
                        " that computes the operator");
        return true;
    }

    void compile() {
        const std::vector<jit::ResolverPtr> resolvers(functions_.size(), scriptResolver());
        unit_->define(c10::QualifiedName("__torch__"), {}, {}, functions_, resolvers, /*self=*/nullptr);
        judgeCompiledCode(*unit_, judge_);
        judge_.require(opening_);
    }

    std::shared_ptr<const Compiled> compiled(const std::string& name) const {
        const jit::Function& function = unit_->get_function(c10::QualifiedName("__torch__." + name));
        const auto graph = jit::toGraphFunction(const_cast<jit::Function&>(function)).graph()->copy();
        inlineCalls(*graph, name);
        requireNoWrites(graph, name);
        passNumbersAsTensors(*graph->block());
        interruptLoops(*graph);
        auto result = std::make_shared<Compiled>();
        result->unit = unit_;
        result->code = jit::Code(graph, name);
        for (const auto& argument : function.getSchema().arguments()) {
            result->parameters.push_back(argument.name());
            result->types.push_back(argument.type());
        }
        return result;
    }

    std::shared_ptr<const OperatorDefinition> definitionFor(const std::string& name) const {
        auto definition = std::make_shared<OperatorDefinition>();
        const auto run = [](std::shared_ptr<const Compiled> function) {
            return [function = std::move(function)](jit::Stack& stack) { function->run(stack, /*spread=*/true); };
        };
        const auto body = compiled(name);
        definition->body = run(body);
        if (const std::string fake = name + std::string(kFake); has(fake)) {
            const auto function = compiled(fake);
            if (function->parameters != body->parameters)
                throw Error("the parameters of " + inQuotes(fake) + " differ from those of " + inQuotes(name));
            definition->fake = run(function);
        }
        if (const std::string backward = name + std::string(kBackward); has(backward)) {
            const auto function = compiled(backward);
            requireKnown(backward, function->parameters, body->parameters);
            definition->gradient = OperatorGradient{function->parameters, run(function)};
        }
        return definition;
    }

    static void requireKnown(const std::string& name, const std::vector<std::string>& parameters,
                             const std::vector<std::string>& arguments) {
        for (const std::string& parameter : parameters) {
            const bool known = parameter.starts_with("grad") || parameter.starts_with("result") ||
                               std::find(arguments.begin(), arguments.end(), parameter) != arguments.end();
            if (!known)
                throw Error("the parameter " + inQuotes(parameter) + " of " + inQuotes(name) +
                            " is not a parameter of the operator; expected grad, result, or the name of a parameter");
        }
    }

    ScriptDefinitions code_;
    OperatorJudge judge_;
    std::string opening_;
    bool builtIn_;
    std::vector<jit::Def> functions_;
    std::shared_ptr<jit::CompilationUnit> unit_ = std::make_shared<jit::CompilationUnit>();
};

}  // namespace

std::shared_ptr<const Definitions> readDefinitions(const std::filesystem::path& file, OperatorKinds allow) {
    static std::mutex mutex;
    struct Entry {
        std::string text;
        OperatorKinds allow;  ///< permission is not cached
        std::weak_ptr<const Definitions> definitions;
    };
    static std::vector<Entry> inUse;
    const std::string opening = "cannot read the definitions in '" + file.string() + "'";
    const std::string text = toUtf8(MappedFile::open(file)->text());
    const std::lock_guard lock(mutex);
    std::erase_if(inUse, [](const Entry& entry) { return entry.definitions.expired(); });
    for (const Entry& entry : inUse)
        if (auto known = entry.definitions.lock(); known && entry.text == text && entry.allow == allow) return known;
    try {
        auto definitions = std::make_shared<const Definitions>(DefinitionCompiler(text, allow, opening).run());
        if (definitions->empty()) throw Error("it defines no operator; expected a function called NAMESPACE__NAME");
        inUse.push_back({text, allow, definitions});
        return definitions;
    } catch (const OperatorsRefused&) {
        throw;
    } catch (const Error& e) {
        throw Error(opening + ": " + e.what());
    } catch (const std::exception& e) {
        throw Error(opening + ": " + compilerMessage(e.what(), kRecord));
    }
}

const Definitions& builtInDefinitions(const std::string& library) {
    static std::mutex mutex;
    static std::map<std::string, Definitions> compiled;
    const std::lock_guard lock(mutex);
    if (const auto known = compiled.find(library); known != compiled.end()) return known->second;
    Definitions definitions;
    for (const auto& [file, text] : definitionTexts())
        if (library.empty() || text.find("\ndef " + library + "__") != std::string::npos)
            definitions.merge(DefinitionCompiler(text, {}, "cannot read " + file, /*builtIn=*/true).run());
    static const Definitions none;
    return definitions.empty() ? none : compiled.emplace(library, std::move(definitions)).first->second;
}

std::optional<DefinedOperator> findDefinition(const Definitions& definitions, const c10::OperatorName& name) {
    const bool isPlain = name.overload_name.empty() || name.overload_name == "functional";
    const auto it = definitions.find(isPlain ? name.name : name.name + "__" + name.overload_name);
    if (it == definitions.end()) return std::nullopt;
    if (isPlain) return it->second;
    return DefinedOperator{it->second.schema.cloneWithName(name.name, name.overload_name), it->second.definition};
}

std::string libraryOf(const c10::OperatorName& name) {
    const auto library = name.getNamespace();
    return library ? std::string(library->begin(), library->end()) : std::string();
}

void install(const Definitions& definitions) {
    for (const auto& [name, defined] : definitions)
        if (isRegisteredHere({name, ""})) define(name, defined.definition);
}

bool registerBuiltIn(const std::string& graphName) {
    if (packetOf(graphName).size() == graphName.size()) return false;
    const c10::OperatorName name = operatorName(graphName);
    const Definitions& definitions = builtInDefinitions(libraryOf(name));
    const auto defined = findDefinition(definitions, name);
    if (!defined) return false;
    install(definitions);
    const c10::OperatorHandle op = registerOperator(defined->schema);
    define(definitionKey(op.operator_name()), defined->definition);
    return true;
}

}  // namespace aotscope
