#include "io/differences/fact_difference.h"

#include "ir/node_changes.h"
#include "ir/parser.h"
#include "record/options/option_table.h"
#include "support/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr std::size_t kLongestFact = 200;

std::string factText(const json& value) {
    if (value.is_null()) return {};
    std::string text =
        value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, json::error_handler_t::replace);
    if (text.size() > kLongestFact) text = text.substr(0, kLongestFact) + "...";
    return text;
}

/// Null if it does not exist. In a damaged report, the member may be anything.
const json& memberOf(const json& object, std::string_view key) {
    static const json none;
    if (!object.is_object()) return none;
    const auto it = object.find(key);
    return it == object.end() ? none : *it;
}

std::string textIn(const json& object, std::string_view key) { return factText(memberOf(object, key)); }

/// The first of the compared aspects in which two printed types, as "f32[4, 5]", differ; nothing if they match.
std::optional<Aspect> differingAspect(const std::string& before, const std::string& after, AspectSet ignored) {
    const auto typeOf = [](const std::string& text) {
        return parseGraph("graph g\n%x : " + text + " = placeholder\nreturn [%x]")->at(0)->type;
    };
    AspectSet aspects = {Aspect::shapes};
    try {
        aspects = differingAspects(typeOf(before), typeOf(after), false);
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): it has symbols, which a type alone does not declare
    }
    const auto first = std::ranges::find_if(
        ::aotscope::aspects(), [&](const AspectInfo& info) { return aspects.without(ignored).has(info.aspect); });
    return first == ::aotscope::aspects().end() ? std::nullopt : std::optional(first->aspect);
}

/// A description of a metadata key. Derived: it follows from others, which are compared.
struct KeyInfo {
    Aspect aspect;
    bool isType = false, derived = false;
};

KeyInfo infoOf(std::string_view key, const KeyInfo& around) {
    using enum Aspect;
    static const std::map<std::string_view, KeyInfo> known = {{"name", {names}},
                                                              {"shape", {shapes}},
                                                              {"dtype", {dtypes}},
                                                              {"why", {reasons}},
                                                              {"type", {aliasing}},
                                                              {"views", {aliasing}},
                                                              {"base_idx", {aliasing}},
                                                              {"repeats", {aliasing}},
                                                              {"synthetic_bases", {aliasing}},
                                                              {"dedupe", {aliasing}},
                                                              {"after", {shapes, true}},
                                                              {"view", {shapes, true}},
                                                              {"traced_tangents", {shapes, true}},
                                                              {"runtime_steps", {metadata, false, true}},
                                                              {"num_forward_returns", {metadata, false, true}},
                                                              {"num_outputs", {metadata, false, true}},
                                                              {"num_outputs_aliased", {metadata, false, true}},
                                                              {"num_outputs_non_aliased", {metadata, false, true}}};
    const auto it = known.find(key);
    return it == known.end() ? around : it->second;
}

/// Members to compare, and their aspects.
using Fields = std::vector<std::pair<const char*, Aspect>>;
using Named = std::map<std::string, json>;

/// The objects of a list by the texts under `keys`; equal ones are numbered.
Named byKeys(const json& list, const std::vector<const char*>& keys) {
    Named named;
    std::map<std::string, int> seen;
    for (const json& element : list) {
        std::string id;
        for (const char* key : keys) id += (id.empty() ? "" : " by ") + textIn(element, key);
        if (const int count = ++seen[id]; count > 1) id += " (" + std::to_string(count) + ")";
        named.emplace(std::move(id), element);
    }
    return named;
}

class FactComparison {
public:
    FactComparison(const json& before, const json& after, AspectSet ignored, const NameAfter& nameAfter)
        : before_(before), after_(after), ignored_(ignored), nameAfter_(nameAfter) {}

    FactDifference run() {
        using enum Aspect;
        compareOptions();
        compareSection("inputs", "inputs", {metadata});
        compareSection("metadata", "metadata of mutations and aliases", {metadata});
        compareLists("guards", "guard", {"text"}, {{"kind", guards}, {"reason", reasons}}, guards);
        compareLists("symbols", "symbol", {"name"},
                     {{"hint", shapes}, {"min", shapes}, {"max", shapes}, {"origin", shapes}}, shapes);
        compareLists("decompositions", "decomposition of", {"op", "rule"}, {{"count", passes}}, passes);
        compareSection("fallbacks", "kernels that ran while tracing", {passes});
        comparePasses();
        comparePartition();
        add(passes, "error", textIn(before_, "error"), textIn(after_, "error"));
        return std::move(found_);
    }

private:
    /// Both sides of a section, null if missing. If only one side has it, `title` is noted.
    std::pair<const json*, const json*> sections(const char* section, const char* title) {
        const json &was = memberOf(before_, section), &is = memberOf(after_, section);
        if (was.is_null() != is.is_null())
            found_.notCompared.push_back(std::string(title) + ", which only one side has");
        if (was.is_null() || is.is_null()) return {nullptr, nullptr};
        return {&was, &is};
    }

    void add(Aspect aspect, std::string what, std::string before, std::string after) {
        if (before == after || ignored_.has(aspect)) return;
        found_.changes.push_back({aspect, std::move(what), std::move(before), std::move(after)});
    }

    void compareSection(const char* section, const char* title, const KeyInfo& info) {
        if (const auto [was, is] = sections(section, title); was) compareValues(info, section, *was, *is);
    }

