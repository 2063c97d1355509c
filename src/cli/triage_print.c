/* How triage, hints and template print. */
#include "base/str.h"
#include "cli/triage.h"

/* ---- JSON ---------------------------------------------------------------------------------
 */

static void json_type(struct lw_jsonw *w, const struct lw_type_verdict *v)
{
    lw_json_key_text(w, "type", lw_str(lw_bug_type_name(v->type)));
    lw_json_key(w, "type_scores");
    lw_json_object(w);
    for (unsigned k = 0; k < LW_TYPES; k++)
        lw_json_key_double(w, lw_bug_type_name((enum lw_bug_type)k), v->score[k]);
    lw_json_end(w);
    lw_json_key(w, "decided_by");
    lw_json_array(w);
    for (size_t i = 0; i < v->reason_count; i++) {
        lw_json_object(w);
        lw_json_key_text(w, "word", v->reason[i].word);
        lw_json_key_double(w, "weight", v->reason[i].weight);
        lw_json_end(w);
    }
    lw_json_end(w);
}

static void json_origin(struct lw_jsonw *w, const struct lw_origin *o)
{
    lw_json_key_text(w, "origin", o->extrinsic ? LW_S("extrinsic") : LW_S("intrinsic"));
    lw_json_key(w, "suspect");
    if (!o->extrinsic) {
        lw_json_null(w);
    } else {
        lw_json_object(w);
        lw_json_key_text(w, "kind", o->suspect);
        lw_json_key_text_or_null(w, "name", o->name);
        lw_json_key_text_or_null(w, "version", o->version);
        lw_json_end(w);
    }
    lw_json_key_text_or_null(w, "origin_evidence", o->evidence);
}

static void json_frames(struct lw_jsonw *w, const lw_report *r, const struct lw_fact *error)
{
    const struct lw_fact *block = lw_report_block(r, error->block);
    lw_json_key(w, "frames");
    lw_json_array(w);
    for (const struct lw_fact *f = NULL;
         block->kind == LW_FACT_TRACE && (f = lw_report_next_in(r, block, LW_FACT_FRAME, f));) {
        lw_json_object(w);
        lw_json_key_text(w, "path", f->text);
        lw_json_key_int(w, "line", f->frame.line);
        lw_json_key_text(w, "function", f->frame.function);
        lw_json_end(w);
    }
    lw_json_end(w);
}

static void json_error(struct lw_jsonw *w, const struct triage_shown *s)
{
    const struct lw_fact *error = s->triage->error;
    lw_json_key_bool(w, "explicit", s->triage->is_explicit);
    lw_json_key(w, "error");
    if (!error) {
        lw_json_null(w);
        return;
    }
    lw_json_object(w);
    lw_json_key_text(w, "type", lw_fact_name(error));
    lw_json_key_text(w, "message", lw_fact_value(error));
    json_frames(w, s->report, error);
    lw_json_end(w);
}

static void json_versions(struct lw_jsonw *w, const struct lw_stated_versions *v)
{
    lw_json_key(w, "frameworks");
    lw_json_array(w);
    for (size_t i = 0; i < v->framework_count; i++) {
        lw_json_object(w);
        lw_json_key_text(w, "name", v->framework[i].name);
        lw_json_key_text_or_null(w, "version", v->framework[i].version);
        lw_json_key_text_or_null(w, "inferred_from", v->framework[i].inferred);
        lw_json_end(w);
    }
    lw_json_end(w);
    lw_json_key(w, "conflicts");
    lw_json_array(w);
    for (size_t i = 0; i < v->conflict_count; i++) {
        const struct lw_conflict *c = &v->conflict[i];
        lw_json_object(w);
        lw_json_key_text(w, "package", c->package);
        lw_json_key_text(w, "version", c->version);
        lw_json_key_text(w, "with", c->with);
        lw_json_key_text(w, "found", c->found);
        lw_json_key_text(w, "needs", c->needs);
        lw_json_key_text(w, "source", c->source);
        lw_json_end(w);
    }
    lw_json_end(w);
}

static void json_components(struct lw_jsonw *w, const struct lw_triage *t)
{
    lw_json_key(w, "components");
    lw_json_object(w);
    for (unsigned c = 0; c < LW_COMPONENTS; c++) {
        lw_json_key(w, lw_component_name((enum lw_component)c));
        lw_json_object(w);
        lw_json_key_bool(w, "present", t->component[c].present);
        lw_json_key(w, "evidence");
        lw_json_array(w);
        for (size_t i = 0; i < t->component[c].count; i++)
            lw_json_text(w, t->component[c].evidence[i]);
        lw_json_end(w);
        lw_json_end(w);
    }
    lw_json_end(w);
}

