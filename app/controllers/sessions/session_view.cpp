#include "controllers/sessions/session_view.h"

#include "canvas/drawn_graph.h"
#include "debug/conditions.h"
#include "support/error.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

/// As files spell them, in the order of Breakpoint::When.
constexpr std::array<const char*, 4> kWhen = {"pass", "appears", "changes", "dies"};

// Breakpoints in files.
constexpr std::size_t kMostBreakpoints = 200;
constexpr int kLongestBreakpoint = 2000, kLongestShown = 60, kLongestReason = 200;

QJsonObject placeJson(const Place& place) {
    QJsonObject object{{QStringLiteral("graph"), toQString(name(place.graph))},
                       {QStringLiteral("node"), place.node},
                       {QStringLiteral("zoom"), place.position.zoom},
                       {QStringLiteral("x"), place.position.centre.x()},
                       {QStringLiteral("y"), place.position.centre.y()}};
    if (place.boxes) {
        QJsonArray collapsed, hidden;
        for (const QString& key : place.boxes->collapsed) collapsed.append(key);
        for (const NodeId id : place.boxes->hidden) hidden.append(id);
        object[QStringLiteral("collapsed")] = collapsed;
        object[QStringLiteral("hidden")] = hidden;
    }
    return object;
}

/// The part of a picture that is in view; Qt's coordinates overflow beyond.
bool isPossible(double zoom, const QPointF& centre) {
    return zoom > 1e-5 && zoom < 1e3 && centre.manhattanLength() * zoom < 1e8;
}

Place placeFrom(const QJsonObject& object) {
    Place place;
    place.graph = graphKindFromName(object[QStringLiteral("graph")].toString().toStdString()).value_or(place.graph);
    place.node = object[QStringLiteral("node")].toInt(place.node);
    if (object.contains(QStringLiteral("collapsed"))) {
        place.boxes.emplace();
        for (const auto& key : object[QStringLiteral("collapsed")].toArray()) place.boxes->collapsed << key.toString();
        for (const auto& id : object[QStringLiteral("hidden")].toArray()) place.boxes->hidden << id.toInt();
    }
    const double zoom = object[QStringLiteral("zoom")].toDouble();
    const QPointF centre(object[QStringLiteral("x")].toDouble(), object[QStringLiteral("y")].toDouble());
    if (isPossible(zoom, centre)) place.position = {centre, zoom};
    return place;
}

QJsonObject bookmarksJson(const Bookmarks& bookmarks) {
    QJsonObject object;
    for (const auto& [digit, place] : bookmarks) object[QString::number(digit)] = placeJson(place);
    return object;
}

Bookmarks bookmarksFrom(const QJsonObject& object) {
    Bookmarks bookmarks;
    for (int digit = 1; digit <= 9; ++digit)
        if (const auto place = object.find(QString::number(digit)); place != object.end())
            bookmarks[digit] = placeFrom(place->toObject());
    return bookmarks;
}

QJsonArray breakpointsJson(const std::vector<Breakpoint>& breakpoints) {
    QJsonArray array;
    for (const Breakpoint& breakpoint : breakpoints)
        array.append(
            QJsonObject{{QStringLiteral("when"), QLatin1String(kWhen.at(static_cast<std::size_t>(breakpoint.when)))},
                        {QStringLiteral("what"), toQString(breakpoint.what)},
                        {QStringLiteral("enabled"), breakpoint.enabled}});
    return array;
}

QJsonArray valueBreakpointsJson(const std::vector<DebugBreakpoint>& breakpoints) {
    QJsonArray array;
    for (const DebugBreakpoint& breakpoint : breakpoints)
        array.append(QJsonObject{{QStringLiteral("condition"), toQString(breakpoint.condition)},
                                 {QStringLiteral("hits"), breakpoint.hits},
                                 {QStringLiteral("enabled"), breakpoint.enabled}});
    return array;
}

