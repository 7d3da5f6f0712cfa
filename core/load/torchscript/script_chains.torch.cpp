#include "load/torchscript/script_definitions.h"
#include "support/error.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace aotscope {

namespace {

namespace jit = torch::jit;

/// Stack use of LibTorch's compiler for a definition, in levels of its tree of 2.3 kB each, and the maximum number of
/// levels: 4 MB.
constexpr std::size_t kLevelsOfDefinition = 3, kMostLevels = 1800;

/// Code written by PyTorch never has more links.
constexpr std::size_t kMostLinks = 5'000'000;

/// The names in a piece of code, and the depth of its tree.
struct Mentions {
    std::set<std::string> definitions, members;
    std::size_t depth = 0;
};

class MentionReader {
public:
    MentionReader(const ScriptDefinitions& code, Mentions& mentions) : code_(code), mentions_(mentions) {}

    void read(const jit::TreeRef& tree, std::size_t depth) {
        mentions_.depth = std::max(mentions_.depth, depth);
        if (tree->kind() == '.') {
            const jit::Select select{jit::Expr(tree)};
            mentions_.members.insert(select.selector().name());
            addDefinition(dottedName(select));
        }
        if (tree->kind() == jit::TK_STRINGLITERAL) addDefinition(jit::StringLiteral(tree).text());
        for (const jit::TreeRef& child : tree->trees()) read(child, depth + 1);
    }

private:
    /// In "__torch__.models.Color.RED", the definition is "__torch__.models.Color".
    void addDefinition(std::string name) {
        while (!name.empty() && !code_.find(name)) {
            const auto dot = name.rfind('.');
            name.resize(dot == std::string::npos ? 0 : dot);
        }
        if (!name.empty()) mentions_.definitions.insert(std::move(name));
    }

    const ScriptDefinitions& code_;
    Mentions& mentions_;
};

/// Which definitions and methods are compiled while others are being compiled.
class ChainGraph {
public:
    explicit ChainGraph(const ScriptDefinitions& code) : code_(code) {
        for (const auto& [name, definition] : code.all()) {
            vertexOf(name);
            for (const auto& [method, tree] : definition.methods) vertexOf(name + "." + method);
        }
        graph_ = Graph(weights_.size());
        for (const auto& [name, definition] : code.all()) addDefinition(definition);
    }

    /// Weight of the heaviest chain; definitions in a cycle count one after the other.
    std::size_t heaviest() const {
        std::vector<std::size_t> component(weights_.size());
        const std::size_t count = boost::strong_components(
            graph_, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph_)));
        std::vector<std::vector<std::size_t>> members(count);
        for (std::size_t v = 0; v < component.size(); ++v) members[component[v]].push_back(v);
        // Components are numbered from the ends of the chains.
        std::vector<std::size_t> below(count, 0);
        std::size_t most = 0;
        for (std::size_t c = 0; c < count; ++c) {
            std::size_t own = 0, next = 0;
            for (const std::size_t v : members[c]) {
                own += weights_[v];
                for (auto [edge, end] = boost::out_edges(v, graph_); edge != end; ++edge)
                    if (const auto other = component[boost::target(*edge, graph_)]; other != c)
                        next = std::max(next, below[other]);
            }
            below[c] = own + next;
            most = std::max(most, below[c]);
        }
        return most;
    }

private:
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

    std::size_t vertexOf(const std::string& name) {
        const auto [it, isNew] = vertices_.try_emplace(name, weights_.size());
        if (isNew) weights_.push_back(kLevelsOfDefinition);
        return it->second;
    }

    void addDefinition(const ScriptDefinition& definition) {
        const std::size_t vertex = vertexOf(definition.name);
        std::map<std::string, Mentions> byMethod;
        Mentions whole;
        if (!definition.isClass()) MentionReader(code_, whole).read(definition.tree, 0);
        else readClass(definition, whole, byMethod);
        weights_[vertex] += whole.depth;
        for (const std::string& other : whole.definitions) {
            boost::add_edge(vertex, vertexOf(other), graph_);
            addCalls(vertex, whole, *code_.find(other));
        }
        // A class is compiled with all its methods, which use each other and those of the classes known to it.
        std::set<std::string> known = whole.definitions;
        known.insert(definition.name);
        for (const auto& [name, mentions] : byMethod)
            known.insert(mentions.definitions.begin(), mentions.definitions.end());
        for (const auto& [name, mentions] : byMethod) {
            const std::size_t method = vertexOf(definition.name + "." + name);
            weights_[method] += mentions.depth;
            boost::add_edge(vertex, method, graph_);
            for (const std::string& other : mentions.definitions)
                if (other != definition.name) boost::add_edge(method, vertexOf(other), graph_);
            for (const std::string& other : known) addCalls(method, mentions, *code_.find(other));
        }
    }

    void readClass(const ScriptDefinition& definition, Mentions& whole, std::map<std::string, Mentions>& byMethod) {
        for (const jit::Stmt& statement : jit::ClassDef(definition.tree).body()) {
            const bool method = statement.kind() == jit::TK_DEF;
            Mentions& mentions = method ? byMethod[jit::Def(statement).name().name()] : whole;
            MentionReader(code_, mentions).read(statement.tree(), 0);
        }
    }

    void addCalls(std::size_t from, const Mentions& mentions, const ScriptDefinition& callee) {
        links_ += mentions.members.size();
        if (links_ > kMostLinks) throw Error("its classes and functions refer to each other too often");
        for (const std::string& member : mentions.members)
            if (callee.methods.contains(member)) boost::add_edge(from, vertexOf(callee.name + "." + member), graph_);
    }

    const ScriptDefinitions& code_;
    std::unordered_map<std::string, std::size_t> vertices_;
    std::vector<std::size_t> weights_;
    std::size_t links_ = 0;
    Graph graph_;
};

}  // namespace

void requireShortChains(const ScriptDefinitions& code) {
    if (ChainGraph(code).heaviest() > kMostLevels)
        throw Error("its classes and functions refer to each other in chains too long for LibTorch to compile");
}

}  // namespace aotscope