static void json_facts(struct lw_jsonw *w, const lw_report *r)
{
    lw_json_key(w, "facts");
    lw_json_array(w);
    for (unsigned kind = LW_FACT_BLOCKS; kind < LW_FACT_KINDS; kind++)
        for (const struct lw_fact *f = NULL;
             (f = lw_report_next(r, (enum lw_fact_kind)kind, f));) {
            lw_json_object(w);
            lw_json_key_text(w, "kind", lw_str(lw_fact_kind_name(f->kind)));
            lw_json_key_text(w, "name", lw_fact_name(f));
            lw_json_key_text(w, "value", lw_fact_value(f));
            lw_json_key_int(w, "start", f->start);
            lw_json_key_int(w, "end", f->end);
            lw_json_end(w);
        }
    lw_json_end(w);
}

static void json_lacks(struct lw_jsonw *w, const struct lw_triage *t)
{
    lw_json_key(w, "missing");
    lw_json_array(w);
    for (size_t i = 0; i < t->lack_count; i++)
        lw_json_text(w, t->lack[i].key);
    lw_json_end(w);
    lw_json_key(w, "questions");
    lw_json_array(w);
    for (size_t i = 0; i < t->lack_count; i++)
        lw_json_text(w, t->lack[i].question);
    lw_json_end(w);
}

void triage_json_rules(struct lw_jsonw *w, const struct lw_advice *a, size_t most)
{
    lw_json_array(w);
    for (size_t i = 0; i < a->count && i < most; i++) {
        const struct lw_advice_rule *r = &a->rules[i];
        lw_json_object(w);
        lw_json_key_text(w, "item", r->item);
        lw_json_key_double(w, "support", r->support);
        lw_json_key_double(w, "confidence", r->confidence);
        lw_json_key_int(w, "count", r->count);
        lw_json_key_int(w, "n", r->n);
        lw_json_key_bool(w, "weak", r->weak);
        lw_json_key_bool(w, "pooled", a->pooled);
        lw_json_end(w);
    }
    lw_json_end(w);
}

static void json_items(struct lw_jsonw *w, const char *key, const struct lw_advice *a,
                       size_t most)
{
    lw_json_key(w, key);
    lw_json_array(w);
    for (size_t i = 0; i < a->count && i < most; i++)
        lw_json_text(w, a->rules[i].item);
    lw_json_end(w);
}

static void json_metrics(struct lw_jsonw *w, const struct lw_triage *t)
{
    lw_json_key(w, "metrics");
    lw_json_object(w);
    for (size_t i = 0; i < t->metric_count; i++) {
        char name[64];
        size_t n =
            t->metric[i].name.n < sizeof name - 1 ? t->metric[i].name.n : sizeof name - 1;
        memcpy(name, t->metric[i].name.p, n);
        name[n] = 0;
        lw_json_key_text(w, name, t->metric[i].value);
    }
    lw_json_end(w);
}

void triage_json(struct lw_jsonw *w, const struct triage_shown *s)
{
    const struct lw_triage *t = s->triage;
    lw_json_object(w);
    if (s->id.n > 0)
        lw_json_key_text(w, "id", s->id);
    lw_json_key_text(w, "summary", t->summary);
    json_type(w, &t->type);
    lw_json_key_text_or_null(w, "leaf", t->leaf);
    lw_json_key_text_or_null(w, "sub_fault", t->sub_fault);
    json_origin(w, &t->origin);
    json_error(w, s);
    json_versions(w, &t->versions);
    json_components(w, t);
    json_facts(w, s->report);
    json_lacks(w, t);
    json_items(w, "information", t->information, LW_SHOWN_INFORMATION);
    json_items(w, "actions", t->actions, LW_SHOWN_ACTIONS);
    lw_json_key_text_or_null(w, "focus", t->focus);
    json_metrics(w, t);
    lw_json_key(w, "similar");
    lw_json_array(w);
    for (size_t i = 0; i < s->similar_count; i++) {
        lw_json_object(w);
        lw_json_key_text(w, "id", s->similar[i].id);
        lw_json_key_double(w, "score", s->similar[i].score);
        lw_json_end(w);
    }
    lw_json_end(w);
    lw_json_end(w);
}

/* ---- Text ---------------------------------------------------------------------------------
 */

void triage_put_origin(struct lw_sink *out, const struct lw_origin *o)
{
    if (!o->extrinsic) {
        lw_putz(out, "intrinsic");
        return;
    }
    lw_putf(out, "extrinsic (%.*s", LW_F(o->suspect));
    if (o->name.n > 0) {
        lw_putz(out, ": ");
        lw_put_safe(out, o->name, false);
    }
    if (o->version.n > 0) {
        lw_put_char(out, ' ');
        lw_put_safe(out, o->version, false);
    }
    lw_put_char(out, ')');
}

void triage_put_rules(struct lw_sink *out, const struct lw_advice *a, size_t most)
{
    for (size_t i = 0; i < a->count && i < most; i++) {
        const struct lw_advice_rule *r = &a->rules[i];
        lw_putf(out, "  %.2f  %-29.*s %u of %u, support %.2f%s\n", r->confidence, LW_F(r->item),
                r->count, r->n, r->support, r->weak ? "  weak" : "");
    }
}

