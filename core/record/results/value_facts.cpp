#include "record/results/value_facts.h"

#include "support/names.h"

#include <cstdio>

namespace aotscope {

std::string numberText(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", number);
    return text;
}

std::string describe(const ValueFacts& facts) {
    std::string text = facts.type;
    if (!facts.tensor) return facts.first.empty() ? text : text + ": " + numberText(facts.first.front());
    text += ": " + counted(static_cast<std::size_t>(facts.elements), facts.complex ? "absolute value" : "element");
    if (facts.finite())
        text += " from " + numberText(facts.min) + " to " + numberText(facts.max) + ", mean " + numberText(facts.mean) +
                ", deviation " + numberText(facts.deviation);
    if (facts.nans > 0) text += ", " + counted(static_cast<std::size_t>(facts.nans), "NaN");
    if (facts.infs > 0) text += ", " + std::to_string(facts.infs) + " infinite";
    return text;
}

}  // namespace aotscope
