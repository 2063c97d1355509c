/*
 * xml - reads the plain part of XML as a stream: elements, text, comments, CDATA, the five
 * entities and character references. Attributes are skipped; document types are refused,
 * and with them everything that could grow or reach outside.
 *
 * A file of any size in bounded memory: one piece of text is at most 1 MiB, 32 levels deep.
 */
#ifndef LW_CATALOG_XML_H
#define LW_CATALOG_XML_H

#include "base/buf.h"
#include "lacewing.h"

enum { XML_DEPTH = 32, XML_TEXT = 1 << 20 };

enum xml_event { XML_AT_END, XML_OPENED, XML_CLOSED };

struct xml {
    struct lw_mem *mem;
    const char *path; /* borrowed, for messages */
    int fd;
    char *chunk;
    size_t chunk_n, chunk_at;
    uint64_t line;      /* of the next character, from 1 */
    struct lw_buf name; /* of the element of the last event */
    struct lw_buf text; /* all text since the last event; trimmed by nobody */
    struct lw_buf open; /* names of the open elements, one after another */
    size_t starts[XML_DEPTH];
    size_t depth;
    bool pending_close; /* <x/> */
};

int xml_open(struct xml *x, struct lw_mem *mem, const char *path, struct lw_err *err);
void xml_close(struct xml *x);

/* The next xml_event, or negative. `text` is what stood before the tag. Errors name file and
 * line. */
int xml_next(struct xml *x, struct lw_err *err);

/* Adds the text with what XML means something by replaced; characters that XML cannot have are
 * left out. */
struct lw_sink;
void xml_put(struct lw_sink *out, struct lw_str text);

#endif
