#pragma once

#include "cost/variant_costs.h"
#include "io/overlay.h"
#include "record/results/results.h"

#include <QString>
#include <optional>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// What the fill of nodes tells: what they are, which the theme knows, or from dtype on values that they have.
enum class ColourBy : std::uint8_t {
    stage,
    placement,
    family,
    mutation,
    dtype,
    module,
    bytes,
    live,
    measured,
    estimated,
    age,
    kernel,
    overlay
};
/// As the command line and the settings spell it: "part", "fate", "bytes".
QString name(ColourBy by);
std::optional<ColourBy> colourByFromName(const QString& name);
constexpr bool showsValues(ColourBy by) { return by >= ColourBy::dtype; }
/// What colours nodes that have no value.
constexpr ColourBy withoutValues(ColourBy by) { return showsValues(by) ? ColourBy::stage : by; }

/// A colour mode, as menus and the command line offer it.
struct ColourEntry {
    const char *menu, *key;  ///< "&Size", "Shift+X"; the key may be empty
    const char* help;        ///< of --colour, starting with the name; empty: not for pictures of the command line
    const char* title;       ///< what a person reads of the values: "Size"
};
const ColourEntry& entryOf(ColourBy by);

/// A number or a word for each of the nodes that have one.
struct NodeValues {
    enum class Unit : std::uint8_t { plain, bytes, microseconds } unit = Unit::plain;
    TimeBasis basis = TimeBasis::measured;  ///< of times
    QString title, suffix;                  ///< suffix: unit of plain numbers
    bool linear = false;                    ///< the largest should stand out, across orders of magnitude
    std::unordered_map<NodeId, double> numbers;
    std::unordered_map<NodeId, CostBasis> bases;  ///< of estimated times
    std::unordered_map<NodeId, QString> words;
    std::vector<QString> order;  ///< of words, if they are ordered
};

/// The sources of values; only the record is required.
struct ValueSources {
    std::shared_ptr<const CompileRecord> record;
    std::vector<CompilerUse> compilers;  ///< as far as known; the record knows those compiled at once
    std::shared_ptr<const TimingResult> timing;
    std::shared_ptr<const Overlay> overlay;
    MachineSource machine;  ///< for estimated times
};

/// Takes a while for estimates (the machine is calibrated at first use) and for ages. Throws Error if the source of the
/// values is missing.
NodeValues valuesOf(ColourBy by, const Graph& graph, GraphKind kind, const ValueSources& sources);

}  // namespace aotscope
