#pragma once

#include "models/metadata_links.h"

#include <QString>
#include <QVariant>

namespace aotscope {

/// How a program mutates an input, and where the mutation is applied; determines the input's colour.
enum class InputEffect : std::uint8_t { none, inGraph, metadata, data, dataAndMetadata, storage };
InputEffect effectOn(const InputInfo& input);
/// "data mutated".
QString describe(InputEffect effect);
/// "view of an input".
QString describe(OutputType type);

/// The base of an output view, in a few words: "view of x", "same as output 0"; empty if it aliases nothing.
QString relationOf(const FunctionMetadata& function, std::size_t output);

/// One field of the metadata, as a cell of a table and as a line of the inspector.
struct MetadataField {
    QString title, help;
    QString text;
    QVariant value;  ///< sort key; a bool for a flag
};

/// Every field of one argument of the function, in a fixed order. Any `argument` will do for titles alone.
std::vector<MetadataField> inputFields(const FunctionMetadata& function, std::size_t argument);
/// Every field of one user output. `links` may be null: then bases are numbers.
std::vector<MetadataField> outputFields(const CompileRecord& record, std::size_t output, const Graph* graph,
                                        const MetadataLinks* links);

/// Counts, a line for each kind.
QString inputCounts(const FunctionMetadata& function);
QString outputCounts(const FunctionMetadata& function);

}  // namespace aotscope
