#pragma once

#include "canvas/colouring.h"
#include "controllers/controller.h"

#include <QActionGroup>
#include <QMenu>
#include <map>

namespace aotscope {

/// Colours the graph by values of its nodes: dtypes, modules, sizes, times, ages, or an overlay from a file. Values are
/// computed in the background, once for each graph.
class ColourController : public Controller {
    Q_OBJECT

public:
    explicit ColourController(const Surroundings& around);

    /// Menu entries below the theme's colours, which they exclude.
    void addActionsTo(QMenu* menu, QActionGroup* group);
    void setRecord(std::shared_ptr<const CompileRecord> record);
    void setTiming(std::shared_ptr<const TimingResult> timing);
    /// The device to estimate times for.
    void setDevice(const std::string& device) {
        sources_.machine = [engine = engine_, device] { return engine->machine(device); };
    }
    /// The machine was calibrated again.
    void renewEstimates() { renew(ColourBy::estimated); }
    /// More is known of the costs of its operations; otherwise it is the same.
    void setCostsOf(std::shared_ptr<const CompileRecord> record) {
        sources_.record = std::move(record);
        renewEstimates();
    }
    /// The compilers of the record's graphs, as far as known.
    void setCompilers(const std::vector<CompilerUse>& compilers);
    /// By values; nothing: the colours of the theme.
    void colourBy(std::optional<ColourBy> by);
    std::optional<ColourBy> by() const { return by_; }
    /// Opens a file of values and colours by it.
    void openOverlay(const QString& file);
    /// Colours by known values.
    void showOverlay(std::shared_ptr<const Overlay> overlay);
    /// The last opened values; null: none.
    const std::shared_ptr<const Overlay>& overlay() const { return sources_.overlay; }
    bool busy() const override { return job_.running(); }

Q_SIGNALS:
    /// A colour mode of the theme or one of these was chosen, by name.
    void chosen(const QString& name);
    /// Values of a file were opened.
    void overlayOpened();

private:
    void overlayDialog();
    /// The values of `changed` have changed.
    void renew(ColourBy changed);
    void refresh();
    void apply();
    void onFailure(const std::exception_ptr& error);

    std::map<ColourBy, QAction*> actions_;
    QAction* fallback_ = nullptr;  ///< of the theme, where values are not available
    ValueSources sources_;
    std::optional<ColourBy> by_;
    bool chosenHere_ = false;  ///< for the shown run, not a previous one
    /// By graph; of one mode.
    std::map<std::shared_ptr<const Graph>, std::shared_ptr<const NodeValues>> values_;
    BackgroundJob job_;
};

}  // namespace aotscope
