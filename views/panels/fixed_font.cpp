#include "panels/fixed_font.h"

#include <QFontDatabase>

namespace aotscope {

QFont fixedFont() {
    QFont font;
    font.setFamilies(QFontDatabase::systemFont(QFontDatabase::FixedFont).families());
    font.setStyleHint(QFont::TypeWriter);
    font.setFixedPitch(true);
    return font;
}

}  // namespace aotscope
