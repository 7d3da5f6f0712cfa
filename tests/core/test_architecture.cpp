// The table of floors in ARCHITECTURE.md against the includes of core, views and app.

#include "support/patience.h"
#include "support/scratch.h"
#include "support/test_program.h"

#include <QFileInfo>
#include <QProcess>

#include <algorithm>
#include <map>
#include <set>

namespace aotscope::test::architecture_test {
namespace {

/// The floor of each folder: "core/ir", "views/canvas", or "app" for files in none of its folders.
using Floors = std::map<QString, int>;
/// Text of each file by its path from the root.
using Sources = std::map<QString, QString>;

const QStringList kLibraries = {u"core"_s, u"views"_s, u"app"_s};

/// The rows of the section "Floors": | floor | folder | what lives there |
Floors floorsIn(const QString& document) {
    static const QRegularExpression row(uR"(^\|\s*(\d+)\s*\|\s*`?([a-z_/]+)`?\s*\|)"_s);
    Floors floors;
    bool inSection = false;
    for (const QString& line : document.split(u'\n')) {
        if (line.startsWith(u"## "_s)) inSection = line == u"## Floors"_s;
        const auto match = row.match(line);
        if (inSection && match.hasMatch()) floors[match.captured(2)] = match.captured(1).toInt();
    }
    return floors;
}

Sources sourcesUnder(const QString& root) {
    Sources sources;
    for (const QString& library : kLibraries) {
        QDirIterator files(root + u'/' + library, {u"*.h"_s, u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            // Precompiled headers are next to the folders and include nothing of ours.
            if (path.endsWith(u"_pch.h"_s)) continue;
            sources[QDir(root).relativeFilePath(path)] = QString::fromUtf8(contentOf(path));
        }
    }
    return sources;
}

/// Folders within a folder belong to it.
QString folderOf(const QString& path) {
    const QStringList parts = path.split(u'/');
    return parts.size() > 2 ? parts[0] + u'/' + parts[1] : parts[0];
}

/// The file that `library` includes as `name`, its own first; may be empty.
QString resolve(const Sources& sources, const QString& library, const QString& name) {
    for (const QString& place : QStringList(library) + kLibraries)
        if (QString path = place + u'/' + name; sources.contains(path)) return path;
    return {};
}

bool isQt(const QString& header) { return header.startsWith(u'Q'); }

bool isLibTorch(const QString& header) {
    static const QStringList folders = {u"torch/"_s, u"ATen/"_s, u"c10/"_s, u"caffe2/"_s};
    return std::ranges::any_of(folders, [&](const QString& folder) { return header.startsWith(folder); });
}

/// The files of ours that each file includes, and the headers of LibTorch that it includes itself.
struct Includes {
    std::map<QString, QStringList> own;
    std::set<QString> torch;
};

const QRegularExpression kInclude(u"^[ \\t]*#[ \\t]*include[ \\t]*([\"<])([^\">]+)[\">]"_s,
                                  QRegularExpression::MultilineOption);

Includes includesOf(const Sources& sources) {
    Includes includes;
    for (const auto& [path, text] : sources)
        for (auto matches = kInclude.globalMatch(text); matches.hasNext();) {
            const auto match = matches.next();
            if (isLibTorch(match.captured(2))) includes.torch.insert(path);
            if (match.captured(1) == u"<"_s) continue;
            const QString included = resolve(sources, path.section(u'/', 0, 0), match.captured(2));
            if (!included.isEmpty()) includes.own[path] << included;
        }
    return includes;
}

/// Walks the files that each file includes, and records whether each reads LibTorch's headers.
class IncludeWalk {
public:
    explicit IncludeWalk(const Includes& includes) : includes_(includes) {}

    bool seesTorch(const QString& path) {
        if (const auto known = sees_.find(path); known != sees_.end()) return known->second;
        if (open_.contains(path)) {
            circles_ << u"%1 includes itself, by %2"_s.arg(path, open_.mid(open_.indexOf(path) + 1).join(u", "_s));
            return false;
        }
        open_ << path;
        bool sees = includes_.torch.contains(path);
        if (const auto own = includes_.own.find(path); own != includes_.own.end())
            for (const QString& included : own->second) sees |= seesTorch(included);
        open_.removeLast();
        return sees_[path] = sees;
    }
    const QStringList& circles() const { return circles_; }

private:
    const Includes& includes_;
    std::map<QString, bool> sees_;
    QStringList open_, circles_;
};

/// Sources whose names do not show that they see LibTorch, files that include each other in a circle, and folders
/// that are too large.
QStringList misplaced(const Sources& sources, int most) {
    const Includes includes = includesOf(sources);
    IncludeWalk walk(includes);
    QStringList found;
    std::map<QString, int> sizes;
    for (const auto& [path, text] : sources) {
        ++sizes[path.section(u'/', 0, -2)];
        const bool sees = walk.seesTorch(path);
        if (sees && path.endsWith(u".cpp"_s) && !path.endsWith(u".torch.cpp"_s))
            found << u"%1 sees LibTorch: call it *.torch.cpp"_s.arg(path);
    }
    for (const auto& [folder, size] : sizes)
        if (size > most) found << u"%1 has %2 files of its own; %3 are the most"_s.arg(folder).arg(size).arg(most);
    return found + walk.circles();
}

/// All violations of the rules, one line each.
QStringList violations(const Floors& floors, const Sources& sources) {
    QStringList found;
    std::set<QString> folders;
    for (const auto& [path, text] : sources) {
        const QString folder = folderOf(path), library = path.section(u'/', 0, 0);
        folders.insert(folder);
        for (auto matches = kInclude.globalMatch(text); matches.hasNext();) {
            const auto match = matches.next();
            const QString header = match.captured(2);
            if (library == u"core"_s && isQt(header))
                found << u"%1 includes %2: core must not include Qt"_s.arg(path, header);
            if (library != u"core"_s && isLibTorch(header))
                found << u"%1 includes %2: views and app must not include LibTorch"_s.arg(path, header);
            if (match.captured(1) == u"<"_s) continue;
            const QString included = resolve(sources, library, header);
            if (included.isEmpty()) {
                found << u"%1 includes \"%2\", which is not a file of core, views or app"_s.arg(path, header);
                continue;
            }
            const auto from = floors.find(folder), to = floors.find(folderOf(included));
            if (from == floors.end() || to == floors.end() || from == to || to->second < from->second) continue;
            found << u"%1 -> %2: %3 (floor %4) must not include %5 (floor %6)"_s.arg(
                path, included, folder, QString::number(from->second), to->first, QString::number(to->second));
        }
    }
    for (const QString& folder : folders)
        if (!floors.contains(folder)) found << u"%1 has no row in the table of floors in ARCHITECTURE.md"_s.arg(folder);
    for (const auto& [folder, floor] : floors)
        if (!folders.contains(folder))
            found << u"ARCHITECTURE.md puts %1 on floor %2, but it has no files"_s.arg(folder).arg(floor);
    return found;
}

/// Where what is to link without LibTorch (the sources of core that do not see it, and the window) includes a header,
/// itself or by its own, that only a *.torch.cpp implements.
QStringList borderCrossings(const Sources& sources) {
    const Includes includes = includesOf(sources);
    const auto beside = [&](const QString& path, const char* ending) {
        QString other = path.section(u'.', 0, 0) + QLatin1StringView(ending);
        return sources.contains(other) ? other : QString();
    };
    const auto includedBy = [&](const QString& path) {
        const auto found = includes.own.find(path);
        return found == includes.own.end() ? QStringList() : found->second;
    };
    QStringList crossings;
    for (const auto& [path, text] : sources) {
        const bool ofEngine = path.startsWith(u"app/cli/commands/"_s) || path.startsWith(u"app/cli/engine/"_s);
        if (!path.endsWith(u".cpp"_s) || path.endsWith(u".torch.cpp"_s) || ofEngine) continue;
        QStringList headers = includedBy(path) + includedBy(beside(path, ".h"));
        headers.sort();
        headers.removeDuplicates();
        for (const QString& header : headers)
            if (beside(header, ".cpp").isEmpty() && !beside(header, ".torch.cpp").isEmpty())
                crossings << path + u" -> "_s + header;
    }
    return crossings;
}

}  // namespace

class TestArchitecture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void includesKeepToTheFloors() {
        const QString root = QStringLiteral(AOTSCOPE_SOURCE_DIR);
        const Floors floors = floorsIn(QString::fromUtf8(contentOf(root + u"/ARCHITECTURE.md"_s)));
        const Sources sources = sourcesUnder(root);
        QVERIFY(floors.size() > 3);
        QVERIFY(sources.size() > 100);
        const QStringList found = violations(floors, sources);
        QVERIFY2(found.isEmpty(), qPrintable(u'\n' + found.join(u'\n')));
    }

