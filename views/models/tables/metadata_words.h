#pragma once

#include "models/metadata_links.h"
#include "record/table.h"

#include <QString>

namespace aotscope {

/// How a program mutates an input, and where the mutation is applied; determines the input's colour.
enum class InputEffect : std::uint8_t { none, inGraph, metadata, data, dataAndMetadata, storage };
InputEffect effectOn(const InputInfo& input);
/// "data mutated".
QString describe(InputEffect effect);
/// What an output is a view of, in a few words: "view of x", "same as output 0"; empty if it aliases nothing.
QString relationOf(const FunctionMetadata& function, std::size_t output);

/// The outputs with the nodes of their bases, where the graph has them.
Table outputsOf(const CompileRecord& record, const Graph* graph, const MetadataLinks& links);

/// Counts, a line for each kind.
QString inputCounts(const FunctionMetadata& function);
QString outputCounts(const FunctionMetadata& function);

}  // namespace aotscope
