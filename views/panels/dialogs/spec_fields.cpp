#include "panels/dialogs/spec_fields.h"

#include "canvas/drawn_graph.h"
#include "support/error.h"

#include <QLocale>
#include <QObject>

namespace aotscope {

namespace {

[[noreturn]] void fail(const QString& sentence) { throw Error(sentence.toStdString()); }

/// The parts of a list, without brackets around it.
QStringList piecesOf(QString text) {
    text = text.trimmed();
    if ((text.startsWith(u'[') && text.endsWith(u']')) || (text.startsWith(u'(') && text.endsWith(u')')))
        text = text.mid(1, text.size() - 2);
    QStringList parts;
    for (const QString& part : text.split(u',', Qt::SkipEmptyParts)) parts << part.trimmed();
    return parts;
}

bool looksLikeName(const QString& part) { return !part.isEmpty() && (part[0].isLetter() || part[0] == u'_'); }

const NamedDimension* find(const std::vector<NamedDimension>& dims, const QString& name) {
    for (const auto& dimension : dims)
        if (toQString(dimension.name) == name) return &dimension;
    return nullptr;
}

QString listText(const std::vector<std::int64_t>& sizes, const std::vector<std::string>& names) {
    QStringList parts;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        parts << (i < names.size() && !names[i].empty() ? toQString(names[i]) : QString::number(sizes[i]));
    return parts.join(QStringLiteral(", "));
}

std::vector<double> numbers(const QString& text, int count, const QString& expected) {
    std::vector<double> values;
    for (const QString& part : piecesOf(text)) {
        bool ok = false;
        values.push_back(part.toDouble(&ok));
        if (!ok) fail(expected);
    }
    if (values.size() != static_cast<std::size_t>(count)) fail(expected);
    return values;
}

}  // namespace

QString shapeText(const LeafSpec& leaf) {
    if (leaf.shapeOfFile) return {};
    if (leaf.shape.empty() && std::holds_alternative<Fill::File>(leaf.fill.how)) return QStringLiteral("()");
    return listText(leaf.shape, leaf.dimNames);
}

void readShape(const QString& text, const std::vector<NamedDimension>& dims, LeafSpec& leaf) {
    std::vector<std::int64_t> shape;
    std::vector<std::string> names;
    const QStringList parts = piecesOf(text);
    double elements = 1;
    for (const QString& part : parts) {
        bool ok = false;
        std::int64_t size = part.toLongLong(&ok);
        if (const NamedDimension* dimension = find(dims, part)) {
            names.resize(static_cast<std::size_t>(parts.size()));
            names[shape.size()] = dimension->name;
            size = dimension->hint;
        } else if (looksLikeName(part)) {
            fail(QObject::tr("dimension '%1' does not exist; press Enter to add it below").arg(part));
        } else if (!ok || size < 0 || size > NamedDimension::kLargest) {
            fail(QObject::tr("expected sizes from 0 to 2^40 or dimension names, separated by commas"));
        }
        elements *= static_cast<double>(std::max<std::int64_t>(size, 1));
        shape.push_back(size);
    }
    if (elements > static_cast<double>(NamedDimension::kLargest))
        fail(QObject::tr("a tensor can have at most 2^40 elements"));
    leaf.shape = std::move(shape);
    leaf.dimNames = std::move(names);
}

QStringList unknownDimensions(const QString& text, const std::vector<NamedDimension>& dims) {
    QStringList unknown;
    for (const QString& part : piecesOf(text))
        if (looksLikeName(part) && !find(dims, part) && !unknown.contains(part)) unknown << part;
    return unknown;
}

QStringList fillKindNames() {
    return {QStringLiteral("zeros"),   QStringLiteral("ones"),    QStringLiteral("randn"), QStringLiteral("rand"),
            QStringLiteral("randint"), QStringLiteral("pattern"), QStringLiteral("file")};
}

FillKind fillKind(const Fill& fill) {
    if (const auto* plain = std::get_if<Fill::Plain>(&fill.how)) return static_cast<FillKind>(*plain);
    if (std::holds_alternative<Fill::Randint>(fill.how)) return FillKind::randint;
    return std::holds_alternative<Fill::Pattern>(fill.how) ? FillKind::pattern : FillKind::file;
}

QString fillDetail(const Fill& fill) {
    if (const auto* range = std::get_if<Fill::Randint>(&fill.how))
        return QStringLiteral("%1, %2").arg(range->low).arg(range->high);
    if (const auto* pattern = std::get_if<Fill::Pattern>(&fill.how)) {
        QStringList parts;
        for (double v : {pattern->mul, pattern->mod, pattern->off, pattern->scale})
            parts << QString::number(v, 'g', QLocale::FloatingPointShortest);
        return parts.join(QStringLiteral(", "));
    }
    if (const auto* file = std::get_if<Fill::File>(&fill.how)) return toQString(file->path);
    return {};
}

QString fillDetailHint(FillKind kind) {
    switch (kind) {
        case FillKind::randint: return QObject::tr("low, high");
        case FillKind::pattern: return QObject::tr("mul, mod, off, scale");
        case FillKind::file: return QObject::tr("path of a .npy, .safetensors or .pt file");
        default: return {};
    }
}

Fill readFill(FillKind kind, const QString& detail) {
    if (kind == FillKind::randint) {
        const QString expected = QObject::tr("expected two integers: low (inclusive) and high (exclusive)");
        const QStringList parts = piecesOf(detail);
        bool low = false, high = false;
        const Fill::Randint range{parts.value(0).toLongLong(&low), parts.value(1).toLongLong(&high)};
        if (parts.size() != 2 || !low || !high || range.low >= range.high) fail(expected);
        return {range};
    }
    if (kind == FillKind::pattern) {
        const auto v =
            numbers(detail, 4, QObject::tr("expected four numbers: element k is ((k * mul) % mod + off) * scale"));
        if (v[1] < 1) fail(QObject::tr("the modulus (second number) must be at least 1"));
        return {Fill::Pattern{v[0], v[1], v[2], v[3]}};
    }
    if (kind == FillKind::file) {
        if (detail.trimmed().isEmpty()) fail(QObject::tr("expected a file"));
        return {Fill::File{detail.trimmed().toStdString()}};
    }
    return {static_cast<Fill::Plain>(kind)};
}

QString derivedText(const DerivedSpec& derived, const QString& of) {
    QStringList parts{of};
    for (std::size_t i = 0; i < derived.args.size(); ++i) {
        if (const auto* number = std::get_if<double>(&derived.args[i])) parts << QString::number(*number);
        else if (const auto* text = std::get_if<std::string>(&derived.args[i])) parts << toQString(*text);
        else
            parts << u'[' +
                         listText(std::get<std::vector<std::int64_t>>(derived.args[i]),
                                  i < derived.argNames.size() ? derived.argNames[i] : std::vector<std::string>()) +
                         u']';
    }
    return toQString(derived.op) + u'(' + parts.join(QStringLiteral(", ")) + u')';
}

}  // namespace aotscope
