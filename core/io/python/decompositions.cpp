#include "io/python/text.h"

#include "ops/decompositions/decomposition_table.h"

#include <algorithm>
#include <array>
#include <map>

namespace aotscope {

namespace {

/// One of PyTorch's tables.
struct PythonTable {
    std::string_view set;  ///< our set with the same rules
    std::string_view import, call;
};
constexpr std::array<PythonTable, 2> kPythonTables = {
    {{"core-aten", "from torch._decomp import core_aten_decompositions\n", "core_aten_decompositions()"},
     {"inductor", "from torch._inductor.decomposition import select_decomp_table\n", "dict(select_decomp_table())"}}};
/// Its rules for prims have no table of their own.
constexpr std::string_view kRegistered =
    "import torch._refs\n"
    "from torch._decomp import core_aten_decompositions, get_decompositions\n";

const PythonTable* pythonTable(std::string_view set) {
    const auto found = std::ranges::find(kPythonTables, set, &PythonTable::set);
    return found == kPythonTables.end() ? nullptr : &*found;
}

std::string operators(const std::vector<std::string>& ops) {
    std::string text = "[\n";
    for (const std::string& op : ops) text += "    torch.ops." + op + ",\n";
    return text + "]";
}

/// The difference between a table and the one that it starts from.
struct TableChanges {
    std::vector<std::string> kept;                                       ///< no longer decomposed
    std::map<std::string, std::vector<std::string>, std::less<>> rules;  ///< by source table
};

TableChanges changesOf(const DecompositionTable& table, const std::string& start,
                       const std::vector<DecompositionRule>& rules) {
    TableChanges changes;
    std::map<std::string, DecompositionEntry> before;
    for (const DecompositionEntry& entry : DecompositionTable{start, start, {}}.entries(rules))
        before[entry.op] = entry;
    for (const DecompositionEntry& entry : table.entries(rules)) {
        const auto old = before.find(entry.op);
        if (old == before.end() || old->second.rule != entry.rule) changes.rules[entry.set].push_back(entry.op);
        if (old != before.end()) before.erase(old);
    }
    for (const auto& [op, entry] : before) changes.kept.push_back(op);
    return changes;
}

}  // namespace

std::string decompositionsAsPython(const DecompositionTable* table, const std::vector<DecompositionRule>& rules) {
    const std::string use =
        "\n# aot_function(f, compiler, decompositions=decompositions)\n"
        "# exported_program.run_decompositions(decompositions)\n";
    if (!table) return "decompositions = {}  # nothing is decomposed\n" + use;
    // Prims are based on core ATen, whose table PyTorch has; so are tables based on prims.
    const std::string start = table->base == "prims" ? "core-aten" : table->base;
    const TableChanges changes = changesOf(*table, start, rules);
    const PythonTable* base = pythonTable(start);
    std::string imports, text = "\ndecompositions = " + std::string(base ? base->call : "{}") + "\n";
    const bool registered = changes.rules.contains("prims");
    for (const PythonTable& own : kPythonTables)
        if ((base == &own || changes.rules.contains(own.set)) && !(registered && own.set == "core-aten"))
            imports += own.import;
    if (registered) imports = std::string(kRegistered) + imports;
    for (const auto& [set, ops] : changes.rules) {
        text += "\n# rules of " + set + "\n";
        if (const PythonTable* own = pythonTable(set))
            text += "table = " + std::string(own->call) + "\nfor op in " + operators(ops) +
                    ":\n    decompositions[op] = table[op]\n";
        else text += "decompositions.update(get_decompositions(" + operators(ops) + "))\n";
    }
    if (!changes.kept.empty())
        text += "\n# kept as they are\nfor op in " + operators(changes.kept) + ":\n    decompositions.pop(op, None)\n";
    return "import torch\n" + imports + text + use;
}

}  // namespace aotscope
