#include "ops/decompositions/decomposition_table.h"

#include "ir/node_attributes.h"
#include "support/error.h"
#include "support/file.h"
#include "support/json/bounded_json.h"
#include "support/names.h"
#include "support/quoted.h"
#include "support/text_encoding.h"

#include <algorithm>
#include <functional>

namespace aotscope {

namespace {

constexpr std::uintmax_t kLargestTable = 16 << 20;
constexpr const char* kKeep = "keep";

std::string builtInNames() {
    std::string text;
    for (const auto& name : DecompositionTable::names()) text += name + ", ";
    return text;
}

bool isBuiltIn(const std::string& name) { return std::ranges::count(DecompositionTable::names(), name) > 0; }
bool isBuiltIn(const nlohmann::json& value) { return value.is_string() && isBuiltIn(value.get<std::string>()); }

Error wrongTable(const std::string& path, const std::string& what) {
    return Error("decomposition table '" + path + "' " + what);
}

/// Null if it is not JSON.
nlohmann::json jsonIn(const std::string& path) {
    const std::string text = toUtf8(readFile(path, kLargestTable));
    try {
        return parseBounded(text);
    } catch (const Error& e) {
        throw wrongTable(path, e.what());
    } catch (const nlohmann::json::exception&) {
        return nullptr;
    }
}

/// A value, for a sentence.
std::string shown(const nlohmann::json& value) {
    return shortened(value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

DecompositionTable tableIn(const std::string& path) {
    std::error_code failure;
    if (!std::filesystem::exists(path, failure))
        throw UsageError("there is no decomposition table '" + path + "'; expected " + builtInNames() +
                         "or a JSON file");
    const auto content = jsonIn(path);
    if (!content.is_object())
        throw wrongTable(path, R"(is not a JSON object like {"base": "core-aten", "ops": {"aten.silu": "keep"}})");
    for (const auto& [key, value] : content.items())
        if (key != "base" && key != "ops")
            throw wrongTable(path, "has the key " + inQuotes(key) + ", but only 'base' and 'ops' are known");
    const auto base = content.value("base", nlohmann::json("none"));
    if (!isBuiltIn(base))
        throw wrongTable(
            path, "has the base " + shown(base) + "; expected one of " + quotedNames(DecompositionTable::names()));
    DecompositionTable table{path, base.get<std::string>(), {}};
    const auto ops = content.value("ops", nlohmann::json::object());
    if (!ops.is_object()) throw wrongTable(path, "has 'ops' that are not an object of operators");
    for (const auto& [op, choice] : ops.items()) {
        if (choice != kKeep && (!isBuiltIn(choice) || choice == "none"))
            throw wrongTable(path, "gives " + inQuotes(op) + " the value " + shown(choice) +
                                       "; expected keep, core-aten, inductor or prims");
        table.choices[op] = choice.get<std::string>();
    }
    return table;
}

/// The rules of a table, by operation, while they are chosen among all.
class RuleChoice {
public:
    explicit RuleChoice(const std::vector<DecompositionRule>& rules) : rules_(rules) {}

    const std::map<std::string, DecompositionEntry>& chosen() const { return chosen_; }

    /// Calls `mistake` with a clause for every choice that does not fit the rules.
    void choose(const DecompositionTable& table, const std::function<void(const std::string&)>& mistake) {
        take(table.base, [](std::string_view) { return true; });
        for (const auto& [op, choice] : table.choices) {
            const auto meant = [&op](std::string_view other) { return other == op || packetOf(other) == op; };
            if (choice == kKeep) {
                if (std::erase_if(chosen_, [&](const auto& each) { return meant(each.first); }) == 0)
                    mistake("keeps " + inQuotes(op) + ", which its base does not decompose");
            } else if (!take(choice, meant)) {
                mistake("takes " + inQuotes(op) + " from " + choice + ", which has no rule for it");
            }
        }
    }

private:
    /// Takes the rules of `set` for the operations that are `meant`. False if there are none.
    bool take(const std::string& set, const std::function<bool(std::string_view)>& meant) {
        bool found = set == "prims" && take("core-aten", meant);  // which it extends
        for (const DecompositionRule& rule : rules_) {
            if (!meant(rule.op) || std::ranges::count(rule.sets, set) == 0) continue;
            chosen_.insert_or_assign(rule.op, DecompositionEntry{rule.op, rule.rule, set});
            found = true;
        }
        return found;
    }

    const std::vector<DecompositionRule>& rules_;
    std::map<std::string, DecompositionEntry> chosen_;
};

}  // namespace

const std::vector<std::string>& DecompositionTable::names() {
    static const std::vector<std::string> names = {"none", "core-aten", "inductor", "prims"};
    return names;
}

std::shared_ptr<const DecompositionTable> DecompositionTable::load(const std::string& nameOrFile) {
    if (nameOrFile == "none") return nullptr;
    return std::make_shared<DecompositionTable>(isBuiltIn(nameOrFile) ? DecompositionTable{nameOrFile, nameOrFile, {}}
                                                                      : tableIn(nameOrFile));
}

std::vector<DecompositionEntry> DecompositionTable::entries(const std::vector<DecompositionRule>& rules) const {
    RuleChoice choice(rules);
    choice.choose(*this, [](const std::string&) {});
    std::vector<DecompositionEntry> entries;
    for (const auto& [op, entry] : choice.chosen()) entries.push_back(entry);
    return entries;
}

void DecompositionTable::requireFit(const std::vector<DecompositionRule>& rules) const {
    RuleChoice(rules).choose(*this, [&](const std::string& mistake) { throw wrongTable(name, mistake); });
}

std::string DecompositionTable::text(const std::string& base, const std::vector<DecompositionEntry>& chosen,
                                     const std::vector<DecompositionRule>& rules) {
    auto ops = nlohmann::json::object();
    std::map<std::string, std::string> standard;
    for (const DecompositionEntry& entry : DecompositionTable{base, base, {}}.entries(rules)) {
        standard[entry.op] = entry.rule;
        ops[entry.op] = kKeep;
    }
    for (const DecompositionEntry& entry : chosen) {
        const auto known = standard.find(entry.op);
        if (known != standard.end() && known->second == entry.rule) ops.erase(entry.op);
        else ops[entry.op] = entry.set;
    }
    return nlohmann::json{{"base", base}, {"ops", std::move(ops)}}.dump(2) + "\n";
}

}  // namespace aotscope
