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

/// The options that somebody has typed, and which of them are used. Whoever reads an option says so with use(), and who
/// knows why an option is not read says that with explain(). What nobody uses is refused by the command line before
/// anything runs, and told by the window. All copies of Options share it; use from any thread.
class GivenOptions {
public:
    void add(std::string_view name);
    bool contains(std::string_view name) const;
    /// Those of `names` that were typed are used.
    void use(std::initializer_list<std::string_view> names);
    void use(std::string_view name) { use({name}); }
    /// Why the option is not used, a clause that says what to do. What is said first counts.
    void explain(std::string_view name, const std::string& why);

    /// What the command is going to do with the graphs: run them, show what compilers make of them, estimate costs.
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
