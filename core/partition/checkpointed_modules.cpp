#include "partition/checkpointed_modules.h"

#include "ops/op_table.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

namespace aotscope {

namespace {

/// Fewer operations are no layer.
constexpr int kFewestOperations = 4;
constexpr const char *kRunAgain = "must_recompute=", *kModules = "module:/^(";

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// "layer#.#" for "layer1.0": what modules of one family have in common.
std::string familyOf(std::string_view module) {
    std::string family;
    for (const char c : module)
        if (!isDigit(c)) family += c;
        else if (family.empty() || family.back() != '#') family += '#';
    return family;
}

bool isForwardCall(const Node& node) {
    return node.kind() == NodeKind::call && node.stage == Stage::forward && node.source;
}

struct Family {
    std::vector<std::string> modules;
    int operations = 0;
};

/// All families of modules with numbers at the end of their names, by what they have in common.
std::map<std::string, Family> familiesIn(const Graph& joint) {
    std::map<std::string, Family> families;
    for (const Node* node : joint.nodes()) {
        if (!isForwardCall(*node)) continue;
        const std::string& path = node->source->module;
        for (std::size_t end = path.find('.');; end = path.find('.', end + 1)) {
            const std::string module = path.substr(0, end);
            if (!module.empty() && isDigit(module.back())) {
                Family& family = families[familyOf(module)];
                ++family.operations;
                if (std::ranges::count(family.modules, module) == 0) family.modules.push_back(module);
            }
            if (end == std::string::npos) break;
        }
    }
    return families;
}

/// Of exactly these modules, with all that they contain.
std::string queryOf(const std::vector<std::string>& modules) {
    std::string text;
    for (const std::string& module : modules) {
        text += text.empty() ? kModules : "|";
        for (const char c : module) {
            if (c != '_' && std::isalnum(static_cast<unsigned char>(c)) == 0) text += '\\';
            text += c;
        }
    }
    return text + ")(\\.|$)/";
}

bool isProduct(const Node& node) {
    const OpFamily family = opFamily(node.op());
    return family == OpFamily::matmul || family == OpFamily::convolution || family == OpFamily::attention;
}

}  // namespace

std::vector<std::string> repeatedModules(const Graph& joint) {
    const Family none;
    const Family* best = &none;
    const std::map<std::string, Family> families = familiesIn(joint);
    for (const auto& [name, family] : families) {
        const auto count = static_cast<int>(family.modules.size());
        if (count < 2 || family.operations < count * kFewestOperations) continue;
        if (family.operations > best->operations ||
            (family.operations == best->operations && family.modules.size() > best->modules.size()))
            best = &family;
    }
    return best->modules;
}

bool hasProducts(const Graph& joint, const std::vector<std::string>& modules) {
    const auto isIn = [](std::string_view path, const std::string& module) {
        return path.starts_with(module) && (path.size() == module.size() || path[module.size()] == '.');
    };
    return std::ranges::any_of(joint.nodes(), [&](const Node* node) {
        return isForwardCall(*node) && isProduct(*node) &&
               std::ranges::any_of(modules, [&](const auto& module) { return isIn(node->source->module, module); });
    });
}

int checkpointedBy(const std::vector<std::string>& policies) {
    const std::string start = std::string(kRunAgain) + kModules;
    return static_cast<int>(
        std::ranges::count_if(policies, [&](const std::string& policy) { return policy.starts_with(start); }));
}

std::vector<std::string> checkpointPolicies(const std::vector<std::string>& modules, CheckpointedPart part) {
    std::vector<std::string> policies;
    for (const std::string& module : modules) policies.push_back(kRunAgain + queryOf({module}));
    if (part == CheckpointedPart::selective)
        policies.push_back("must_save=" + queryOf(modules) +
                           " (family:matrix or family:convolution or family:attention)");
    return policies;
}

}  // namespace aotscope
