#pragma once

#include "ir/graph.h"

#include <QString>

#include <vector>

namespace aotscope {

/// What is said of a node in words, wherever it is described.
struct NodeProperty {
    QString name, text;
};

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
