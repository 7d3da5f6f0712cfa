#pragma once

#include "cost/variant_costs.h"
#include "io/overlay.h"
#include "record/results/results.h"

#include <QString>
#include <optional>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// What nodes can be coloured by, beside what the theme knows.
enum class Dimension : std::uint8_t { dtype, module, bytes, live, measured, estimated, age, kernel, overlay };
/// As the command line and the settings spell it: "dtype", "bytes".
QString name(Dimension dimension);
std::optional<Dimension> dimensionFromName(const QString& name);

/// A way to colour nodes, as menus and the command line offer it.
struct ColourEntry {
    const char *menu, *key;  ///< "&Size", "Shift+X"; the key may be empty
    const char* help;        ///< of --colour, from the name on; empty: not for pictures of the command line
    const char* title = "";  ///< what a person reads of the values: "Size"
};
const ColourEntry& entryOf(Dimension dimension);

/// A number or a word for each of the nodes that have one.
struct NodeValues {
    enum class Unit : std::uint8_t { plain, bytes, microseconds } unit = Unit::plain;
    TimeBasis basis = TimeBasis::measured;  ///< of times
    QString title, suffix;                  ///< suffix: unit of plain numbers
    bool linear = false;  ///< the largest are to stand out, however many orders of magnitude there are
    std::unordered_map<NodeId, double> numbers;
    std::unordered_map<NodeId, QString> words;
    std::vector<QString> order;  ///< of words, if they have one
};

/// What values may be made from; only the record must be there.
struct ValueSources {
    std::shared_ptr<const CompileRecord> record;
    std::vector<CompilerUse> compilers;  ///< as far as is known; the record's know of what was compiled at once
    std::shared_ptr<const TimingResult> timing;
    std::shared_ptr<const Overlay> overlay;
    std::string device = "cpu";
};

/// Takes a while for estimates (the machine is calibrated at first use) and for ages. Throws Error if there is
/// nothing to take values from.
NodeValues valuesOf(Dimension dimension, const Graph& graph, GraphKind kind, const ValueSources& sources);

}  // namespace aotscope
