/*
 * archive_api - libarchive, opened on first use: it brings a dozen other libraries along, and
 * most commands never see an archive.
 *
 * Internal to src/catalog/archive*.
 */
#ifndef LW_CATALOG_ARCHIVE_API_H
#define LW_CATALOG_ARCHIVE_API_H

#include <archive.h>
#include <archive_entry.h>

#include "lacewing.h"

/* Every function we call, without its "archive_". */
#define AR_FUNCTIONS(X)                   \
    X(read_new)                           \
    X(read_free)                          \
    X(read_support_filter_gzip)           \
    X(read_support_filter_zstd)           \
    X(read_support_format_tar)            \
    X(read_support_format_zip_streamable) \
    X(read_open)                          \
    X(read_next_header)                   \
    X(read_data)                          \
    X(filter_bytes)                       \
    X(filter_count)                       \
    X(format)                             \
    X(error_string)                       \
    X(write_new)                          \
    X(write_free)                         \
    X(write_close)                        \
    X(write_add_filter_zstd)              \
    X(write_set_format_pax_restricted)    \
    X(write_set_bytes_in_last_block)      \
    X(write_open)                         \
    X(write_header)                       \
    X(write_data)                         \
    X(entry_new)                          \
    X(entry_free)                         \
    X(entry_clear)                        \
    X(entry_pathname)                     \
    X(entry_filetype)                     \
    X(entry_size)                         \
    X(entry_size_is_set)                  \
    X(entry_hardlink)                     \
    X(entry_symlink)                      \
    X(entry_is_encrypted)                 \
    X(entry_sparse_count)                 \
    X(entry_set_pathname)                 \
    X(entry_set_size)                     \
    X(entry_set_filetype)                 \
    X(entry_set_perm)                     \
    X(entry_set_mtime)

struct ar_api {
#define AR_MEMBER(name) __typeof__(&archive_##name) name;
    AR_FUNCTIONS(AR_MEMBER)
#undef AR_MEMBER
};

/* Does a message of the library say that memory ran out? Its numbers do not tell: they are
 * those of damage too. */
bool ar_is_out_of_memory(const char *message);

/* LW_EMISSING when the library is not installed. Any thread, any number of times. */
int ar_api_load(struct ar_api *api, struct lw_err *err);

#endif
