#pragma once

#include "support/enumerators.h"

#include <QString>
#include <QStringList>

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aotscope {

/// Something that a step of a lesson does in the window.
struct LessonAction {
    enum class Kind : std::uint8_t {
        example,   ///< opens an example of the scratch pad, by its name, with default options
        program,   ///< likewise a text of its own, with `value` as its inputs
        graph,     ///< shows the final graph of this kind
        pass,      ///< shows the graph after the pass of this name
        select,    ///< selects the largest of the shown graph's values that match a query, the first of equal ones
        page,      ///< brings a page to the front
        section,   ///< opens a section of the Inspector
        command,   ///< triggers an action of the window, by its object name
        option,    ///< sets an option, by its name on the command line, to `value`
        defaults,  ///< resets all options that are not remembered; comes after each example and program by itself
    };
    Kind kind = Kind::example;
    QString what, value;
};

constexpr std::string_view name(LessonAction::Kind kind) { return spelled(kind); }

/// A member of the run's report, by its JSON pointer, and what a lesson says of it, as JSON: a number, which is also
/// the length of a list; a part of a text; null for a member that there is not.
using LessonFact = std::pair<std::string, std::string>;

/// The first fact that does not hold in this report, as a sentence; empty: all hold.
std::string whatFails(const std::vector<LessonFact>& facts, const nlohmann::json& report);

/// A step of a lesson: first it acts, then it points at a part of the window and explains.
struct LessonStep {
    /// What to answer before looking.
    struct Question {
        QStringList choices;
        int answer = 0;   ///< the right one
        QString because;  ///< said once a choice is made
    };
    /// What to change by hand, or have changed.
    struct Change {
        std::vector<LessonAction> actions;
        QString then;                   ///< said once it is made
        std::vector<LessonFact> facts;  ///< hold once it is made; at least one did not before
    };
    QString title, text;  ///< the text is Markdown
    std::vector<LessonAction> actions;
    QString target;                 ///< what to point at: "graph", "node", a page, an action's button, or a widget
    std::vector<LessonFact> facts;  ///< what it says of the run
    std::optional<Question> question;
    std::optional<Change> change;
};

/// A lesson, as in a file of resources/lessons.
struct Lesson {
    QString name;  ///< of the file
    QString title, summary;
    std::vector<LessonStep> steps;

    /// Throws Error, with the place in the text and what was expected.
    static Lesson parse(const QString& name, const QByteArray& text);
};

/// All lessons, in order.
const std::vector<Lesson>& lessons();
/// The tour of the window, which is about any model.
const Lesson& tourLesson();

}  // namespace aotscope
