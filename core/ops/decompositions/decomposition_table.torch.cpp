#include "ops/decompositions/decomposition_table.h"

#include "ir/node_attributes.h"
#include "ops/decompositions/decomposition.h"
#include "support/error.h"
#include "support/file.h"
#include "support/json/bounded_json.h"
#include "support/names.h"
#include "support/quoted.h"
#include "support/text_encoding.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr std::uintmax_t kLargestTable = 16 << 20;

std::uint8_t setOf(const std::string& name) {
    if (name == "core-aten") return kCoreAten;
    if (name == "inductor") return kInductor;
    return name == "prims" ? kPrims : 0;
}

std::string choices() {
    std::string text;
    for (const auto& name : DecompositionTable::names()) text += name + ", ";
    return text;
}

bool isTableName(const nlohmann::json& value) {
    const auto& known = DecompositionTable::names();
    return value.is_string() && std::find(known.begin(), known.end(), value.get<std::string>()) != known.end();
}

Error wrongTable(const std::string& path, const std::string& what) {
    return Error("decomposition table '" + path + "' " + what);
}

/// Null if it is not JSON.
nlohmann::json read(const std::string& path) {
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

}  // namespace

const std::vector<DecompositionRow>& decompositionRows() {
    static const auto rows = [] {
        std::vector<DecompositionRow> all;
        for (const auto& family :
             {activationDecompositions(), attentionDecompositions(), creationDecompositions(),
              elementwiseDecompositions(), indexingDecompositions(), lossDecompositions(),
              normalizationDecompositions(), primsDecompositions(), spatialDecompositions(), viewDecompositions()})
            all.insert(all.end(), family.begin(), family.end());
        return all;
    }();
    return rows;
}

std::vector<DecompositionRule> allDecompositionRules() {
    std::vector<DecompositionRule> rules;
    for (const std::string& name : DecompositionTable::names()) {
        const auto table = DecompositionTable::load(name);
        if (!table) continue;
        for (const DecompositionEntry& entry : table->entries()) {
            const auto same = std::ranges::find_if(rules, [&](const DecompositionRule& known) {
                return known.op == entry.op && known.rule == entry.rule;
            });
            if (same == rules.end()) rules.push_back({entry.op, entry.rule, {entry.set}});
            else if (std::ranges::count(same->sets, entry.set) == 0) same->sets.push_back(entry.set);
        }
    }
    std::ranges::stable_sort(rules, {}, &DecompositionRule::op);
    return rules;
}

const std::vector<std::string>& DecompositionTable::names() {
    static const std::vector<std::string> names = {"none", "core-aten", "inductor", "prims"};
    return names;
}

std::shared_ptr<const DecompositionTable> DecompositionTable::load(const std::string& nameOrFile) {
    if (nameOrFile == "none") return nullptr;
    const auto& known = names();
    const bool named = std::find(known.begin(), known.end(), nameOrFile) != known.end();
    return std::make_shared<DecompositionTable>(named ? builtIn(nameOrFile) : fromFile(nameOrFile));
}

DecompositionTable DecompositionTable::builtIn(const std::string& name) {
    DecompositionTable table;
    if (name == "prims") {
        table = builtIn("core-aten");
        for (const auto& [op, row] : table.rows_) table.sets_[op] = "core-aten";
    }
    table.name_ = table.base_ = name;
    for (const DecompositionRow& row : decompositionRows()) {
        if (!(row.sets & setOf(name))) continue;
        table.rows_[row.op] = &row;
        table.sets_.erase(row.op);
    }
    return table;
}

DecompositionTable DecompositionTable::fromFile(const std::string& path) {
    std::error_code failure;
    if (!std::filesystem::exists(path, failure))
        throw UsageError("there is no decomposition table '" + path + "'; expected " + choices() + "or a JSON file");
    const auto json = read(path);
    if (!json.is_object())
        throw wrongTable(path, R"(is not a JSON object like {"base": "core-aten", "ops": {"aten.silu": "keep"}})");
    for (const auto& [key, value] : json.items())
        if (key != "base" && key != "ops")
            throw wrongTable(path, "has the key " + inQuotes(key) + ", but only 'base' and 'ops' are known");
    const auto base = json.value("base", nlohmann::json("none"));
    if (!isTableName(base))
        throw wrongTable(
            path, "has the base " + shown(base) + "; expected one of " + quotedNames(DecompositionTable::names()));
    DecompositionTable table = builtIn(base.get<std::string>());
    for (const auto& [op, row] : table.rows_) table.sets_.try_emplace(op, table.name_);
    table.name_ = path;
    const auto ops = json.value("ops", nlohmann::json::object());
    if (!ops.is_object()) throw wrongTable(path, "has 'ops' that are not an object of operators");
    for (const auto& [op, choice] : ops.items()) table.change(op, choice);
    return table;
}

void DecompositionTable::change(const std::string& op, const nlohmann::json& choice) {
    const auto isMeant = [&](std::string_view other) { return other == op || packetOf(other) == op; };
    if (choice == "keep") {
        if (std::erase_if(rows_, [&](const auto& entry) { return isMeant(entry.first); }) == 0)
            throw wrongTable(name_, "keeps " + inQuotes(op) + ", which its base does not decompose");
        return;
    }
    if (!isTableName(choice) || choice == "none")
        throw wrongTable(name_, "gives " + inQuotes(op) + " the value " + shown(choice) +
                                    "; expected keep, core-aten, inductor or prims");
    const DecompositionTable other = builtIn(choice.get<std::string>());
    bool found = false;
    for (const auto& [name, row] : other.rows_) {
        if (!isMeant(name)) continue;
        rows_[name] = row;
        sets_[name] = other.sets_.contains(name) ? other.sets_.at(name) : other.name_;
        found = true;
    }
    if (!found)
        throw wrongTable(name_, "takes " + inQuotes(op) + " from " + other.name_ + ", which has no rule for it");
}

std::string DecompositionTable::text(const std::string& base, const std::vector<DecompositionEntry>& chosen) {
    auto ops = nlohmann::json::object();
    std::map<std::string, std::string> rules;
    for (const DecompositionEntry& entry : builtIn(base).entries()) {
        rules[entry.op] = entry.rule;
        ops[entry.op] = "keep";
    }
    for (const DecompositionEntry& entry : chosen) {
        const auto standard = rules.find(entry.op);
        if (standard != rules.end() && standard->second == entry.rule) ops.erase(entry.op);
        else ops[entry.op] = entry.set;
    }
    return nlohmann::json{{"base", base}, {"ops", std::move(ops)}}.dump(2) + "\n";
}

std::vector<DecompositionEntry> DecompositionTable::entries() const {
    std::vector<DecompositionEntry> entries;
    for (const auto& [op, row] : rows_) {
        const auto set = sets_.find(op);
        entries.push_back({op, row->rule, set == sets_.end() ? name_ : set->second});
    }
    return entries;
}

const DecompositionRow* DecompositionTable::find(std::string_view op) const {
    const auto it = rows_.find(op);
    return it == rows_.end() ? nullptr : it->second;
}

}  // namespace aotscope
