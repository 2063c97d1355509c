#include "base/json.h"

#include "base/err.h"
#include "base/str.h"

int lw_json_parse(json_t **value, struct lw_str name, struct lw_str text, struct lw_err *err)
{
    json_error_t why;
    *value = json_loadb(text.p ? text.p : "", text.n,
                        JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, &why);
    if (*value)
        return 0;
    /* Without memory for its first buffer, jansson fails without a word. */
    if (json_error_code(&why) == json_error_out_of_memory || !*why.text)
        return lw_err_nomem(err);
    return lw_err_set(err, LW_EINVAL, "%.*s:%d:%d: not JSON: %s", LW_F(name), why.line,
                      why.column, why.text);
}

struct lw_str lw_json_member(const json_t *object, const char *key)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_string(member))
        return LW_S("");
    return lw_str_n(json_string_value(member), json_string_length(member));
}
