#include "ir/aspect.h"

#include <algorithm>

namespace aotscope {

const std::array<AspectInfo, kAspectCount>& aspects() {
    using enum Aspect;
    static constexpr std::array<AspectInfo, kAspectCount> all = {{
        {operations, "operations", "operations that are added, removed or replaced"},
        {arguments, "arguments", "which values an operation takes, and in which order"},
        {constants, "constants", "numbers and other constants among the arguments"},
        {dtypes, "dtypes", "dtypes of values"},
        {shapes, "shapes", "sizes of values, numbers of arguments that follow from them, and symbols"},
        {strides, "strides", "strides and storage offsets"},
        {devices, "devices", "devices of values"},
        {aliasing, "aliasing", "which values share memory"},
        {metadata, "metadata", "roles of inputs and outputs, mutations, requires_grad, checkpoint tags"},
        {order, "order", "the order of operations"},
        {names, "names", "names of values, inputs and outputs"},
        {sources, "sources", "modules and lines of the program; never counts, only printed"},
        {partition, "partition", "which values are saved, recomputed or neither"},
        {reasons, "reasons", "reasons for decisions of the partitioner and for guards"},
        {guards, "guards", "guards"},
        {passes, "passes", "which passes ran, what they changed, rules of decompositions, and the graphs in between"},
        {options, "options", "options that decide what the graphs are"},
        {times, "times", "compile times; never count, only printed"},
    }};
    return all;
}

std::string_view name(Aspect aspect) { return aspects().at(static_cast<std::size_t>(aspect)).name; }

std::optional<Aspect> aspectFromName(std::string_view name) {
    const auto it = std::ranges::find(aspects(), name, &AspectInfo::name);
    return it == aspects().end() ? std::nullopt : std::optional(it->aspect);
}

}  // namespace aotscope
