#include "load/printed/subclass_meta.h"

#include "ir/types.h"
#include "load/printed/text_parts.h"

#include <algorithm>
#include <cctype>

namespace aotscope {

namespace {

constexpr std::size_t kMostAttributes = 64, kLongestText = 400;

bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == ']' || c == '}'; }

/// The value of "key=" among the arguments of an entry, or empty.
std::string_view argumentOf(const std::vector<std::string_view>& arguments, std::string_view key) {
    for (const auto argument : arguments)
        if (argument.starts_with(key) && argument.size() > key.size() && argument[key.size()] == '=')
            return argument.substr(key.size() + 1);
    return {};
}

/// The contents of the outermost parentheses of "name(...)", or empty.
std::string_view insideOf(std::string_view call) {
    const auto open = std::ranges::find_if(call, opens);
    if (open == call.end() || !closes(call.back())) return {};
    const auto start = static_cast<std::size_t>(open - call.begin()) + 1;
    return start < call.size() ? call.substr(start, call.size() - 1 - start) : std::string_view();
}

/// On one line, with "Shard(0)" for "Shard(dim=0)".
std::string shortText(std::string_view text) {
    std::string result;
    for (const char c : text.substr(0, kLongestText))
        if (!std::isspace(static_cast<unsigned char>(c)) || (!result.empty() && result.back() != ' '))
            result += std::isspace(static_cast<unsigned char>(c)) ? ' ' : c;
    for (auto at = result.find("(dim="); at != std::string::npos; at = result.find("(dim=", at))
        result.erase(at + 1, 4);
    while (result.ends_with(',') || result.ends_with(' ')) result.pop_back();
    return result;
}

/// "f32" for "TensorMeta(shape=(16, 8), stride=(8, 1), dtype=torch.float32)".
std::string dtypeIn(std::string_view meta) {
    const auto at = meta.find("dtype=");
    if (at == std::string_view::npos) return {};
    auto name = meta.substr(at + 6);
    const auto end = std::ranges::find_if(
        name, [](char c) { return c != '.' && c != '_' && !std::isalnum(static_cast<unsigned char>(c)); });
    const auto dtype = dtypeFromName(name.substr(0, static_cast<std::size_t>(end - name.begin())));
    return dtype ? std::string(shortName(*dtype)) : std::string();
}

/// "DTensor(f32[16, 8], Shard(0)), mesh (tp=4)".
std::string subclassText(const std::vector<std::string_view>& arguments) {
    const auto original = argumentOf(arguments, "original_subclass"), meta = argumentOf(arguments, "meta");
    auto name = original.substr(0, original.find('('));
    const bool named = !name.empty() && std::ranges::all_of(name, [](char c) {
        return c == '_' || c == '.' || std::isalnum(static_cast<unsigned char>(c));
    });
    if (const auto dot = name.rfind('.'); dot != std::string_view::npos) name.remove_prefix(dot + 1);
    std::string text(named ? name : "subclass");
    text += "(" + dtypeIn(meta) + "[" + shortText(insideOf(insideOf(argumentOf(arguments, "outer_size")))) + "]";
    const auto inner = splitOutside(insideOf(original));
    auto placements = argumentOf(inner, "placements");
    if (const auto own = splitOutside(insideOf(meta)); placements.empty() && !own.empty()) placements = own.front();
    if (const std::string shown = shortText(insideOf(placements)); named && name == "DTensor" && !shown.empty())
        text += ", " + shown;
    text += ")";
    const auto mesh = argumentOf(inner, "device_mesh");
    if (mesh.starts_with("DeviceMesh("))
        if (const auto parts = splitOutside(insideOf(mesh)); !parts.empty())
            text += ", mesh " + shortText(parts.front());
    return text;
}

/// The names in "{'_local_tensor': ..., 'device_mesh': ...}".
std::vector<std::string> partsOf(std::string_view attributes) {
    std::vector<std::string> parts;
    for (auto entry : splitOutside(insideOf(attributes))) {
        if (!entry.starts_with('\'') || parts.size() == kMostAttributes) break;
        entry.remove_prefix(1);
        parts.emplace_back(shortText(entry.substr(0, entry.find('\''))));
    }
    return parts;
}

}  // namespace

std::vector<PrintedLeaf> readSubclasses(std::string_view list) {
    std::vector<PrintedLeaf> leaves;
    for (const auto entry : splitOutside(list)) {
        const auto arguments = splitOutside(insideOf(entry));
        const bool subclass = entry.starts_with("SubclassCreationMeta(");
        const auto first = countAtStart(argumentOf(arguments, subclass ? "flat_tensor_start_idx" : "unwrapped_idx"));
        if (!first) return {};
        leaves.push_back({*first, {}, {}});
        if (!subclass) continue;
        leaves.back().subclass = subclassText(arguments);
        leaves.back().parts = partsOf(argumentOf(arguments, "attrs"));
    }
    return leaves;
}

bool annotatesSubclass(std::string_view annotation) {
    const auto open = annotation.find('(');
    return open != std::string_view::npos && open > 0 && open < annotation.find('[') && annotation.ends_with(')') &&
           !annotation.starts_with("Sym(") && std::isupper(static_cast<unsigned char>(annotation.front())) != 0;
}

}  // namespace aotscope
