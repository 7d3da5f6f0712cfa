#include "window/workbench.h"

namespace aotscope {

Workbench::Workbench(QMainWindow* mainWindow)
    : window(mainWindow),
      centre(new Centre(mainWindow)),
      optionsBar(new OptionsBar(mainWindow)),
      passes(new PassPanel(mainWindow)),
      inspector(new InspectorPanel(mainWindow)),
      problems(new ProblemsPanel(mainWindow)),
      pages(new Pages(mainWindow)),
      status(new StatusLine(mainWindow->statusBar())) {
    inspector->setClosedSections(settings.closedSections());
    QObject::connect(inspector, &InspectorPanel::closedSectionsChanged, mainWindow,
                     [this](const QStringList& names) { settings.setClosedSections(names); });
    mainWindow->setCentralWidget(centre);
    mainWindow->addToolBar(optionsBar);
}

}  // namespace aotscope
