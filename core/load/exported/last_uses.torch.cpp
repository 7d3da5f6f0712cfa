#include "load/exported/last_uses.h"

#include <unordered_map>

namespace aotscope {

namespace {

using LastUse = std::unordered_map<std::size_t, Step*>;

void noteUse(const Operand& operand, Step& step, LastUse& last) {
    if (!operand.isConstant()) last[operand.slot] = &step;
}

void findLastUses(Block& block, LastUse& last) {
    for (Step& step : block.steps) {
        for (const ArgumentPlan& argument : step.arguments) {
            noteUse(argument.operand, step, last);
            for (const Operand& element : argument.elements) noteUse(element, step, last);
        }
        if (const auto* call = std::get_if<CallStep>(&step.what))
            for (const Operand& number : call->numbers) noteUse(number, step, last);
        for (const auto& result : step.results)
            for (const std::size_t slot : result) last[slot] = &step;
        if (auto* region = std::get_if<RegionStep>(&step.what)) findLastUses(*region->body, last);
    }
}

}  // namespace

void freeAfterLastUse(Block& block, const std::vector<Operand>& outputs) {
    LastUse last;
    findLastUses(block, last);
    for (const Operand& output : outputs)
        if (!output.isConstant()) last.erase(output.slot);
    for (const auto& [slot, step] : last) step->lastUses.push_back(slot);
}

}  // namespace aotscope
