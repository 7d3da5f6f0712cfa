#pragma once

#include "cost/variant_costs.h"
#include "io/overlay.h"
#include "record/results/results.h"

#include <QString>
#include <optional>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// Colour modes beside those of the theme.
enum class Dimension : std::uint8_t { dtype, module, bytes, live, measured, estimated, age, kernel, overlay };
/// The spelling in the command line and the settings: "dtype", "bytes".
QString name(Dimension dimension);
std::optional<Dimension> dimensionFromName(const QString& name);

/// A colour mode, as menus and the command line offer it.
struct ColourEntry {
    const char *menu, *key;  ///< "&Size", "Shift+X"; the key may be empty
    const char* help;        ///< of --colour, starting with the name; empty: not for pictures of the command line
    const char* title = "";  ///< what a person reads of the values: "Size"
};
const ColourEntry& entryOf(Dimension dimension);

/// A number or a word for each of the nodes that have one.
struct NodeValues {
    enum class Unit : std::uint8_t { plain, bytes, microseconds } unit = Unit::plain;
    TimeBasis basis = TimeBasis::measured;  ///< of times
    QString title, suffix;                  ///< suffix: unit of plain numbers
    bool linear = false;                    ///< the largest should stand out, across orders of magnitude
    std::unordered_map<NodeId, double> numbers;
    std::unordered_map<NodeId, QString> words;
    std::vector<QString> order;  ///< of words, if they are ordered
};

/// The sources of values; only the record is required.
struct ValueSources {
    std::shared_ptr<const CompileRecord> record;
    std::vector<CompilerUse> compilers;  ///< as far as known; the record knows those compiled at once
    std::shared_ptr<const TimingResult> timing;
    std::shared_ptr<const Overlay> overlay;
    std::string device = "cpu";
};

/// Takes a while for estimates (the machine is calibrated at first use) and for ages. Throws Error if the source of the
/// values is missing.
NodeValues valuesOf(Dimension dimension, const Graph& graph, GraphKind kind, const ValueSources& sources);

}  // namespace aotscope
