#pragma once

#include "load/profile/profile_events.h"

#include <string_view>

namespace aotscope {

/// One event while it is read: the members that matter.
struct EventParts {
    std::string phase, category, name, process, thread;
    double start = 0, us = 0;
    std::int64_t sequence = -1, external = -1, correlation = -1, device = -1, stream = -1;
    ProfiledArguments arguments;
    bool hasShapes = false;
    std::vector<std::string> stack;
    std::string labelled;  ///< args.name of metadata
    bool inList = false;   ///< the last argument is a list of tensors

    /// `argument`: in "args", empty outside. `lists`: how many lists are around the value in it.
    void setText(std::string_view key, std::string_view argument, const std::string& value);
    void setNumber(std::string_view key, std::string_view argument, int lists, double value, std::int64_t whole);
    void openList(std::string_view argument, int lists);
    void clear() { *this = {}; }
};

/// Sorts events into those that profiles are made of. Throws Error, a clause, if there are too many.
class EventCollector {
public:
    EventCollector() { events_.texts.emplace_back(); }

    ProfileEvents& events() { return events_; }
    /// Members of the document, and of objects in it, which tell who wrote it.
    void noteSection(std::string_view name);
    void noteMember(std::string_view section, std::string_view name);
    void add(const EventParts& event);
    ProfileEvents take() { return std::move(events_); }

private:
    void charge(std::size_t bytes);
    ProfileText text(const std::string& value);
    std::int32_t numberOf(const ProfiledArguments& arguments);
    void addMetadata(const EventParts& event);
    void addOperation(const EventParts& event);
    void addActivity(const EventParts& event, GpuActivity::Kind kind);
    void addAnnotation(const EventParts& event);
    ProfileEvents::Span span(const EventParts& event);

    ProfileEvents events_;
    std::unordered_map<std::string, ProfileText> known_;
    std::map<ProfiledArguments, std::int32_t> knownArguments_;
    std::size_t distinctBytes_ = 0, kept_ = 0;
};

}  // namespace aotscope
