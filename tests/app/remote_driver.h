#pragma once

#include "app/debug_driver.h"
#include "controllers/sessions/remote_controller.h"
#include "record/options/remote_model.h"
#include "support/program.h"
#include "window/pages/perspectives.h"

#include <QToolButton>

#include <functional>

namespace aotscope::test {

/// A window with a model in another process: on another machine, which is this one, or in an engine.
struct Far : Driver {
    using Driver::Driver;

    /// "%p" in `command` stands for the program.
    static QString model(const QString& path, QString command = u"%p"_s) {
        command.replace(u"%p"_s, forkedProgram());
        return QString::fromStdString(throughCommand("ssh://box/" + path.toStdString(), command.toStdString()));
    }
    bool openFar(const char* sample, const QString& command) {
        return open(model(u"sample:"_s + QString::fromUtf8(sample), command)) && window.session();
    }
    bool act(const char* action) {
        trigger(action);
        return settle();
    }
    RemoteController* remote() const { return window.findChild<RemoteController*>(); }
    QString machine() const { return find<QToolButton>("machine")->text(); }
    bool isBroken() const { return !window.session()->link().why.empty(); }
    bool canReconnect() const { return find<QAction>("actionReconnect")->isEnabled(); }

    /// Actions of a user with an open model. Failures are reported, and the next action is tried.
    enum class WhenBroken { goOn, stop };
    void lookAround(WhenBroken then = WhenBroken::goOn) {
        auto* perspectives = window.findChild<Perspectives*>();
        std::vector<std::function<void()>> steps{[this] { act("actionCheck"); }};
        for (const PerspectiveInfo& info : perspectiveList())
            steps.emplace_back([perspectives, &info] { perspectives->show(info.perspective); });
        for (const auto algorithm : {PartitionAlgorithm::defaultPartition, PartitionAlgorithm::minCut}) {
            steps.emplace_back([this, algorithm] { choosePartition(algorithm); });
            steps.emplace_back([this] { act("actionTime"); });
        }
        steps.emplace_back([this] { act("actionDebug"); });
        for (int step = 0; step < 3; ++step) steps.emplace_back([this] { act("actionDebugStep"); });
        for (const auto& step : steps) {
            if (then == WhenBroken::stop && isBroken()) return;
            step();
            settle();
        }
    }
};

/// Problems with another process: every kind except those of the run itself.
inline QStringList errorsIn(const Driver& d) {
    QStringList errors;
    for (int i = 0; i < d.problems()->count(); ++i)
        if (const QString text = d.problems()->item(i)->text();
            text.contains("aotscope"_L1) || text.contains("engine"_L1))
            errors << text;
    return errors;
}

}  // namespace aotscope::test
