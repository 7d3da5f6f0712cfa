#include "io/profile_text.h"

#include "io/tables/profile_table.h"
#include "io/tables/table_text.h"
#include "support/formatted.h"
#include "support/names.h"

#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

std::string shownRows(Table table, std::size_t most) {
    if (table.rows.empty()) return {};
    const std::size_t left = keepFirst(most, table);
    std::string text = "\n" + tableText(table);
    if (left > 0) text += "and " + counted(left, "more row") + "\n";
    return text;
}

}  // namespace

std::string profileSummary(const JoinedProfile& profile) {
    std::string text = "profile on " + profile.device + ": " + counted(profile.steps, "step");
    if (profile.warmUps > 0) text += " (" + counted(profile.warmUps, "warm-up") + ")";
    text +=
        ", " + formatDuration(profile.kernelMs) + " in kernels, of which " + formatDuration(profile.joinedMs) +
        formatted(" (%.1f %%) joined to nodes", profile.kernelMs > 0 ? 100 * profile.joinedMs / profile.kernelMs : 0.0);
    return text;
}

std::string profileText(const JoinedProfile& profile, const CompileRecord& record, std::size_t most) {
    std::string text = profileSummary(profile) + "\n";
    if (profile.overheadMs > 0)
        text += formatDuration(profile.overheadMs) + formatted(" (%.1f %%) are what PyTorch does around the graphs\n",
                                                               100 * profile.overheadMs / profile.kernelMs);
    for (const std::string& note : profile.notes) text += "note: " + note + "\n";
    text += shownRows(withColumns(profileTable(profile, record),
                                  {"name", "ms", "share", "calls", "median_ms", "node", "module", "source"}),
                      most);
    return text + shownRows(unjoinedTable(profile), most);
}

nlohmann::json profileJson(const JoinedProfile& profile, const CompileRecord& record) {
    return {{"device", profile.device},
            {"steps", profile.steps},
            {"warm_up_steps", profile.warmUps},
            {"step_ms", profile.stepMs},
            {"kernel_ms", profile.kernelMs},
            {"joined_ms", profile.joinedMs},
            {"overhead_ms", profile.overheadMs},
            {"rows", tableJson(profileTable(profile, record), {"node", "module", "source"})},
            {"unjoined", tableJson(unjoinedTable(profile), {"node", "module", "source"})},
            {"notes", profile.notes}};
}

}  // namespace aotscope
