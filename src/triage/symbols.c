#include "triage/symbols.h"

#include "base/str.h"
#include "knowledge/api.h"

bool triage_is_tensorflow_1(struct lw_str name)
{
    enum { IN_2_0 = 1 << 5 }; /* bits 0 to 4 are 1.10 to 1.14 */
    int versions = lw_str_has_prefix(name, LW_S("tf.")) ? lw_api_tensorflow_symbol(name) : -1;
    return versions > 0 && !(versions & IN_2_0);
}
