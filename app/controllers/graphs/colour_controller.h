#pragma once

#include "canvas/colouring.h"
#include "controllers/background_job.h"
#include "controllers/controller.h"
#include "panels/graph/graph_pane.h"

#include <QActionGroup>
#include <QMenu>
#include <map>

namespace aotscope {

/// Colours the graph by values of its nodes: element types, modules, sizes, times, ages, or an overlay from a file.
/// Values are worked out in the background, once for every graph.
class ColourController : public Controller {
    Q_OBJECT

public:
    ColourController(GraphPane* pane, QWidget* window);

    /// Entries below those of the theme's colours, which they exclude.
    void addActionsTo(QMenu* menu, QActionGroup* group);
    void setRecord(std::shared_ptr<const CompileRecord> record);
    void setTiming(std::shared_ptr<const TimingResult> timing);
    /// For which device times are estimated.
    void setDevice(const std::string& device) { sources_.device = device; }
    /// The machine was calibrated again.
    void renewEstimates() { renew(Dimension::estimated); }
    /// What is known by now of the backends of the record's graphs.
    void setCompilers(const std::vector<CompilerUse>& compilers);
    /// Nothing: the colours of the theme.
    void colourBy(std::optional<Dimension> dimension);
    std::optional<Dimension> dimension() const { return dimension_; }
    /// Opens a file of values and colours by it.
    void openOverlay(const QString& file);
    /// Colours by values that are known.
    void showOverlay(std::shared_ptr<const Overlay> overlay);
    /// The values that were opened last; may be null.
    const std::shared_ptr<const Overlay>& overlay() const { return sources_.overlay; }
    bool busy() const override { return job_.running(); }

Q_SIGNALS:
    /// Of the theme's or of these, by name.
    void chosen(const QString& name);
    /// Values of a file were opened.
    void overlayOpened();

private:
    void overlayDialog();
    /// Values of `changed` are other ones now.
    void renew(Dimension changed);
    void refresh();
    void apply();
    void onFailure(const std::exception_ptr& error);

    GraphPane* pane_;
    QWidget* window_;
    std::map<Dimension, QAction*> actions_;
    QAction* fallback_ = nullptr;  ///< of the theme, where values cannot be had
    ValueSources sources_;
    std::optional<Dimension> dimension_;
    bool chosenHere_ = false;  ///< for the shown run, not for one before
    /// By graph; of one dimension.
    std::map<std::shared_ptr<const Graph>, std::shared_ptr<const NodeValues>> values_;
    BackgroundJob job_;
};

}  // namespace aotscope
