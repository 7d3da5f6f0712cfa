#include "window/run_options.h"

#include "controllers/runs/run_list.h"
#include "program/inputs/input_spec.h"
#include "record/model_kind.h"

#include <algorithm>

namespace aotscope {

RunOptions::RunOptions(const Settings& settings, std::shared_ptr<const Engine> engine) : engine_(std::move(engine)) {
    current_.keepInputMutations = settings.keepInputMutations();
    current_.compilers = settings.compilers();
    own_ = current_;
}

void RunOptions::setOwn(const Options& options, const Settings& settings) {
    current_ = options;
    current_.keepInputMutations = options.keepInputMutations || settings.keepInputMutations();
    own_ = current_;
    current_.given = nullptr;  // see typed()
}

bool RunOptions::choose(const QString& model, const InputSource& inputs, const std::filesystem::path& folder) {
    const bool other = current_.model != model.toStdString(), drops = other && !current_.model.empty();
    current_ = optionsOf(model.toStdString());
    if (other) {
        current_.compileId.clear();
        current_.repartition = false;
    }
    current_.model = model.toStdString();
    current_.inputs = inputs;
    current_.inputFolder = folder;
    return drops;
}

void RunOptions::recallInputs(const QString& key, Settings& settings) {
    current_.inputs = std::monostate();
    const QByteArray remembered = settings.inputSpec(key);
    if (remembered.isEmpty()) return;
    try {
        current_.inputs = parseInputSpec(remembered.toStdString(), "remembered input spec");
    } catch (const Error&) {
        settings.setInputSpec(key, {});
    }
}

Options RunOptions::optionsOf(const std::string& model) const {
    if (current_.model == model || current_.model.empty()) return current_;
    // The scratch pad is one program, whose options stay while it is edited.
    Options options = isScript(current_.model) && isScript(model) ? current_ : own_;
    options.given = nullptr;  // see typed()
    // What refers to parts of the previous model.
    options.dynamic.clear();
    options.staticShapes = false;
    options.checkSizes.clear();
    options.partition.save.clear();
    options.partition.recompute.clear();
    for (auto* nodes :
         {&options.partition.cut.mustSave, &options.partition.cut.mustRecompute, &options.partition.cut.dontBan})
        nodes->clear();
    options.modelName.clear();
    options.method = Options().method;
    options.weights.clear();
    options.definitions.clear();
    return options;
}

void RunOptions::remember(const OptionEntry& entry, Settings& settings) {
    if (entry.name() == "--keep-input-mutations") {
        own_.keepInputMutations = current_.keepInputMutations;
        settings.setKeepInputMutations(current_.keepInputMutations);
    }
    if (!entry.name().ends_with("compiler")) return;
    const std::string& name = *std::get<std::string*>(entry.field(current_));
    if (!name.empty() &&
        std::ranges::count(usableCompilers(*engine_, own_.compilers.plugins), name, &CompilerInfo::name) == 0)
        return;
    *std::get<std::string*>(entry.field(own_)) = name;
    settings.setCompilers(own_.compilers);
}

void RunOptions::add(const RequestedCode& code) {
    std::ranges::copy(code.libraries, std::back_inserter(current_.libraries));
    std::ranges::copy(code.plugins, std::back_inserter(current_.compilers.plugins));
    for (const auto& [key, value] : code.settings) current_.compilers.settings.insert_or_assign(key, value);
}

bool RunOptions::returnTo(const Options& shown) {
    if (current_.model == shown.model && current_.compileId == shown.compileId) return false;
    takeFrom(shown);
    return true;
}

void RunOptions::takeFrom(const Options& run) {
    const Limits limits = current_.limits;
    current_ = withCodeOf(run, current_);
    current_.given = nullptr;
    current_.limits = limits;
}

Options RunOptions::take(const Settings& settings) {
    Options options = next(settings);
    options.given = typed();
    options.allow = std::exchange(allowed_, std::nullopt).value_or(own_.allow);
    tried_ = {options.model, options.allow};
    return options;
}

Options RunOptions::next(const Settings& settings) const {
    Options options = current_;
    for (const QString& library : settings.libraries())
        if (const std::filesystem::path path = library.toStdString(); std::ranges::count(options.libraries, path) == 0)
            options.libraries.push_back(path);
    if (options.limits == Limits{}) options.limits = settings.limits();
    return options;
}

/// Typed options apply again to each model.
std::shared_ptr<GivenOptions> RunOptions::typed() const {
    if (!own_.given) return nullptr;
    auto given = std::make_shared<GivenOptions>();
    for (const auto& [name, why] : own_.given->unused()) given->add(name);
    using Purpose = GivenOptions::Purpose;
    given->plan({Purpose::run, Purpose::kernels, Purpose::estimate});
    return given;
}

std::optional<OperatorKinds> RunOptions::toAllow(OperatorKinds refused) const {
    const bool again = tried_.model == current_.model;
    for (const AllowableKind& kind : allowableKinds())
        if (again && tried_.kinds.contains(kind.kind)) refused.add(kind.kind);
    if (again && refused == tried_.kinds) return std::nullopt;
    return refused;
}

}  // namespace aotscope
