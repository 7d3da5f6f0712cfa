#include "load/torchscript/script_definitions.h"

#include "load/torchscript/torchscript_nesting.h"
#include "support/error.h"
#include "support/quoted.h"

#include <torch/csrc/jit/frontend/lexer.h>
#include <torch/csrc/jit/frontend/parser.h>

#include <algorithm>

namespace aotscope {

namespace {

namespace jit = torch::jit;

/// For all code of an archive; the largest of our reference files has 30,000.
constexpr std::size_t kMostTokens = 2'000'000;

/// "code/__torch__/models.py" -> "__torch__.models"
std::string qualifierOf(std::string record) {
    record = record.substr(record.find('/') + 1);
    record.resize(record.rfind('.'));
    std::replace(record.begin(), record.end(), '/', '.');
    return record;
}

/// The header that older versions of PyTorch wrote.
void skipPreamble(jit::Lexer& lexer) {
    if (lexer.cur().kind == jit::TK_IDENT && lexer.cur().text() == "op_version_set")
        while (lexer.cur().kind != jit::TK_EOF && lexer.next().kind != jit::TK_NEWLINE) {}
}

void skipImports(jit::Lexer& lexer) {
    while (lexer.cur().kind == jit::TK_IMPORT)
        while (lexer.cur().kind != jit::TK_EOF && lexer.next().kind != jit::TK_NEWLINE) {}
}

}  // namespace

std::string dottedName(const jit::Expr& expression) {
    if (expression.kind() == jit::TK_VAR) return jit::Var(expression).name().name();
    if (expression.kind() != '.') return {};
    const jit::Select select(expression);
    const std::string first = dottedName(select.value());
    return first.empty() ? first : first + "." + select.selector().name();
}

void ScriptDefinitions::add(const std::string& record, const std::string& text) {
    tokens_ += requireShallowSource(record, text);
    if (tokens_ > kMostTokens)
        throw Error("its code has more than " + std::to_string(kMostTokens) + " words and signs");
    const std::string qualifier = qualifierOf(record);
    jit::Parser parser(std::make_shared<jit::Source>(text, record, 1));
    jit::Lexer& lexer = parser.lexer();
    skipPreamble(lexer);
    for (skipImports(lexer); lexer.cur().kind != jit::TK_EOF; skipImports(lexer)) {
        ScriptDefinition definition;
        std::string name;
        if (lexer.cur().kind == jit::TK_CLASS_DEF) {
            definition.tree = parser.parseClass();
            name = jit::ClassDef(definition.tree).name().name();
        } else if (lexer.cur().kind == jit::TK_DEF) {
            definition.tree = parser.parseFunction(/*is_method=*/false);
            name = jit::Def(definition.tree).name().name();
        } else {
            throw Error(inQuotes(record) +
                        " holds something other than classes and functions, such as 'def f(x): return x.sin()'");
        }
        definition.name = qualifier + "." + name;
        addDefinition(std::move(definition));
    }
}

const ScriptDefinition* ScriptDefinitions::find(const std::string& name) const {
    const auto it = definitions_.find(name);
    return it == definitions_.end() ? nullptr : &it->second;
}

void ScriptDefinitions::addDefinition(ScriptDefinition definition) {
    if (definition.isClass()) addMembers(definition);
    const std::string name = definition.name;
    if (!definitions_.emplace(name, std::move(definition)).second)
        throw Error("it defines " + inQuotes(name) + " twice");
}

void ScriptDefinitions::addMembers(ScriptDefinition& definition) {
    const jit::ClassDef tree(definition.tree);
    definition.isNamedTuple = tree.superclass().present() && dottedName(tree.superclass().get()) == "NamedTuple";
    for (const jit::Stmt& statement : tree.body()) {
        if (statement.kind() == jit::TK_DEF) {
            const std::string name = jit::Def(statement).name().name();
            members_.insert(name);
            if (!definition.methods.emplace(name, statement.tree()).second)
                throw Error("it defines " + inQuotes(definition.name + "." + name) + " twice");
        } else if (statement.kind() == jit::TK_ASSIGN) {
            for (const jit::Expr& target : jit::Assign(statement).lhs_list())
                if (target.kind() == jit::TK_VAR) members_.insert(jit::Var(target).name().name());
        }
    }
}

}  // namespace aotscope
