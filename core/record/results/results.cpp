#include "record/results/results.h"

#include "ir/printer.h"
#include "support/enumerators.h"
#include "support/names.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace aotscope {

namespace {

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

std::string indexText(const std::vector<std::int64_t>& index) {
    std::string text;
    for (const auto i : index) text += (text.empty() ? "" : ", ") + std::to_string(i);
    return "[" + text + "]";
}

std::string valueText(const Difference& d, const std::string& reference) {
    std::string text = std::isfinite(d.maxAbs) ? " differs from " + reference + " by " + number(d.maxAbs) + " (" +
                                                     number(d.maxRel) + " of its largest element)"
                                               : " differs from " + reference;
    text += " at " + indexText(d.index) + ": " + d.actual + ", " + reference + " has " + d.expected + "; ";
    if (d.total == 1) return text + "it has no other element";
    return text + std::to_string(d.count) + " of " + std::to_string(d.total) + " elements differ";
}

}  // namespace

std::string_view name(Difference::Kind kind) { return spelled(kind); }

std::string_view name(CheckedValue::Kind kind) {
    return kind == CheckedValue::Kind::input ? "input after the run" : spelled(kind);
}

std::string_view name(CheckVerdict verdict) { return spelled(verdict); }

std::string backwardFailure(const CheckResult& result, const std::string& reference) {
    const auto clause = [](std::string text) {
        while (text.ends_with('.')) text.pop_back();
        return text;
    };
    const std::string& compiled = result.compiledBackwardError;
    if (compiled.empty() || compiled == result.backwardError)
        return reference + "'s backward fails, and " +
               (compiled.empty() ? "the compiled one does not" : "so does the compiled one") + ": " +
               clause(result.backwardError);
    return reference + "'s backward fails: " + clause(result.backwardError) +
           "; the compiled one fails: " + clause(compiled);
}

std::vector<std::string> equallyNotFinite(const CheckResult& result) {
    using Kind = CheckedValue::Kind;
    std::vector<std::string> clauses;
    const auto add = [&](std::int64_t CheckedValue::*count, const char* what) {
        for (const auto& [kind, noun] : {std::pair{Kind::output, "output"}, std::pair{Kind::gradient, "gradient"},
                                         std::pair{Kind::input, "mutated input"}}) {
            const auto found = std::ranges::count_if(result.values, [&, kind = kind](const CheckedValue& value) {
                return value.kind == kind && value.equal && value.*count > 0;
            });
            if (found == 0) continue;
            clauses.push_back(counted(static_cast<std::size_t>(found), noun) + (found == 1 ? " holds " : " hold ") +
                              what + " in both");
        }
    };
    add(&CheckedValue::nans, "NaN");
    add(&CheckedValue::infs, "infinities");
    return clauses;
}

std::string whyNotCompared(const CheckedValue& value) {
    if (value.meaningless == 0) return {};
    return counted(static_cast<std::size_t>(value.meaningless), "element") + (value.meaningless == 1 ? " is" : " are") +
           " memory that nothing has written: not compared";
}

std::string describe(const Difference& d, const std::string& reference) {
    std::string what = (d.sizes.empty() ? "" : "at " + printSizes(d.sizes) + ": ") + d.what;
    switch (d.kind) {
        case Difference::Kind::value:
        case Difference::Kind::memory: return what + valueText(d, reference);
        case Difference::Kind::shape: return what + " is " + d.actual + ", " + reference + " has " + d.expected;
        case Difference::Kind::strides:
            return what + " has strides " + d.actual + ", " + reference + "'s are " + d.expected;
        case Difference::Kind::offset:
            return what + " begins at element " + d.actual + " of its memory, in eager at " + d.expected;
        case Difference::Kind::aliasing: return what + " " + d.actual + "; in " + reference + " it " + d.expected;
        case Difference::Kind::version:
            return what + " counts as " + d.actual + ", in " + reference + " as " + d.expected +
                   " (version counter, by which autograd notices writes)";
        case Difference::Kind::presence: return what + ": " + d.actual + "; in " + reference + ": " + d.expected;
    }
    return what;
}

std::string_view passName(const BisectResult& result) {
    return result.title.empty() ? name(result.pass) : result.title;
}

std::string describe(const BisectResult& result) {
    const std::string at = result.sizes.empty() ? "" : " (at " + printSizes(result.sizes) + ")";
    if (!result.found) return "values match eager after every pass" + at;
    std::string text = "values differ from eager's after pass '" + std::string(passName(result)) + "'" + at;
    if (!result.nodeName.empty()) {
        text += ", at %" + result.nodeName + (result.op.empty() ? "" : " = " + result.op);
        if (result.graph) text += " of the " + std::string(name(*result.graph)) + " graph";
        if (!result.place.empty()) text += " (" + result.place + ")";
    }
    if (!result.reason.empty()) text += ": " + result.reason;
    if (result.value) text += (result.reason.empty() ? ": " : "; ") + describe(*result.value);
    else if (!result.outputs.empty()) text += "; " + describe(result.outputs.front());
    return text;
}

}  // namespace aotscope
