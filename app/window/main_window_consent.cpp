// What opened files may do only with their user's consent, and what of their options never becomes the user's own.

#include "compile/compilers.h"
#include "window/main_window.h"

#include <QFileInfo>

#include <algorithm>

namespace aotscope {

namespace {

/// "reads files and writes files".
QString whatTheyDo(const OperatorKinds& kinds) {
    QStringList does;
    for (const AllowableKind& kind : allowableKinds())
        if (kinds.contains(kind.kind)) does << toQString(kind.does);
    return does.join(QObject::tr(" and "));
}

bool isKnown(const std::string& compiler, const std::vector<std::filesystem::path>& plugins) {
    try {
        return std::ranges::count(compilerList(plugins), compiler, &CompilerInfo::name) > 0;
    } catch (const UsageError&) {  // a plug-in is not there any more
        return std::ranges::count(compilerList({}), compiler, &CompilerInfo::name) > 0;
    }
}

/// For remembering: an answer holds for these kinds only.
QString namesOf(const OperatorKinds& kinds) {
    QStringList names;
    for (const AllowableKind& kind : allowableKinds())
        if (kinds.contains(kind.kind)) names << toQString(kind.name);
    return names.join(u',');
}

}  // namespace

void MainWindow::connectConsent() {
    connect(optionsBar_, &OptionsBar::pluginTaken, this,
            [this](const QString& file) { own_.compilers.plugins.emplace_back(file.toStdString()); });
    connect(optionsBar_, &OptionsBar::compilerChosen, this, &MainWindow::rememberCompiler);
    connect(sessionCode_, &SessionCode::allowed, this, &MainWindow::useCode);
    connect(sessionCode_, &SessionCode::said, this,
            [this](const QString& sentence) { problems_->add(ProblemsPanel::Kind::warning, sentence); });
    connect(consent_, &ConsentController::failed, this, &MainWindow::onFailure);
}

/// A compiler is remembered if it is built in or of a plug-in that this user has named, not if a session brought it.
void MainWindow::rememberCompiler(const QString& name) {
    if (!isKnown(name.toStdString(), own_.compilers.plugins)) return;
    own_.compilers.forward = name.toStdString();
    own_.compilers.backward.clear();
    own_.compilers.inference.clear();
    settings_.setCompilers(own_.compilers);
}

/// Another model is opened: what belongs to the one before does not come along.
void MainWindow::returnToOwnOptions() {
    options_.dynamic.clear();
    options_.staticShapes = false;
    options_.modelName.clear();
    options_.weights.clear();
    options_.libraries = own_.libraries;
    options_.compilers = own_.compilers;
    optionsBar_->show(options_);
}

/// The open session gets the code that it was made with.
void MainWindow::useCode(const RequestedCode& code) {
    std::ranges::copy(code.libraries, std::back_inserter(options_.libraries));
    std::ranges::copy(code.plugins, std::back_inserter(options_.compilers.plugins));
    for (const auto& [key, value] : code.settings) options_.compilers.settings.insert_or_assign(key, value);
    optionsBar_->show(options_);
    run();
}

/// Of the model itself: other jobs may be about another one.
void MainWindow::onJobFailure(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const OperatorsRefused& refused) {
        if (!refused.kinds.empty()) askForOperators(refused);
    } catch (...) {  // nothing that could be allowed
    }
    onFailure(error);
}

/// Asks whether the model's file may do what it wants to do; then it is opened again.
void MainWindow::askForOperators(const OperatorsRefused& refused) {
    OperatorKinds kinds = refused.kinds;
    const bool again = tried_.model == options_.model;
    for (const AllowableKind& kind : allowableKinds())
        if (again && tried_.kinds.contains(kind.kind)) kinds.add(kind.kind);
    if (again && kinds == tried_.kinds) return;  // that was not it
    QStringList operators;
    for (const std::string& name : refused.operators) operators << toQString(name);
    ConsentQuestion question;
    question.what = QStringLiteral("operators ") + namesOf(kinds);
    question.file = toQString(options_.model);
    question.title = tr("Open Model");
    question.text = tr("'%1' calls %2, which %3. Open it anyway?")
                        .arg(shownText(QFileInfo(question.file).fileName()),
                             shownText(operators.join(QStringLiteral(", "))), whatTheyDo(kinds));
    question.details = tr("Open it only if you trust its author: the model runs with all your permissions.");
    question.yes = tr("Open Anyway");
    question.no = tr("Do Not Open");
    consent_->ask(question, [this, options = options_, kinds](bool yes) {
        if (!yes) return;
        options_ = options;
        optionsBar_->show(options_);
        allowed_ = kinds;
        run();
    });
}

}  // namespace aotscope
