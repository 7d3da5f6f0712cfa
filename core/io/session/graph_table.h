#pragma once

#include "ir/graph.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace aotscope::session_format {

using nlohmann::json;

/// An integer, a string, an array. Throw Error.
std::int64_t integerIn(const json& from);
const std::string& textIn(const json& from);
const json& listIn(const json& from);

/// Graphs as JSON. Passes keep most nodes, so every distinct node, type, source location and string is written once,
/// and a graph is a list of node numbers. A subgraph comes before the graph that owns it. If the graphs call operators
/// outside of the table of operators, their rows are there, too (see OperatorFacts):
///
///     {"strings": [...], "sources": [...], "types": [...], "nodes": [...], "graphs": [{"name", "nodes", ...}, ...],
///      "operators": [...]}
class GraphEncoder {
public:
    /// The number of the added graph; -1 for null.
    int add(const std::shared_ptr<const Graph>& graph);
    int add(const std::shared_ptr<const SourceInfo>& source);
    int add(const ValueType& type);

    json take();

private:
    /// Distinct rows in insertion order, found by their bytes.
    struct Rows {
        int add(json row);
        json list = json::array();
        std::unordered_map<std::string, int> places;
        std::vector<std::uint8_t> key;
    };

    int text(const std::string& text);
    json tensor(const TensorType& type);
    json argument(const Argument& argument);
    json node(const Node& node);

    json strings_ = json::array(), graphs_ = json::array();
    std::set<std::string_view> operators_;
    std::unordered_map<std::string, int> stringPlaces_;
    Rows sources_, types_, nodes_;
    std::unordered_map<const SourceInfo*, int> sourcePlaces_;
    std::unordered_map<const Graph*, int> graphPlaces_;
};

/// Decodes such tables, and declares the operators of their graphs that they describe. Nothing in `tables` is trusted;
/// throws Error.
class GraphDecoder {
public:
    /// `memory`: approximate limit, in bytes, for the decoded graphs: rows can be used any number of times.
    GraphDecoder(const json& tables, std::uint64_t memory);

    /// By the encoder's number; equal numbers give the same object.
    std::shared_ptr<const Graph> graph(const json& number) const;
    std::shared_ptr<const SourceInfo> source(const json& number) const;
    TensorType tensorType(const json& number) const;

private:
    /// An argument whose nodes are still ids.
    using Nodes = std::unordered_map<NodeId, Node*>;

    template <typename List>
    static auto& at(const List& list, const json& number);
    void spend(std::uint64_t bytes) const;
    /// Type `number`, which is about to be copied.
    const ValueType& typeAt(const json& number) const;
    SymExpr expression(const json& number) const;
    const std::string& text(const json& number) const;
    ValueType type(const json& row) const;
    TensorType tensor(const json& row) const;
    Argument argument(const json& from, const Nodes& nodes, int depth) const;
    Argument subgraph(const json& number) const;
    KeywordArguments keywords(const json& from, const Nodes& nodes) const;
    void addNode(Graph& graph, const json& row, Nodes& nodes, const json& slots) const;
    std::shared_ptr<const Graph> makeGraph(const json& content) const;
    void declareOperators(const json& rows) const;

    std::uint64_t most_;
    mutable std::uint64_t spent_ = 0;
    const json* nodes_;
    std::vector<std::string> strings_;
    mutable std::unordered_set<std::string_view> called_;  ///< operators, among the strings
    std::vector<std::shared_ptr<const SourceInfo>> sources_;
    std::vector<ValueType> types_;
    std::vector<std::uint64_t> typeSizes_;  ///< approximate bytes
    /// The extent of a graph including its subgraphs.
    struct Extent {
        std::uint64_t bytes = 0;  ///< about
        int depth = 0;            ///< nesting of subgraphs
    };
    std::vector<std::shared_ptr<const Graph>> graphs_;
    std::vector<Extent> extents_;  ///< by graph
    mutable int deepest_ = 0;      ///< of the graph being decoded
};

}  // namespace aotscope::session_format
