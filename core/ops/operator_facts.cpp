#include "ops/operator_facts.h"

#include "ops/operator_rows.h"
#include "support/error.h"
#include "support/token_reader.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

namespace aotscope {

namespace {

constexpr char kWrittenMark = '!', kViewMark = '&', kRandomMark = '?';

/// Removes `mark` from the end of `word`, if it is there.
bool takeMark(std::string_view& word, char mark) {
    if (!word.ends_with(mark)) return false;
    word.remove_suffix(1);
    return true;
}

std::string_view takeWord(std::string_view& row) {
    const std::string_view word = row.substr(0, row.find(' '));
    row.remove_prefix(std::min(word.size() + 1, row.size()));
    return word;
}

bool isName(std::string_view word) { return !word.empty() && std::ranges::all_of(word, isNamePart); }

/// "aten.add.Tensor", unlike "aten.add" and "higher_order.cond".
bool hasOverload(std::string_view op) { return std::ranges::count(op, '.') >= 2; }

bool isOperator(std::string_view op) {
    for (auto dot = op.find('.'); dot != std::string_view::npos; dot = op.find('.')) {
        if (!isName(op.substr(0, dot))) return false;
        op.remove_prefix(dot + 1);
    }
    return isName(op);
}

using OperatorTable = std::unordered_map<std::string_view, OperatorFacts>;

const OperatorTable& builtIn() {
    static const OperatorTable table = [] {
        OperatorTable all;
        all.reserve(operatorRows().size());
        for (const std::string_view row : operatorRows()) {
            auto facts = parsedRow(row);
            check(facts.has_value(), "a row of the table of operators is none");
            all.emplace(facts->op, std::move(*facts));
        }
        return all;
    }();
    return table;
}

/// The operators outside of the table. Nothing is ever removed: others hold pointers.
class DescribedOperators {
public:
    static DescribedOperators& instance() {
        static auto* operators = new DescribedOperators;  // outlives all static objects
        return *operators;
    }

    void setSource(OperatorSource source) { source_ = source; }

    const OperatorFacts* find(std::string_view op) {
        const OperatorFacts* declared = nullptr;
        {
            const std::shared_lock lock(mutex_);
            if (const auto it = registered_.find(op); it != registered_.end()) return it->second;
            if (const auto it = declared_.find(op); it != declared_.end()) declared = it->second;
        }
        const OperatorSource source = source_;
        auto row = source ? source(op) : std::nullopt;
        const OperatorFacts* registered = row ? add(registered_, *row) : nullptr;
        return registered ? registered : declared;
    }

    void declare(std::string_view row) { add(declared_, row); }

private:
    using Places = std::unordered_map<std::string_view, const OperatorFacts*>;

    const OperatorFacts* add(Places& places, std::string_view row) {
        const auto given = parsedRow(row);
        if (!given) return nullptr;
        const std::unique_lock lock(mutex_);
        if (const auto it = places.find(given->op); it != places.end() && it->second->row == row) return it->second;
        const OperatorFacts& kept = facts_.emplace_back(*parsedRow(rows_.emplace_back(row)));
        places.insert_or_assign(kept.op, &kept);
        return &kept;
    }

    std::shared_mutex mutex_;
    std::deque<std::string> rows_;
    std::deque<OperatorFacts> facts_;
    Places registered_, declared_;
    std::atomic<OperatorSource> source_ = nullptr;
};

}  // namespace

bool OperatorFacts::writes() const { return std::ranges::any_of(parameters, &Parameter::written); }

const OperatorFacts* operatorFacts(std::string_view op) {
    if (const auto it = builtIn().find(op); it != builtIn().end()) return &it->second;
    if (op.starts_with("operator.") || !hasOverload(op)) return nullptr;
    return DescribedOperators::instance().find(op);
}

std::optional<OperatorFacts> parsedRow(std::string_view row) {
    OperatorFacts facts{.row = row, .op = {}, .parameters = {}};
    std::string_view rest = row;
    facts.op = takeWord(rest);
    facts.random = takeMark(facts.op, kRandomMark);
    facts.views = takeMark(facts.op, kViewMark);
    if (!isOperator(facts.op) || !hasOverload(facts.op)) return std::nullopt;
    facts.parameters.reserve(static_cast<std::size_t>(std::ranges::count(row, ' ')));
    while (!rest.empty()) {
        std::string_view name = takeWord(rest);
        const bool written = takeMark(name, kWrittenMark);
        if (!isName(name)) return std::nullopt;
        facts.parameters.push_back({name, written});
    }
    return facts;
}

std::string printedRow(const OperatorFacts& facts) {
    std::string row(facts.op);
    if (facts.views) row += kViewMark;
    if (facts.random) row += kRandomMark;
    for (const auto& [name, written] : facts.parameters) {
        row += ' ';
        row += name;
        if (written) row += kWrittenMark;
    }
    return row;
}

std::string_view declarationOf(std::string_view op) {
    const OperatorFacts* facts = builtIn().contains(op) ? nullptr : operatorFacts(op);
    return facts ? facts->row : std::string_view();
}

void declareOperator(const OperatorFacts& facts) {
    if (!builtIn().contains(facts.op)) DescribedOperators::instance().declare(facts.row);
}

void setOperatorSource(OperatorSource source) { DescribedOperators::instance().setSource(source); }

}  // namespace aotscope
