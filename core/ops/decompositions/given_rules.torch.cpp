#include "ops/decompositions/given_rules.h"

#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <algorithm>
#include <utility>

namespace aotscope {

namespace {

thread_local const GivenRules* givenRules = nullptr;
/// The rules running on this thread.
thread_local std::vector<const OperatorDefinition*> runningRules;

class RunningRule {
public:
    explicit RunningRule(const OperatorDefinition& rule) { runningRules.push_back(&rule); }
    ~RunningRule() { runningRules.pop_back(); }
    RunningRule(const RunningRule&) = delete;
    RunningRule& operator=(const RunningRule&) = delete;
};

}  // namespace

GivenRulesScope::GivenRulesScope(const GivenRules& rules) : before_(std::exchange(givenRules, &rules)) {}

GivenRulesScope::~GivenRulesScope() { givenRules = before_; }

bool runGivenRule(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    if (!givenRules || givenRules->empty()) return false;
    const auto it = givenRules->find(op.operator_name());
    if (it == givenRules->end() || std::ranges::find(runningRules, it->second.get()) != runningRules.end())
        return false;
    const std::size_t below = stack.size() - op.schema().arguments().size(), returned = op.schema().returns().size();
    {
        const RunningRule running(*it->second);
        it->second->body(stack);
    }
    if (stack.size() != below + returned)
        throw Error("the rule for " + inQuotes(c10::toString(op.operator_name())) + " returns " +
                    counted(stack.size() - below, "value") + ", the operator " + std::to_string(returned));
    return true;
}

}  // namespace aotscope