    void compareValues(const KeyInfo& info, const std::string& what, const json& before, const json& after) {
        if (before == after || info.derived) return;
        if (before.is_object() && after.is_object()) return compareObjects(info, what, before, after);
        const bool lists = before.is_array() && after.is_array();
        if (lists && before.size() == after.size()) {
            for (std::size_t i = 0; i < before.size(); ++i)
                compareValues(info, what + "[" + std::to_string(i) + "]", before[i], after[i]);
        } else if (lists) {
            add(info.aspect, "number of " + what, std::to_string(before.size()), std::to_string(after.size()));
        } else if (info.isType && before.is_string() && after.is_string()) {
            if (const auto aspect = differingAspect(before.get<std::string>(), after.get<std::string>(), ignored_))
                add(*aspect, what, factText(before), factText(after));
        } else {
            add(info.aspect, what, factText(before), factText(after));
        }
    }

    void compareObjects(const KeyInfo& info, const std::string& what, const json& before, const json& after) {
        std::set<std::string> keys;
        for (const json* side : {&before, &after})
            for (const auto& [key, value] : side->items()) keys.insert(key);
        for (const std::string& key : keys)
            compareValues(infoOf(key, info), what + "." + key, memberOf(before, key), memberOf(after, key));
    }

    /// Compares lists whose order is irrelevant. `fields`: the members to compare of an object on both sides.
    void compareLists(const char* section, const std::string& what, const std::vector<const char*>& keys,
                      const Fields& fields, Aspect aspect) {
        const auto [was, is] = sections(section, section);
        if (!was) return;
        const Named left = byKeys(*was, keys), right = byKeys(*is, keys);
        for (const auto& [id, object] : left)
            if (!right.contains(id)) add(aspect, what + " " + id, "there", "");
        for (const auto& [id, object] : right) {
            const auto it = left.find(id);
            if (it == left.end()) add(aspect, what + " " + id, "", "there");
            else compareFields(what + " " + id, it->second, object, fields);
        }
    }

    void compareFields(const std::string& what, const json& before, const json& after, const Fields& fields) {
        for (const auto& [field, aspect] : fields)
            add(aspect, what + ": " + field, textIn(before, field), textIn(after, field));
    }

    /// Only options that decide the graphs; the source of the example inputs does not.
    void compareOptions() {
        const auto [was, is] = sections("options", "options");
        if (!was) return;
        for (const OptionEntry& entry : optionTable()) {
            if (entry.scope == OptionScope::run || entry.name() == "--inputs" || entry.report.empty()) continue;
            std::string key(entry.report.substr(entry.report.rfind(' ') + 1));
            const std::string shown = key;
            std::ranges::replace(key, '.', '/');
            const json::json_pointer place("/" + key);
            const auto textOf = [&](const json& side) { return side.contains(place) ? factText(side.at(place)) : ""; };
            add(Aspect::options, "option " + shown, textOf(*was), textOf(*is));
        }
    }

    void comparePasses() {
        using enum Aspect;
        compareLists("passes", "pass", {"name"},
                     {{"changed", passes}, {"nodes_before", passes}, {"nodes_after", passes}}, passes);
        const auto common = [](const json& list, const json& other) {
            std::string order;
            const Named there = byKeys(other, {"name"});
            for (const json& pass : list)
                if (const std::string name = textIn(pass, "name"); there.contains(name))
                    order += (order.empty() ? "" : ", ") + name;
            return order;
        };
        const json &was = memberOf(before_, "passes"), &is = memberOf(after_, "passes");
        add(Aspect::passes, "order of passes", common(was, is), common(is, was));
    }

    void comparePartition() {
        const json &was = memberOf(before_, "partition"), &is = memberOf(after_, "partition");
        if (was.is_null() || is.is_null()) {
            add(Aspect::partition, "partition", was.is_null() ? "" : "there", is.is_null() ? "" : "there");
            return;
        }
        add(Aspect::partition, "partitioner", textIn(was, "algorithm"), textIn(is, "algorithm"));
        const json &budget = memberOf(was, "memory_budget"), &budgetNow = memberOf(is, "memory_budget");
        add(Aspect::reasons, "cut for the memory budget", textIn(budget, "cut"), textIn(budgetNow, "cut"));
        compareValuesByName(was, is, "saved", "saved value",
                            {{"kind", Aspect::metadata}, {"donated", Aspect::aliasing}});
        const bool decided = !memberOf(was, "decisions").empty(), decidedNow = !memberOf(is, "decisions").empty();
        if (decided != decidedNow) found_.notCompared.emplace_back("reasons of the partition, which only one side has");
        if (!decided || !decidedNow) return;
        compareValuesByName(was, is, "decisions", "decision on",
                            {{"fate", Aspect::partition},
                             {"reason", Aspect::reasons},
                             {"banned", Aspect::reasons},
                             {"overruled", Aspect::reasons},
                             {"exempt", Aspect::reasons},
                             {"cannot_save", Aspect::reasons},
                             {"materialized", Aspect::reasons}});
    }

    /// Values on both sides; the comparison of graphs covers those on only one.
    void compareValuesByName(const json& before, const json& after, const char* list, const std::string& what,
                             const Fields& fields) {
        const Named there = byKeys(memberOf(after, list), {"name"});
        for (const json& value : memberOf(before, list)) {
            const std::string name = textIn(value, "name");
            const auto twin = there.find(nameAfter_(name));
            if (twin != there.end()) compareFields(what + " %" + twin->first, value, twin->second, fields);
        }
    }

    const json &before_, &after_;
    AspectSet ignored_;
    const NameAfter& nameAfter_;
    FactDifference found_;
};

}  // namespace

FactDifference compareFacts(const json& before, const json& after, AspectSet ignored, const NameAfter& nameAfter) {
    return FactComparison(before, after, ignored, nameAfter).run();
}

}  // namespace aotscope
