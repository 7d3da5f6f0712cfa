#pragma once

#include "controllers/sessions/consent_controller.h"
#include "controllers/settings.h"
#include "record/options/option_table.h"
#include "session/engine.h"

#include <optional>

namespace aotscope {

/// The options of the next run, and their origin: this user's flags and settings, the open session, and what the user
/// has allowed the model's file. Options from a file never become the user's own.
class RunOptions {
public:
    /// `engine` knows the compilers.
    RunOptions(const Settings& settings, std::shared_ptr<const Engine> engine);

    const Options& current() const { return current_; }
    Options& current() { return current_; }
    /// From this user's flags and settings.
    const Options& own() const { return own_; }
    void setOwn(const Options& options, const Settings& settings);

    /// A model is about to be opened, perhaps again. True: options of the previous model were dropped.
    bool choose(const QString& model, const InputSource& inputs, const std::filesystem::path& folder);
    /// Those that a model would be opened with: the current ones, or the user's own for another model.
    Options optionsOf(const std::string& model) const;
    /// The inputs last used with `key`; else the model's own.
    void recallInputs(const QString& key, Settings& settings);
    /// The user has changed an option: some choices hold for later models, too. A compiler does if it is built in or
    /// from a plug-in that the user has named, not if it came with a session.
    void remember(const OptionEntry& entry, Settings& settings);
    void takePlugin(const QString& file) { own_.compilers.plugins.emplace_back(file.toStdString()); }
    /// Loads the code that the open session was made with.
    void add(const RequestedCode& code);
    /// A model could not be opened: restores the options of the shown one. False: nothing to restore.
    bool returnTo(const Options& shown);

    /// The next run has the options of an earlier one, with this user's limits and loaded code.
    void takeFrom(const Options& run);
    /// Those that a run would start with now.
    Options next(const Settings& settings) const;
    /// Options for a run that starts now. A permission holds for one run.
    Options take(const Settings& settings);
    /// What the model's file may do in the next run.
    void allow(const OperatorKinds& kinds) { allowed_ = kinds; }
    /// What to ask for after a refusal: these kinds, and those the last run was allowed. Nothing: they were allowed.
    std::optional<OperatorKinds> toAllow(OperatorKinds refused) const;

private:
    std::shared_ptr<GivenOptions> typed() const;

    std::shared_ptr<const Engine> engine_;
    Options current_, own_;
    std::optional<OperatorKinds> allowed_;
    struct {
        std::string model;
        OperatorKinds kinds;
    } tried_;  ///< the last run's
};

}  // namespace aotscope
