#include "window/lessons/lesson.h"

#include "models/words/to_qstring.h"
#include "support/error.h"
#include "support/json/bounded_json.h"
#include "support/json/json_value.h"

#include <QDir>
#include <QFile>
#include <nlohmann/json.hpp>

#include <algorithm>

static void loadLessons() { Q_INIT_RESOURCE(lessons); }  // not possible within a namespace

namespace aotscope {

namespace {

constexpr std::size_t kLongestFile = 64 << 10, kMostSteps = 12, kMostChoices = 4, kLongestText = 700;

QString textIn(const JsonValue& value) {
    if (value.text().empty()) value.fail("a text that is not empty");
    if (value.text().size() > kLongestText) value.refuse("is too long for a bubble");
    return toQString(value.text());
}

/// A text, or its lines.
QString linesIn(const JsonValue& value) {
    if (!value.isList()) return textIn(value);
    QStringList lines;
    value.forEachElement([&](const JsonValue& line) { lines << toQString(line.text()); });
    return lines.join(u'\n');
}

LessonAction actionIn(const JsonValue& value) {
    using enum LessonAction::Kind;
    if (const auto code = value.find("program")) {
        value.requireKeys({"program", "inputs"});
        return {program, linesIn(*code), textIn(value["inputs"])};
    }
    if (const auto named = value.find("option")) {
        value.requireKeys({"option", "value"});
        return {option, textIn(*named), textIn(value["value"])};
    }
    const auto [key, what] = value.alternative();
    for (const auto kind : {example, graph, pass, select, page, section, command})
        if (key == name(kind)) return {kind, textIn(what), {}};
    value.fail("example, program, graph, pass, select, page, section, command or option");
}

/// An example or program is opened with default options.
std::vector<LessonAction> actionsIn(const std::optional<JsonValue>& list) {
    using enum LessonAction::Kind;
    std::vector<LessonAction> actions;
    if (!list) return actions;
    list->forEachElement([&](const JsonValue& each) {
        actions.push_back(actionIn(each));
        if (actions.back().kind == example || actions.back().kind == program) actions.push_back({defaults, {}, {}});
    });
    return actions;
}

std::vector<LessonFact> factsIn(const std::optional<JsonValue>& object) {
    std::vector<LessonFact> facts;
    if (!object) return facts;
    object->forEachMember([&](const std::string& key, const JsonValue& value) {
        if (!key.starts_with('/')) value.refuse("is no JSON pointer, such as /graphs/joint/calls");
        facts.emplace_back(key, value.raw().dump());
    });
    return facts;
}

LessonStep::Question questionIn(const JsonValue& step, const JsonValue& choices) {
    LessonStep::Question question;
    choices.forEachElement([&](const JsonValue& choice) { question.choices << textIn(choice); });
    if (choices.size() < 2 || choices.size() > kMostChoices) choices.fail("two to four choices");
    const JsonValue answer = step["answer"];
    if (answer.natural() >= choices.size()) answer.fail("the number of a choice, from 0");
    question.answer = static_cast<int>(answer.natural());
    question.because = textIn(step["because"]);
    return question;
}

LessonStep stepIn(const JsonValue& step) {
    step.requireKeys(
        {"title", "text", "do", "point", "holds", "choices", "answer", "because", "change", "then", "then_holds"});
    LessonStep read{.title = textIn(step["title"]),
                    .text = textIn(step["text"]),
                    .actions = actionsIn(step.find("do")),
                    .target = textIn(step["point"]),
                    .facts = factsIn(step.find("holds")),
                    .question = {},
                    .change = {}};
    if (const auto choices = step.find("choices")) {
        read.question = questionIn(step, *choices);
        if (read.facts.empty()) step.refuse("asks a question without facts that prove the answer");
    }
    if (const auto change = step.find("change")) {
        read.change = {actionsIn(change), textIn(step["then"]), factsIn(step.find("then_holds"))};
        if (read.change->facts.empty()) step.refuse("changes something without facts that prove it");
    }
    return read;
}

QByteArray fileContent(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const QString kLessonFolder = QStringLiteral(":/lessons/");

Lesson lessonIn(const QString& file) {
    loadLessons();
    return Lesson::parse(file.section(u'.', 0, 0), fileContent(kLessonFolder + file));
}

bool holds(const nlohmann::json& wanted, const nlohmann::json& found) {
    if (wanted.is_number() && found.is_structured()) return found.size() == wanted.get<std::size_t>();
    if (wanted.is_string() && found.is_string())
        return found.get_ref<const std::string&>().find(wanted.get_ref<const std::string&>()) != std::string::npos;
    return wanted == found;
}

}  // namespace

std::string whatFails(const std::vector<LessonFact>& facts, const nlohmann::json& report) {
    for (const auto& [pointer, wanted] : facts) {
        const nlohmann::json::json_pointer place(pointer);
        const nlohmann::json found = report.contains(place) ? report.at(place) : nlohmann::json();
        if (!holds(nlohmann::json::parse(wanted), found)) return pointer + " is " + found.dump() + ", not " + wanted;
    }
    return {};
}

Lesson Lesson::parse(const QString& name, const QByteArray& text) {
    if (static_cast<std::size_t>(text.size()) > kLongestFile) throw Error("a lesson is at most 64 kB");
    nlohmann::json document;
    try {
        document = parseBounded({text.constData(), static_cast<std::size_t>(text.size())});
    } catch (const nlohmann::json::exception& e) {
        throw Error(name.toStdString() + ": " + invalidJson(e));
    }
    const JsonValue root(document, name.toStdString() + ":");
    root.requireKeys({"title", "summary", "steps"});
    Lesson lesson{name, textIn(root["title"]), textIn(root["summary"]), {}};
    const JsonValue steps = root["steps"];
    if (steps.size() < 1 || steps.size() > kMostSteps) steps.fail("one to twelve steps");
    steps.forEachElement([&](const JsonValue& step) { lesson.steps.push_back(stepIn(step)); });
    return lesson;
}

const std::vector<Lesson>& lessons() {
    static const std::vector<Lesson> all = [] {
        loadLessons();
        std::vector<Lesson> list;
        for (const QString& file :
             QDir(kLessonFolder).entryList({QStringLiteral("[0-9]*.json")}, QDir::Files, QDir::Name))
            list.push_back(lessonIn(file));
        return list;
    }();
    return all;
}

const Lesson& tourLesson() {
    static const Lesson tour = lessonIn(QStringLiteral("tour.json"));
    return tour;
}

}  // namespace aotscope