    void filesLieWhereTheyBelong() {
        const QStringList found = misplaced(sourcesUnder(QStringLiteral(AOTSCOPE_SOURCE_DIR)), 50);
        QVERIFY2(found.isEmpty(), qPrintable(u'\n' + found.join(u'\n')));
    }

    void nothingIsCalledAcrossTheBorderOfLibTorch() {
        const QStringList found = borderCrossings(sourcesUnder(QStringLiteral(AOTSCOPE_SOURCE_DIR)));
        QVERIFY2(found.isEmpty(), qPrintable(u"\npass these what needs LibTorch:\n"_s + found.join(u'\n')));
    }

    void theWindowIsNotLinkedWithLibTorch() {
        if (QFileInfo(QStringLiteral(AOTSCOPE_PROGRAM)).isSymLink()) QSKIP("SKIPPED: this build has no window");
        QProcess loader;
        loader.start(u"ldd"_s, {QStringLiteral(AOTSCOPE_PROGRAM)});
        QVERIFY(loader.waitForFinished(kPatience));
        const QByteArray libraries = loader.readAllStandardOutput();
        QVERIFY2(libraries.contains("libQt6Core"), libraries.constData());
        QVERIFY2(!libraries.contains("libtorch") && !libraries.contains("libc10"), libraries.constData());
    }

