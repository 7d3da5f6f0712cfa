#pragma once

#include "controllers/sessions/consent_controller.h"
#include "controllers/settings.h"
#include "record/options/option_table.h"
#include "session/session.h"

#include <optional>

namespace aotscope {

/// What the next run is asked for, and on whose behalf: this user's flags and settings, what the open session brought
/// along, and what the user has allowed the model's file. What a file brought never becomes the user's own.
class RunOptions {
public:
    explicit RunOptions(const Settings& settings);

    const Options& current() const { return current_; }
    Options& current() { return current_; }
    /// What this user's flags and settings say.
    const Options& own() const { return own_; }
    void setOwn(const Options& options, const Settings& settings);

    /// Another model is to be opened, or the same again. True: what belonged to the model before was dropped.
    bool choose(const QString& model, const InputSource& inputs, const std::filesystem::path& folder);
    /// Those last used with what `key` stands for; else the model's own.
    void recallInputs(const QString& key, Settings& settings);
    /// This user has changed an option: some choices hold for later models, too. That of a compiler does if it is
    /// built in or of a plug-in that this user has named, not if a session brought it.
    void remember(const OptionEntry& entry, Settings& settings);
    void takePlugin(const QString& file) { own_.compilers.plugins.emplace_back(file.toStdString()); }
    /// The open session gets the code that it was made with.
    void add(const RequestedCode& code);
    /// Another model was to be opened and was not: those of the shown one again. False: they are already.
    bool returnTo(const Options& shown);

    /// For a run that starts now. An allowance holds for one run.
    Options take(const Settings& settings);
    /// What the model's file may do in the next run.
    void allow(const OperatorKinds& kinds) { allowed_ = kinds; }
    /// What to ask for after a refusal: these kinds, and those the last run was allowed. Nothing: they were allowed.
    std::optional<OperatorKinds> toAllow(OperatorKinds refused) const;

private:
    void returnToOwn();
    std::shared_ptr<GivenOptions> typed() const;

    Options current_, own_;
    std::optional<OperatorKinds> allowed_;
    struct {
        std::string model;
        OperatorKinds kinds;
    } tried_;  ///< the last run's
};

}  // namespace aotscope
