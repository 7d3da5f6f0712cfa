#include "io/tables/check_table.h"

#include "support/formatted.h"
#include "support/joined.h"

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

using Cell = Table::Cell;

Cell errorCell(double error) { return {error, std::isfinite(error) ? formatted("%.2g", error) : "∞"}; }

Cell verdictCell(bool equal) {
    return {equal, equal ? "equal" : "differs", equal ? Table::Mark::good : Table::Mark::bad};
}

/// All remarks on one compared value.
std::string whatDiffers(const CheckResult& check, const std::string& what) {
    std::vector<std::string> sentences;
    for (const Difference& difference : check.differences)
        if (difference.what == what) sentences.push_back(describe(difference));
    return joined(sentences, "; ");
}

std::string remarksOn(const CheckedValue& value) {
    std::vector<std::string> remarks;
    if (value.nans > 0) remarks.push_back(std::to_string(value.nans) + " NaN in both");
    if (value.infs > 0) remarks.push_back(std::to_string(value.infs) + " infinite in both");
    if (const std::string why = whyNotCompared(value); !why.empty()) remarks.push_back(why);
    return joined(remarks, "; ");
}

}  // namespace

Table checkedValueTable(const CheckResult& check) {
    Table table{"values",
                {{"name", "value", "output, parameter or input, by the model's name for it"},
                 {"kind", "kind",
                  "a gradient is that of the value with this name; a mutated input is compared as it is after the run"},
                 {"type", "type", "dtype and shape in eager"},
                 {"max_abs", "largest Error", "largest distance of an element from eager's"},
                 {"max_rel", "relative", "the same, as a fraction of the tensor's largest element"},
                 {"tolerance", "tolerance", "the relative error that rounding may cause: of the dtype, or as measured"},
                 {"equal", "verdict", "elements, shape, strides and aliasing"},
                 {"difference", "difference", "what differs, with the element that is furthest off", {}, true},
                 {"nans", "", "elements that are NaN in eager"},
                 {"infs", "", "elements that are infinite in eager"},
                 {"not_compared", "", "elements of memory that nothing has written"}}};
    for (const CheckedValue& value : check.values)
        table.add(value.name, Cell(name(value.kind), value.kind == CheckedValue::Kind::input ? "mutated input" : ""),
                  value.type, errorCell(value.maxAbs), errorCell(value.maxRel), errorCell(value.tolerance),
                  verdictCell(value.equal), value.equal ? remarksOn(value) : whatDiffers(check, value.what), value.nans,
                  value.infs, value.meaningless);
    return table;
}

Table comparedTable(const CheckResult& check) {
    Table table = checkedValueTable(check);
    for (const Difference& difference : check.differences) {
        const bool known =
            difference.sizes.empty() && std::ranges::count(check.values, difference.what, &CheckedValue::what) > 0;
        if (known) continue;
        const auto error = [&](double of) { return difference.total > 0 ? errorCell(of) : Cell(); };
        table.add(difference.what, name(difference.kind), "", error(difference.maxAbs), error(difference.maxRel),
                  Cell(), verdictCell(false), describe(difference), Cell(), Cell(), Cell());
    }
    return table;
}

}  // namespace aotscope
