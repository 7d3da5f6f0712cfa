#include "io/ranks_text.h"

#include "io/text_report.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr std::size_t kMostDifferences = 5;

std::string errorText(double error) { return formatted("%.3g", error); }

}  // namespace

std::string ranksText(const std::vector<CheckResult>& checks) {
    std::vector<std::vector<std::string>> rows = {
        {"rank", "check", "outputs differ by", "gradients differ by", "eager", "compiled"}};
    for (std::size_t rank = 0; rank < checks.size(); ++rank) {
        const CheckResult& check = checks[rank];
        rows.push_back({std::to_string(rank), check.ok ? "equal" : "DIFFERENT", errorText(check.outputsMaxError),
                        errorText(check.gradsMaxError), formatDuration(check.eagerMs),
                        formatDuration(check.compiledMs)});
    }
    std::string text = textTable(rows);
    for (std::size_t rank = 0; rank < checks.size(); ++rank) {
        const auto& details = checks[rank].details;
        for (std::size_t i = 0; i < std::min(details.size(), kMostDifferences); ++i)
            text += "rank " + std::to_string(rank) + ": " + details[i] + "\n";
        if (details.size() > kMostDifferences)
            text += "rank " + std::to_string(rank) + ": ... and " +
                    counted(details.size() - kMostDifferences, "more difference") + "\n";
    }
    const auto equal = static_cast<std::size_t>(std::ranges::count_if(checks, &CheckResult::ok));
    return text + (equal == checks.size() ? "all " + counted(checks.size(), "rank") + " equal eager\n"
                                          : std::to_string(checks.size() - equal) + " of " +
                                                counted(checks.size(), "rank") + " differ from eager\n");
}

}  // namespace aotscope