    void crossingsAreFound() {
        const Sources sources = {
            {u"core/a/seen.h"_s, QString()},
            {u"core/a/seen.torch.cpp"_s, u"#include \"a/seen.h\"\n"_s},
            {u"core/a/both.h"_s, QString()},
            {u"core/a/both.torch.cpp"_s, QString()},
            {u"core/a/both.cpp"_s, u"#include \"a/both.h\"\n#include \"a/types.h\"\n"_s},
            {u"core/a/types.h"_s, QString()},
            {u"core/a/by_header.h"_s, u"#include \"a/seen.h\"\n"_s},
            {u"core/a/by_header.cpp"_s, u"#include \"a/by_header.h\"\n"_s},
            {u"views/b/itself.cpp"_s, u"#include \"a/seen.h\"\n#include \"a/both.h\"\n"_s},
            {u"app/cli/commands/command.cpp"_s, u"#include \"a/seen.h\"\n"_s},
        };
        QCOMPARE(borderCrossings(sources),
                 (QStringList{u"core/a/by_header.cpp -> core/a/seen.h"_s, u"views/b/itself.cpp -> core/a/seen.h"_s}));
    }

    void whatIsMisplacedIsNamed() {
        const Sources sources = {
            {u"core/a/one.h"_s, u"#include \"a/two.h\"\n"_s},
            {u"core/a/two.h"_s, u"#include \"a/one.h\"\n#include <ATen/core/Tensor.h>\n"_s},
            {u"core/a/two.cpp"_s, u"#include \"a/two.h\"\n"_s},
        };
        QCOMPARE(misplaced(sources, 2).join(u'\n'),
                 u"core/a/two.cpp sees LibTorch: call it *.torch.cpp\n"
                 "core/a has 3 files of its own; 2 are the most\n"
                 "core/a/one.h includes itself, by core/a/two.h"_s);
    }

    void everyViolationIsNamed() {
        const Floors floors = floorsIn(
            u"## Other\n| 7 | core/other | x |\n"
            "## Floors\n"
            "| floor | folder | what lives there |\n|---|---|---|\n"
            "| 1 | core/low | x |\n| 2 | core/left | x |\n"
            "| 2 | `core/right` | x |\n| 3 | core/gone | x |\n"
            "| 4 | app | x |\n"
            "## Next\n| 8 | core/next | x |\n"_s);
        QCOMPARE(floors.size(), std::size_t{5});
        const Sources sources = {
            {u"core/low/a.h"_s, u"#include \"left/a.h\"\n#include <QString>\n"_s},
            {u"core/left/a.h"_s, u"#include \"low/a.h\"\n  # include \"left/in/b.h\"\n"_s},
            {u"core/left/in/b.h"_s, u"#include \"right/c.h\"\n#include <ATen/ATen.h>\n"_s},
            {u"core/right/c.h"_s, u"#include \"nowhere.h\"\n"_s},
            {u"core/unknown/d.h"_s, QString()},
            {u"app/main.cpp"_s, u"#include \"left/a.h\"\n#include <c10/core/Device.h>\n"_s},
        };
        const QStringList expected = {
            u"app/main.cpp includes c10/core/Device.h: views and app must not include LibTorch"_s,
            u"core/left/in/b.h -> core/right/c.h: core/left (floor 2) must not include core/right "
            "(floor 2)"_s,
            u"core/low/a.h -> core/left/a.h: core/low (floor 1) must not include core/left (floor 2)"_s,
            u"core/low/a.h includes QString: core must not include Qt"_s,
            u"core/right/c.h includes \"nowhere.h\", which is not a file of core, views or app"_s,
            u"core/unknown has no row in the table of floors in ARCHITECTURE.md"_s,
            u"ARCHITECTURE.md puts core/gone on floor 3, but it has no files"_s,
        };
        QCOMPARE(violations(floors, sources), expected);
    }
};

AOTSCOPE_TEST(TestArchitecture)

}  // namespace aotscope::test::architecture_test

#include "test_architecture.moc"