/// Throws Error for content that this program does not understand.
Breakpoint breakpointFrom(const QJsonObject& object, const std::vector<std::string>& passes) {
    const QString text = object[QStringLiteral("when")].toString();
    const auto when = std::ranges::find(kWhen, text, [](const char* n) { return QLatin1String(n); });
    if (when == kWhen.end())
        throw Error("it pauses at '" + text.left(kLongestShown).toStdString() + "', which is unknown");
    Breakpoint breakpoint{static_cast<Breakpoint::When>(when - kWhen.begin()),
                          object[QStringLiteral("what")].toString().toStdString(),
                          object[QStringLiteral("enabled")].toBool(true)};
    requireValid(breakpoint, passes);
    return breakpoint;
}

DebugBreakpoint valueBreakpointFrom(const QJsonObject& object) {
    DebugBreakpoint breakpoint{object[QStringLiteral("condition")].toString().toStdString(),
                               object[QStringLiteral("hits")].toInt(), object[QStringLiteral("enabled")].toBool(true)};
    Conditions().set({breakpoint});
    return breakpoint;
}

/// Those of a file that can be read; the errors of others go to `refused`. `what`: the member with the text.
template <typename Read>
auto breakpointsFrom(const QJsonArray& array, const Read& read, const char* what, QStringList& refused) {
    std::vector<decltype(read(QJsonObject()))> breakpoints;
    for (const auto& value : array) {
        if (breakpoints.size() + static_cast<std::size_t>(refused.size()) >= kMostBreakpoints) {
            refused << QObject::tr("The session has more than %1 breakpoints; the others are left out.")
                           .arg(kMostBreakpoints);
            break;
        }
        const QString text = value.toObject()[QLatin1String(what)].toString();
        try {
            if (text.size() > kLongestBreakpoint) throw Error("it is too long");
            breakpoints.push_back(read(value.toObject()));
        } catch (const Error& e) {
            refused << QObject::tr("A breakpoint of the session is left out, '%1': %2")
                           .arg(text.left(kLongestShown),
                                toQString(firstSentence(e.what())).section(u';', 0, 0).left(kLongestReason));
        }
    }
    return breakpoints;
}

std::shared_ptr<const Overlay> overlayFrom(const QString& json) {
    if (json.isEmpty()) return nullptr;
    try {
        return std::make_shared<const Overlay>(parseOverlay(json.toStdString(), "the session's overlay"));
    } catch (const Error&) {
        return nullptr;
    }
}

}  // namespace

std::string sessionViewJson(const SessionView& view) {
    QJsonObject object = placeJson(view.place);
    object[QStringLiteral("pass")] = view.pass;
    object[QStringLiteral("table")] = view.table;
    object[QStringLiteral("file")] = view.file;
    object[QStringLiteral("colour")] = view.colour;
    if (view.overlay) object[QStringLiteral("overlay")] = toQString(overlayJson(*view.overlay));
    if (view.bookmarks) object[QStringLiteral("bookmarks")] = bookmarksJson(*view.bookmarks);
    if (view.breakpoints) object[QStringLiteral("breakpoints")] = breakpointsJson(*view.breakpoints);
    if (view.valueBreakpoints)
        object[QStringLiteral("valueBreakpoints")] = valueBreakpointsJson(*view.valueBreakpoints);
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

SessionView sessionViewFrom(const std::string& json, const CompileRecord* record) {
    const QJsonObject object = QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
    SessionView view;
    view.place = placeFrom(object);
    view.pass = object[QStringLiteral("pass")].toInt(view.pass);
    view.table = object[QStringLiteral("table")].toString();
    view.file = object[QStringLiteral("file")].toString();
    view.colour = object[QStringLiteral("colour")].toString();
    view.overlay = overlayFrom(object[QStringLiteral("overlay")].toString());
    if (const auto bookmarks = object.find(QStringLiteral("bookmarks")); bookmarks != object.end())
        view.bookmarks = bookmarksFrom(bookmarks->toObject());
    if (const auto breakpoints = object.find(QStringLiteral("breakpoints")); breakpoints != object.end())
        view.breakpoints = breakpointsFrom(
            breakpoints->toArray(),
            [passes = passesToPauseAt(record)](const QJsonObject& each) { return breakpointFrom(each, passes); },
            "what", view.refused);
    if (const auto values = object.find(QStringLiteral("valueBreakpoints")); values != object.end())
        view.valueBreakpoints = breakpointsFrom(values->toArray(), valueBreakpointFrom, "condition", view.refused);
    return view;
}

}  // namespace aotscope
