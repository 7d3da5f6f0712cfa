#include "support/random_program.h"

#include <algorithm>
#include <set>

namespace aotscope::test {

namespace {

using Id = std::size_t;
using Statement = RandomProgram::Statement;
using Output = RandomProgram::Output;

/// The program without statement `index` and everything that needs its results; nothing if no output is left.
std::optional<RandomProgram> without(const RandomProgram& program, std::size_t index) {
    RandomProgram rest = program;
    rest.statements.clear();
    std::set<Id> gone;
    const auto lost = [&](const std::vector<Id>& ids) {
        return std::any_of(ids.begin(), ids.end(), [&](Id id) { return gone.contains(id); });
    };
    for (std::size_t i = 0; i < program.statements.size(); ++i) {
        const Statement& statement = program.statements[i];
        if (i == index || lost(statement.operands)) gone.insert(statement.results.begin(), statement.results.end());
        else rest.statements.push_back(statement);
    }
    std::erase_if(rest.outputs, [&](const Output& output) { return lost(output.values); });
    return rest.outputs.empty() ? std::nullopt : std::optional(rest);
}

/// The program with the results of statement `index` replaced by its first operand.
std::optional<RandomProgram> bypassing(const RandomProgram& program, std::size_t index) {
    const Statement skipped = program.statements[index];
    if (skipped.results.empty()) return std::nullopt;
    RandomProgram rest = program;
    rest.statements.erase(rest.statements.begin() + static_cast<std::ptrdiff_t>(index));
    const auto rename = [&](std::vector<Id>& ids) {
        for (const Id result : skipped.results) std::replace(ids.begin(), ids.end(), result, skipped.operands[0]);
    };
    for (Statement& statement : rest.statements) rename(statement.operands);
    for (Output& output : rest.outputs) rename(output.values);
    return rest;
}

/// The program without input `index`, if nothing uses it.
std::optional<RandomProgram> withoutInput(const RandomProgram& program, std::size_t index) {
    RandomProgram rest = program;
    rest.inputs.inputs.erase(rest.inputs.inputs.begin() + static_cast<std::ptrdiff_t>(index));
    bool used = program.inputs.inputs.size() == 1;
    const auto renumber = [&](std::vector<Id>& ids) {
        for (Id& id : ids) {
            used = used || id == index;
            id -= id > index ? 1 : 0;
        }
    };
    for (Statement& statement : rest.statements) {
        renumber(statement.operands);
        renumber(statement.results);
    }
    for (Output& output : rest.outputs) renumber(output.values);
    return used ? std::nullopt : std::optional(rest);
}

/// The program without value `index` of the input spec, if no input needs it.
std::optional<RandomProgram> withoutValue(const RandomProgram& program, std::size_t index) {
    RandomProgram rest = program;
    rest.inputs.values.erase(rest.inputs.values.begin() + static_cast<std::ptrdiff_t>(index));
    bool used = false;
    const auto renumber = [&](std::size_t& value) {
        used = used || value == index;
        value -= value > index ? 1 : 0;
    };
    for (ValueSpec& value : rest.inputs.values)
        if (auto* derived = std::get_if<DerivedSpec>(&value)) renumber(derived->of);
    for (InputItem& item : rest.inputs.inputs)
        if (auto* tensor = std::get_if<InputItem::TensorRef>(&item.data)) renumber(tensor->value);
    return used ? std::nullopt : std::optional(rest);
}

/// The program with the origin of input `index` in its place.
std::optional<RandomProgram> withPlainerInput(const RandomProgram& program, std::size_t index) {
    RandomProgram rest = program;
    auto* tensor = std::get_if<InputItem::TensorRef>(&rest.inputs.inputs[index].data);
    const auto* derived = tensor ? std::get_if<DerivedSpec>(&rest.inputs.values[tensor->value]) : nullptr;
    if (!derived) return std::nullopt;
    tensor->value = derived->of;
    return rest;
}

std::vector<RandomProgram> simplerThan(const RandomProgram& program) {
    std::vector<RandomProgram> all;
    const auto add = [&](std::optional<RandomProgram> candidate) {
        if (candidate) all.push_back(std::move(*candidate));
    };
    for (std::size_t i = program.statements.size(); i-- > 0;) {
        add(without(program, i));
        add(bypassing(program, i));
    }
    for (std::size_t i = program.outputs.size(); program.outputs.size() > 1 && i-- > 0;) {
        RandomProgram rest = program;
        rest.outputs.erase(rest.outputs.begin() + static_cast<std::ptrdiff_t>(i));
        all.push_back(std::move(rest));
    }
    for (std::size_t i = 0; i < program.outputs.size(); ++i)
        for (const Id value : program.outputs[i].values) {
            if (program.outputs[i].kind == Output::Kind::tensor) continue;
            all.push_back(program);
            all.back().outputs[i] = {Output::Kind::tensor, {value}};
        }
    for (std::size_t i = program.inputs.inputs.size(); i-- > 0;) add(withoutInput(program, i));
    for (std::size_t i = program.inputs.values.size(); i-- > 0;) add(withoutValue(program, i));
    for (std::size_t i = 0; i < program.inputs.inputs.size(); ++i) add(withPlainerInput(program, i));
    for (std::size_t i = 0; i < program.statements.size(); ++i) {
        if (!program.statements[i].noGrad) continue;
        all.push_back(program);
        all.back().statements[i].noGrad = false;
    }
    return all;
}

}  // namespace

RandomProgram shrunk(RandomProgram program, const std::function<bool(const RandomProgram&)>& fails) {
    for (int tries = 0; tries < 400;) {
        bool smaller = false;
        for (RandomProgram& candidate : simplerThan(program)) {
            if (++tries > 400) break;
            if (!fails(candidate)) continue;
            program = std::move(candidate);
            smaller = true;
            break;
        }
        if (!smaller) break;
    }
    return program;
}

}  // namespace aotscope::test
