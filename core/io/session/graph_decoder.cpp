#include "io/session/graph_table.h"
#include "ir/subgraphs.h"
#include "ir/verifier.h"
#include "ops/operator_facts.h"
#include "support/error.h"
#include "support/formatted.h"
#include "support/quoted.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace aotscope::session_format {

namespace {

constexpr int kDeepest = 64;  ///< nesting of lists among arguments
constexpr int kSavedOutputs = static_cast<int>(SavedOutput::aliased) + 1;
constexpr int kRoles = static_cast<int>(Role::gradient) + 1;
constexpr std::size_t kNodeFields = 15;           ///< of a row without activation checkpointing tags
constexpr std::size_t kTensorFields = 8;          ///< of a row without expressions
constexpr std::uint64_t kBytesOfExpression = 32;  ///< for each character
constexpr std::uint64_t kBytesOfOperator = 32;    ///< for each character of its row
constexpr std::uint64_t kBytesBesideNode = 200;   ///< for its entries in the graph and in the tables here

[[noreturn]] void fail(const std::string& what) { throw Error("its graphs are damaged: " + what); }

const json& field(const json& object, const char* key) {
    if (!object.is_object() || !object.contains(key)) fail(std::string("no '") + key + "'");
    return object[key];
}

const json& column(const json& row, std::size_t index) {
    if (index >= listIn(row).size()) fail("an entry is cut off");
    return row[index];
}

template <typename E>
E kindIn(const json& from, int values) {
    const auto number = integerIn(from);
    if (number < 0 || number >= values) fail("an unknown kind " + std::to_string(number));
    return static_cast<E>(number);
}

bool truthIn(const json& from) {
    if (!from.is_boolean()) fail("a boolean is missing");
    return from.get<bool>();
}

double realIn(const json& from) {
    if (!from.is_number()) fail("a number is missing");
    return from.get<double>();
}

template <typename T>
T smallIntegerIn(const json& from) {
    const auto number = integerIn(from);
    if (!std::in_range<T>(number)) fail(std::to_string(number) + " is too large");
    return static_cast<T>(number);
}

/// The id of a node of the graph itself: new nodes get larger ones.
NodeId idIn(const json& from) {
    const auto id = integerIn(from);
    if (id < 0 || id > kFirstInnerId) fail("a node has the id " + std::to_string(id));
    return static_cast<NodeId>(id);
}

DType dtypeIn(const json& from) {
    const auto dtype = static_cast<DType>(smallIntegerIn<std::int8_t>(from));
    if (dtypeFromName(shortName(dtype)) != dtype) fail("an unknown dtype");
    return dtype;
}

std::vector<std::int64_t> integersIn(const json& from) {
    std::vector<std::int64_t> values;
    values.reserve(listIn(from).size());
    for (const json& value : from) values.push_back(integerIn(value));
    return values;
}

Symbol symbolIn(const json& row) {
    Symbol symbol{textIn(column(row, 0)),    integerIn(column(row, 1)), integerIn(column(row, 2)),
                  integerIn(column(row, 3)), textIn(column(row, 4)),    {}};
    for (const json& other : listIn(column(row, 5))) symbol.equals.push_back(textIn(other));
    return symbol;
}

}  // namespace

