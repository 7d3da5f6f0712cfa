#include "compile/compilers.h"

#include "compile/as_plugin.h"
#include "compile/built_in_compilers.h"
#include "compile/fused/fused.h"
#include "compile/plugin.h"
#include "compile/torchscript/torchscript.h"
#include "execute/plan.h"
#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <algorithm>

namespace aotscope {

namespace {

class InterpreterCompiler final : public Compiler {
public:
    std::string name() const override { return "interpreter"; }
    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        return interpret(makePlan(graph, constants));
    }
};

std::vector<CompilerPlugin> builtIn() {
    static const std::map<std::string, CompilerFactory> factories = {
        {"interpreter", [](const CompilerSettings&) { return makeInterpreter(); }},
        {"torchscript", makeTorchScript},
        {"fused", makeFused},
    };
    std::vector<CompilerPlugin> list;
    for (const CompilerInfo& info : builtInCompilers()) list.push_back({info, factories.at(info.name)});
    return list;
}

/// A graph compiled by a plug-in.
class PluginGraph final : public CompiledGraph {
public:
    explicit PluginGraph(std::shared_ptr<const CompiledGraph> own) : own_(std::move(own)) {}
    std::vector<c10::IValue> run(std::vector<c10::IValue>& args, StepObserver* observer) const override {
        return asPlugin([&] { return own_->run(args, observer); });
    }
    const std::vector<NodeId>& steps() const override { return own_->steps(); }
    std::vector<std::vector<NodeId>> groups() const override { return own_->groups(); }
    std::string note() const override { return own_->note(); }
    std::vector<NodeId> shownBy(std::size_t step) const override { return own_->shownBy(step); }

private:
    std::shared_ptr<const CompiledGraph> own_;
};

class PluginCompiler final : public Compiler {
public:
    explicit PluginCompiler(std::unique_ptr<const Compiler> own) : own_(std::move(own)) {}
    std::string name() const override { return own_->name(); }
    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        auto compiled = asPlugin([&] { return own_->compile(graph, constants); });
        if (!compiled) throw Error("the plug-in's compiler '" + own_->name() + "' returned no graph");
        return std::make_shared<PluginGraph>(std::move(compiled));
    }

private:
    std::unique_ptr<const Compiler> own_;
};

std::vector<CompilerPlugin> all(const std::vector<std::filesystem::path>& plugins) {
    std::vector<CompilerPlugin> list = builtIn();
    for (const auto& file : plugins) {
        const CompilerPlugin plugin = unconfined([&] { return loadCompilerPlugin(file); });
        const auto same = [&](const CompilerPlugin& known) { return known.info.name == plugin.info.name; };
        if (std::any_of(list.begin(), list.end(), same))
            throw UsageError("plug-in '" + file.string() + "': its compiler has the name '" + plugin.info.name +
                             "', which another one has; give it a name of its own");
        list.push_back(plugin);
    }
    return list;
}

std::string guess(const std::string& name, const std::vector<std::string>& known) {
    const auto similar = similarNames(name, known);
    return " (there " + std::string(known.size() == 1 ? "is " : "are ") + quotedNames(known) + ")" +
           (similar.empty() ? "" : "; did you mean " + quotedNames(similar) + "?");
}

const CompilerPlugin& find(const std::vector<CompilerPlugin>& list, const std::string& name) {
    std::vector<std::string> names;
    for (const CompilerPlugin& known : list) {
        if (known.info.name == name) return known;
        names.push_back(known.info.name);
    }
    throw UsageError("there is no compiler " + inQuotes(name) + guess(name, names));
}

const CompilerSetting& find(const CompilerInfo& compiler, const std::string& name) {
    std::vector<std::string> names;
    for (const CompilerSetting& known : compiler.settings) {
        if (known.name == name) return known;
        names.push_back(known.name);
    }
    throw UsageError("the compiler '" + compiler.name + "' has no setting " + inQuotes(name) +
                     (names.empty() ? "; it has no settings" : guess(name, names)));
}

/// Checks all settings, those of other backends included.
CompilerSettings settingsOf(const std::string& name, const CompilerChoice& choice,
                            const std::vector<CompilerPlugin>& list) {
    CompilerSettings settings;
    for (const CompilerSetting& setting : find(list, name).info.settings) settings[setting.name] = setting.standard;
    for (const auto& [key, value] : choice.settings) {
        const std::string owner = key.substr(0, key.find('.'));
        const CompilerSetting& setting =
            find(find(list, owner).info, key.substr(std::min(owner.size() + 1, key.size())));
        if (!setting.values.empty() && std::count(setting.values.begin(), setting.values.end(), value) == 0)
            throw UsageError(key + "=" + value + ": expected one of " + quotedNames(setting.values));
        if (owner == name) settings[setting.name] = value;
    }
    return settings;
}

}  // namespace

std::unique_ptr<Compiler> makeInterpreter() { return std::make_unique<InterpreterCompiler>(); }

std::vector<CompilerInfo> compilerList(const std::vector<std::filesystem::path>& plugins) {
    std::vector<CompilerInfo> list;
    for (const CompilerPlugin& compiler : all(plugins)) list.push_back(compiler.info);
    return list;
}

void checkCompilers(const CompilerChoice& choice) {
    const auto list = all(choice.plugins);
    for (const std::string& name : {choice.forward, choice.ofBackward(), choice.ofInference()})
        settingsOf(name, choice, list);
}

std::shared_ptr<const Compiler> makeCompiler(const std::string& name, const CompilerChoice& choice) {
    const auto list = all(choice.plugins);
    const CompilerPlugin& chosen = find(list, name);
    const CompilerSettings settings = settingsOf(name, choice, list);
    if (isBuiltInCompiler(name)) return chosen.make(settings);
    return std::make_shared<PluginCompiler>(unconfined([&] { return chosen.make(settings); }));
}

}  // namespace aotscope
