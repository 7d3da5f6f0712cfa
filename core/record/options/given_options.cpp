#include "record/options/given_options.h"

namespace aotscope {

void GivenOptions::add(std::string_view name) {
    const std::scoped_lock lock(mutex_);
    options_.try_emplace(std::string(name));
}

bool GivenOptions::contains(std::string_view name) const {
    const std::scoped_lock lock(mutex_);
    return options_.contains(name);
}

void GivenOptions::use(std::initializer_list<std::string_view> names) {
    const std::scoped_lock lock(mutex_);
    for (const std::string_view name : names)
        if (const auto option = options_.find(name); option != options_.end()) option->second.used = true;
}

void GivenOptions::explain(std::string_view name, const std::string& why) {
    const std::scoped_lock lock(mutex_);
    if (const auto option = options_.find(name); option != options_.end() && option->second.why.empty())
        option->second.why = why;
}

std::vector<std::string> GivenOptions::names() const {
    const std::scoped_lock lock(mutex_);
    std::vector<std::string> names;
    for (const auto& [name, unused] : options_) names.push_back(name);
    return names;
}

std::vector<std::string> GivenOptions::used() const {
    const std::scoped_lock lock(mutex_);
    std::vector<std::string> names;
    for (const auto& [name, option] : options_)
        if (option.used) names.push_back(name);
    return names;
}

std::map<std::string, std::string> GivenOptions::unused() const {
    const std::scoped_lock lock(mutex_);
    std::map<std::string, std::string> list;
    for (const auto& [name, option] : options_)
        if (!option.used) list.emplace(name, option.why);
    return list;
}

}  // namespace aotscope