std::int64_t integerIn(const json& from) {
    if (!from.is_number_integer()) throw Error("a whole number is missing");
    if (from.is_number_unsigned() && from.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
        throw Error("a number is too large");
    return from.get<std::int64_t>();
}

const std::string& textIn(const json& from) {
    if (!from.is_string()) throw Error("a string is missing");
    return from.get_ref<const std::string&>();
}

const json& listIn(const json& from) {
    if (!from.is_array()) throw Error("a list is missing");
    return from;
}

template <typename List>
auto& GraphDecoder::at(const List& list, const json& number) {
    const auto index = integerIn(number);
    if (index < 0 || static_cast<std::size_t>(index) >= list.size())
        fail("entry " + std::to_string(index) + " is missing");
    return list[static_cast<std::size_t>(index)];
}

void GraphDecoder::spend(std::uint64_t bytes) const {
    spent_ += bytes;
    if (spent_ > most_)
        throw Error("its graphs would take more than " + formatBytes(static_cast<std::int64_t>(most_)) +
                    " of memory, which is too much for its size");
}

GraphDecoder::GraphDecoder(const json& tables, std::uint64_t memory) : most_(memory), nodes_(&field(tables, "nodes")) {
    listIn(*nodes_);
    for (const json& text : listIn(field(tables, "strings"))) strings_.push_back(textIn(text));
    for (const json& row : listIn(field(tables, "sources")))
        sources_.push_back(std::make_shared<const SourceInfo>(
            SourceInfo{text(column(row, 0)), text(column(row, 1)), text(column(row, 2)),
                       smallIntegerIn<std::int32_t>(column(row, 3)), text(column(row, 4))}));
    for (const json& row : listIn(field(tables, "types"))) {
        const std::uint64_t before = spent_;
        spend(sizeof(ValueType));
        types_.push_back(type(row));
        typeSizes_.push_back(spent_ - before);
    }
    for (const json& graph : listIn(field(tables, "graphs"))) {
        const std::uint64_t before = spent_;
        deepest_ = 0;
        graphs_.push_back(makeGraph(graph));
        extents_.push_back({spent_ - before, deepest_});
    }
    if (const auto rows = tables.find("operators"); rows != tables.end()) declareOperators(*rows);
}

const std::string& GraphDecoder::text(const json& number) const {
    const std::string& text = at(strings_, number);
    spend(text.size() + sizeof(std::string));
    return text;
}

const ValueType& GraphDecoder::typeAt(const json& number) const {
    const ValueType& type = at(types_, number);
    spend(typeSizes_[static_cast<std::size_t>(integerIn(number))]);
    return type;
}

SymExpr GraphDecoder::expression(const json& number) const {
    const std::string& written = text(number);
    spend(written.size() * kBytesOfExpression);
    return parseSymExpr(written);
}

std::shared_ptr<const Graph> GraphDecoder::graph(const json& number) const {
    return number == -1 ? nullptr : at(graphs_, number);
}

std::shared_ptr<const SourceInfo> GraphDecoder::source(const json& number) const {
    return number == -1 ? nullptr : at(sources_, number);
}

TensorType GraphDecoder::tensorType(const json& number) const {
    const auto* tensor = typeAt(number).tensor();
    if (!tensor) fail("a tensor's type is missing");
    return *tensor;
}

ValueType GraphDecoder::type(const json& row) const {
    if (listIn(row).empty()) return {};
    switch (integerIn(row[0])) {
        case 0: return {tensor(row)};
        case 1: {
            ScalarType scalar{kindIn<ScalarType::Kind>(column(row, 1), 3), realIn(column(row, 2)), {}};
            if (row.size() > 3) scalar.expression = expression(row[3]);
            return {scalar};
        }
        case 2: {
            TupleType tuple;  // of earlier types
            for (std::size_t i = 1; i < row.size(); ++i) tuple.push_back(typeAt(row[i]));
            return {std::move(tuple)};
        }
        case 3: return {kindIn<OtherType>(column(row, 1), 3)};
        default: fail("an unknown type");
    }
}

TensorType GraphDecoder::tensor(const json& row) const {
    spend((listIn(column(row, 2)).size() + listIn(column(row, 3)).size()) * sizeof(std::int64_t));
    TensorType type{dtypeIn(column(row, 1)),   integersIn(column(row, 2)), integersIn(column(row, 3)),
                    integerIn(column(row, 4)), {text(column(row, 5))},     integerIn(column(row, 6)),
                    integerIn(column(row, 7)), truthIn(column(row, 8)),    nullptr};
    // Strides of a printed tensor may be unknown.
    if (std::ranges::any_of(type.sizes, [](std::int64_t size) { return size < 0; })) fail("a size is negative");
    if (!type.strides.empty() && type.sizes.size() != type.strides.size())
        fail("sizes and strides of a tensor do not match");
    if (row.size() <= kTensorFields + 1) return type;
    const json& from = row[kTensorFields + 1];
    auto symbolic = std::make_shared<SymbolicLayout>();
    for (const json& number : listIn(column(from, 0))) symbolic->sizes.push_back(expression(number));
    for (const json& number : listIn(column(from, 1))) symbolic->strides.push_back(expression(number));
    symbolic->storageOffset = expression(column(from, 2));
    if (symbolic->sizes.size() != type.sizes.size() || symbolic->strides.size() != type.strides.size())
        fail("symbolic sizes of a tensor do not match its sizes");
    type.symbolic = std::move(symbolic);
    return type;
}

Argument GraphDecoder::argument(const json& from, const Nodes& nodes, int depth) const {
    spend(sizeof(Argument));
    if (from.is_null()) return {};
    if (from.is_boolean()) return from.get<bool>();
    if (from.is_number_integer()) return integerIn(from);
    if (from.is_number_float()) return from.get<double>();
    switch (integerIn(column(from, 0))) {
        case 0: {
            const auto node = nodes.find(smallIntegerIn<NodeId>(column(from, 1)));
            if (node == nodes.end()) fail("a node is used before it is made");
            return node->second;
        }
        case 1: return text(column(from, 1));
        case 2: return dtypeIn(column(from, 1));
        case 3: return Device{text(column(from, 1))};
        case 4: return kindIn<Layout>(column(from, 1), static_cast<int>(Layout::jagged) + 1);
        case 5: return kindIn<MemoryFormat>(column(from, 1), static_cast<int>(MemoryFormat::channelsLast3d) + 1);
        case 6: return std::complex<double>(realIn(column(from, 1)), realIn(column(from, 2)));
        case 7: {
            if (depth >= kDeepest) fail("lists are nested too deeply");
            Argument::List list;
            list.reserve(from.size() - 1);
            for (std::size_t i = 1; i < from.size(); ++i) list.push_back(argument(from[i], nodes, depth + 1));
            return list;
        }
        case 8: return subgraph(column(from, 1));
        default: fail("an unknown argument");
    }
}

/// One of the earlier graphs, which any number of others may use: each use counts with its subgraphs.
Argument GraphDecoder::subgraph(const json& number) const {
    const auto& graph = at(graphs_, number);
    const Extent& extent = extents_[static_cast<std::size_t>(integerIn(number))];
    if (extent.depth >= kDeepestSubgraph) fail("graphs are nested too deeply");
    spend(extent.bytes);
    deepest_ = std::max(deepest_, extent.depth + 1);
    return Argument::Subgraph(graph);
}

KeywordArguments GraphDecoder::keywords(const json& from, const Nodes& nodes) const {
    KeywordArguments keywords;
    for (std::size_t i = 0; i < listIn(from).size(); i += 2)
        keywords.emplace_back(text(from[i]), argument(column(from, i + 1), nodes, 0));
    return keywords;
}

void GraphDecoder::addNode(Graph& graph, const json& row, Nodes& nodes, const json& slots) const {
    const auto kind = kindIn<NodeKind>(column(row, 1), 4);
    const std::string& name = text(column(row, 4));
    const std::string& op = text(column(row, 5));
    const ValueType& valueType = typeAt(column(row, 6));
    spend(sizeof(Node) + kBytesBesideNode);
    std::vector<Argument> args;
    for (const json& a : listIn(column(row, 13))) args.push_back(argument(a, nodes, 0));
    Node* node = nullptr;
    if (kind == NodeKind::placeholder) node = graph.addPlaceholder(name, valueType);
    else if (kind == NodeKind::constant) node = graph.addConstant(op, valueType, name);
    else if (kind == NodeKind::call) {
        node = graph.addCall(op, std::move(args), keywords(column(row, 14), nodes), valueType, name);
        called_.insert(op);
    } else {
        std::vector<OutputSlot> made;
        for (const json& slot : listIn(slots))
            made.push_back({kindIn<Role>(column(slot, 0), kRoles), text(column(slot, 1))});
        if (made.size() != args.size()) fail("outputs and their roles do not match");
        if (graph.size() > 0 && graph.at(graph.size() - 1)->kind() == kind) fail("a graph has two outputs");
        node = graph.setOutput(std::move(args), std::move(made));
        node->type = valueType;
    }
    graph.setIdentity(node, idIn(column(row, 0)));
    node->stage = kindIn<Stage>(column(row, 2), 2);
    node->role = kindIn<Role>(column(row, 3), kRoles);
    node->label = text(column(row, 7));
    node->source = source(column(row, 8));
    node->autograd = {integerIn(column(row, 9)), text(column(row, 10)), smallIntegerIn<NodeId>(column(row, 11)),
                      kindIn<SavedOutput>(column(row, 12), kSavedOutputs)};
    if (listIn(row).size() > kNodeFields)
        node->checkpoint = {kindIn<CheckpointPolicy>(column(row, kNodeFields), kCheckpointPolicies),
                            smallIntegerIn<std::int32_t>(column(row, kNodeFields + 1))};
    if (node->name() != name || !nodes.emplace(node->id(), node).second) fail(inQuotes(name) + " is there twice");
}

std::shared_ptr<const Graph> GraphDecoder::makeGraph(const json& content) const {
    auto graph = std::make_shared<Graph>(textIn(field(content, "name")));
    std::vector<Symbol> symbols;
    for (const json& symbol : listIn(field(content, "symbols"))) symbols.push_back(symbolIn(symbol));
    graph->setSymbols(std::move(symbols));
    Nodes nodes;
    const json& numbers = listIn(field(content, "nodes"));
    nodes.reserve(numbers.size());
    for (const json& number : numbers) addNode(*graph, at(*nodes_, number), nodes, field(content, "outputs"));
    if (const auto findings = verifyGraph(*graph); !findings.empty()) fail(findings.front());
    return graph;
}

void GraphDecoder::declareOperators(const json& rows) const {
    std::vector<OperatorFacts> described;
    for (const json& row : listIn(rows)) {
        spend(textIn(row).size() * kBytesOfOperator);
        auto facts = parsedRow(textIn(row));
        if (!facts) fail(inQuotes(textIn(row)) + " does not describe an operator");
        described.push_back(std::move(*facts));
    }
    for (const OperatorFacts& facts : described)
        if (called_.contains(facts.op)) declareOperator(facts);
}

}  // namespace aotscope::session_format
