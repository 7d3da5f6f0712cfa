#pragma once

#include "ir/graph.h"

#include <QString>

#include <vector>

namespace aotscope {

/// What is said of a node in words, wherever it is described.
struct NodeProperty {
    QString name, text;
};

/// What people call it: a parameter, buffer or input by the name that the model gives it ("layers.0.weight"), any other
/// node by its name in the graph ("%relu_3").
QString shownName(const Node& node);
QString shownName(const std::string& name, const std::string& label);
/// With the name in the graph, by which its text can be searched: "layers.0.weight (%primals_3)".
QString fullName(const Node& node);
/// "mutated input".
QString roleWords(Role role);
/// As in the text of a graph, but readable where the device follows: "f32[32, 64] cuda:0".
QString typeText(const ValueType& type);
QString typeText(const TensorType& type);

/// Its type; of a tensor also strides, bytes and device. Empty if nothing is known.
std::vector<NodeProperty> typeProperties(const ValueType& type);

/// An argument with the name that the operator's schema gives it, else its number.
struct NamedArgument {
    QString name;
    const Argument* value;
};
/// Positional ones, then keywords.
std::vector<NamedArgument> namedArguments(const Node& node);

}  // namespace aotscope