static void put_quoted(struct lw_sink *out, const char *label, struct lw_str text)
{
    if (text.n == 0)
        return;
    lw_putf(out, "%-12s", label);
    lw_put_safe(out, text, false);
    lw_put_char(out, '\n');
}

static void put_type(struct lw_sink *out, const struct lw_type_verdict *v)
{
    lw_putf(out, "%-12s%s", "type", lw_bug_type_name(v->type));
    if (v->type != LW_TYPE_UNKNOWN)
        lw_putf(out, " (%.2f)", v->score[v->type]);
    for (size_t i = 0; i < v->reason_count; i++) {
        lw_putz(out, i ? ", " : "; decided by ");
        lw_put_safe(out, v->reason[i].word, false);
    }
    lw_put_char(out, '\n');
}

static void put_versions(struct lw_sink *out, const struct lw_stated_versions *v)
{
    for (size_t i = 0; i < v->framework_count; i++) {
        const struct lw_framework *f = &v->framework[i];
        lw_putf(out, "%s%.*s", i ? ", " : "frameworks  ", LW_F(f->name));
        if (f->version.n > 0) {
            lw_put_char(out, ' ');
            lw_put_safe(out, f->version, false);
        }
        if (f->inferred.n > 0) {
            lw_putz(out, " (by ");
            lw_put_safe(out, f->inferred, false);
            lw_put_char(out, ')');
        }
    }
    if (v->framework_count > 0)
        lw_put_char(out, '\n');
    for (size_t i = 0; i < v->conflict_count; i++) {
        const struct lw_conflict *c = &v->conflict[i];
        lw_putf(out, "conflict    %.*s %.*s needs %.*s %.*s, the report states %.*s\n",
                LW_F(c->package), LW_F(c->version), LW_F(c->with), LW_F(c->needs),
                LW_F(c->found));
    }
}

static void put_components(struct lw_sink *out, const struct lw_triage *t)
{
    lw_putz(out, "tells\n");
    for (unsigned k = 0; k < LW_COMPONENTS; k++) {
        const struct lw_component_report *c = &t->component[k];
        lw_putf(out, "  %-16s%s", lw_component_name((enum lw_component)k),
                c->present ? "yes" : "no");
        for (size_t i = 0; i < c->count && i < 3; i++) {
            lw_putz(out, i ? " | " : "  ");
            lw_put_safe(out, lw_str_part(c->evidence[i], 0, 48), false);
        }
        lw_put_char(out, '\n');
    }
}

void triage_text(struct cli *cli, const struct triage_shown *s)
{
    struct lw_sink *out = &cli->out;
    const struct lw_triage *t = s->triage;
    put_quoted(out, "report", t->summary);
    put_type(out, &t->type);
    put_quoted(out, "leaf", t->leaf);
    lw_putf(out, "%-12s", "origin");
    triage_put_origin(out, &t->origin);
    lw_put_char(out, '\n');
    put_quoted(out, "  because", t->origin.evidence);
    lw_putf(out, "%-12s%s\n", "shows", t->is_explicit ? "an error" : "no error (silent)");
    if (t->error) {
        lw_putf(out, "%-12s%.*s: ", "error", LW_F(lw_fact_name(t->error)));
        lw_put_safe(out, lw_fact_value(t->error), false);
        lw_put_char(out, '\n');
    }
    put_versions(out, &t->versions);
    put_quoted(out, "focus", t->focus);
    put_components(out, t);
    if (t->lack_count > 0)
        lw_putz(out, "ask\n");
    for (size_t i = 0; i < t->lack_count; i++)
        lw_putf(out, "  %zu. %.*s\n", i + 1, LW_F(t->lack[i].question));
    if (s->similar_count > 0)
        lw_putz(out, "similar\n");
    for (size_t i = 0; i < s->similar_count; i++) {
        lw_putf(out, "  %.3f  ", s->similar[i].score);
        lw_put_safe(out, s->similar[i].id, false);
        lw_put_char(out, '\n');
    }
}

void triage_comment(struct cli *cli, const struct triage_shown *s)
{
    struct lw_sink *out = &cli->out;
    const struct lw_triage *t = s->triage;
    if (t->lack_count == 0) {
        lw_putz(out, "Thank you for the report. It tells all that we need to look into it.\n");
        return;
    }
    lw_putz(out, "Thank you for the report. To look into it we need a little more:\n\n");
    for (size_t i = 0; i < t->lack_count; i++)
        lw_putf(out, "%zu. %.*s\n", i + 1, LW_F(t->lack[i].question));
    if (t->origin.extrinsic) {
        lw_putz(out, "\nThe cause may lie outside of this project: ");
        lw_put_safe(out, lw_str_from(t->origin.suspect, 0), false);
        if (t->origin.name.n > 0) {
            lw_putz(out, ", ");
            lw_put_safe(out, t->origin.name, false);
        }
        lw_putz(out, ".\n");
    }
}
