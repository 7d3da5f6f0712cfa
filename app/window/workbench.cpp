#include "window/workbench.h"

namespace aotscope {

Workbench::Workbench(QMainWindow* mainWindow, std::shared_ptr<const Engine> runs)
    : window(mainWindow),
      engine(std::move(runs)),
      centre(new Centre(mainWindow)),
      options(new OptionsPopover(engine, mainWindow)),
      toolBar(new MainToolBar(mainWindow)),
      chips(new OptionChips(options, mainWindow)),
      passes(new PassPanel(mainWindow)),
      inspector(new InspectorPanel(mainWindow)),
      problems(new ProblemsPanel(mainWindow)),
      pages(new Pages(mainWindow)),
      status(new StatusLine(mainWindow->statusBar())),
      drawer(new ProblemDrawer(problems, status, mainWindow)) {
    inspector->setClosedSections(settings.closedSections());
    QObject::connect(inspector, &InspectorPanel::closedSectionsChanged, mainWindow,
                     [this](const QStringList& names) { settings.setClosedSections(names); });
    mainWindow->setCentralWidget(centre);
    mainWindow->addToolBar(toolBar);
    mainWindow->addToolBarBreak();
    mainWindow->addToolBar(chips);
}

}  // namespace aotscope
