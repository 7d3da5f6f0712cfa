#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// The options given by the user, and which of them are used. Code that reads an option calls use(), and code that
/// knows why an option is not read calls explain(). The command line rejects unused options before anything runs, and
/// the window shows them. All copies of Options share it. Thread-safe.
class GivenOptions {
public:
    void add(std::string_view name);
    bool contains(std::string_view name) const;
    /// Marks those of `names` that were given as used.
    void use(std::initializer_list<std::string_view> names);
    void use(std::string_view name) { use({name}); }
    /// Records why the option is not used, as a clause that says what to do. The first explanation is kept.
    void explain(std::string_view name, const std::string& why);

    /// What the command does with the graphs: runs them, shows compiled kernels, estimates costs.
    enum class Purpose : std::uint8_t { run, kernels, estimate };
    void plan(std::initializer_list<Purpose> purposes) { planned_.insert(purposes); }
    void plan(Purpose purpose) { plan({purpose}); }
    bool plans(Purpose purpose) const { return planned_.contains(purpose); }

    /// Names and explanations.
    std::vector<std::string> names() const;
    std::vector<std::string> used() const;
    std::map<std::string, std::string> unused() const;

private:
    struct Use {
        bool used = false;
        std::string why;
    };

    mutable std::mutex mutex_;
    std::map<std::string, Use, std::less<>> options_;
    std::set<Purpose> planned_;
};

}  // namespace aotscope
