#pragma once

#include "ir/graph.h"

#include <QString>

#include <vector>

namespace aotscope {

/// Descriptions of nodes in words.
struct NodeProperty {
    QString name, text;
};

/// The name for people: of a parameter, buffer or input the name in the model ("layers.0.weight"), of any other node
/// its name in the graph ("%relu_3").
QString shownName(const Node& node);
QString shownName(const std::string& name, const std::string& label);
/// With the name in the graph, for searching its text: "layers.0.weight (%primals_3)".
QString fullName(const Node& node);
/// "mutated input".
QString roleWords(Role role);
/// As in the text of a graph, but with a readable device: "f32[32, 64] cuda:0".
QString typeText(const ValueType& type);
QString typeText(const TensorType& type);

/// Its type; for a tensor also strides, bytes and device. Empty if unknown.
std::vector<NodeProperty> typeProperties(const ValueType& type);

/// An argument with its name in the operator's schema, else its number.
struct NamedArgument {
    QString name;
    const Argument* value;
};
/// Positional ones, then keywords.
std::vector<NamedArgument> namedArguments(const Node& node);

}  // namespace aotscope
