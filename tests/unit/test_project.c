#include "check.h"

#include "base/file.h"
#include "source/project.h"

struct folder {
    struct lw_buf path;
};

static void put_file(const char *root, const char *name, const char *text)
{
    char path[512];
    struct lw_err err;
    snprintf(path, sizeof path, "%s/%s", root, name);
    assert_int_equal(lw_file_write(path, lw_str(text), 0644, &err), 0);
}

static int make_folder(void **state)
{
    static struct folder f;
    struct lw_err err;
    char path[512];
    lw_buf_init(&f.path, NULL, 0);
    if (lw_temp_dir(&f.path, &err) < 0)
        return -1;
    const char *root = lw_buf_z(&f.path);
    snprintf(path, sizeof path, "%s/lib/pkg/sub", root);
    if (lw_dir_make(path, &err) < 0)
        return -1;
    put_file(root, "lib/pkg/__init__.py", "from .sub import make\nfrom .circle import *\n");
    put_file(root, "lib/pkg/circle.py", "from . import *\nfrom .circle import loop\n");
    put_file(root, "lib/pkg/sub/__init__.py", "from ..base import Base as make, run as go\n");
    put_file(root, "lib/pkg/base.py",
             "class Base:\n    def fit(self): pass\ndef run(): pass\n");
    put_file(root, "train.py", "import pkg\n");
    *state = &f;
    return 0;
}

static int remove_folder(void **state)
{
    struct folder *f = *state;
    struct lw_err err;
    int rc = lw_dir_remove(lw_buf_z(&f->path), &err);
    lw_buf_release(&f->path);
    return rc;
}

static void assert_found(struct lw_project *p, const char *from, const char *dotted,
                         const char *path, const char *name)
{
    struct lw_definition d;
    struct lw_err err;
    struct lw_module *m = lw_project_at(p, lw_str(from));
    assert_non_null(m);
    assert_int_equal(lw_project_find(p, m, lw_str(dotted), &d, &err), 0);
    if (!path) {
        assert_null(d.module);
        return;
    }
    assert_non_null(d.module);
    assert_str(d.module->path, path);
    assert_str(lw_tree_name(&d.module->tree, d.node), name);
}

static void names_lead_through_files(void **state)
{
    struct folder *f = *state;
    struct lw_project p;
    struct lw_err err;
    assert_int_equal(lw_project_open(&p, NULL, lw_buf_z(&f->path), &err), 0);
    assert_int_equal(p.module_count, 5);
    assert_str(lw_project_at(&p, LW_S("lib/pkg/base.py"))->name, "pkg.base");
    assert_found(&p, "train.py", "pkg.base.Base", "lib/pkg/base.py", "Base");
    assert_found(&p, "train.py", "pkg.make", "lib/pkg/base.py", "Base");
    assert_found(&p, "train.py", "pkg.make.fit", "lib/pkg/base.py", "fit");
    assert_found(&p, "lib/pkg/sub/__init__.py", "..base.run", "lib/pkg/base.py", "run");
    assert_found(&p, "lib/pkg/circle.py", ".sub.go", "lib/pkg/base.py", "run");
    assert_found(&p, "train.py", "pkg.loop", NULL, NULL); /* imports that go in circles */
    assert_found(&p, "train.py", "numpy.zeros", NULL, NULL);
    assert_found(&p, "train.py", "pkg.sub", "lib/pkg/sub/__init__.py", "");
    lw_project_close(&p);
}

static int find_with(struct lw_mem *mem, void *data)
{
    struct lw_project p;
    struct lw_definition d;
    struct lw_err err;
    int rc = lw_project_open(&p, mem, data, &err);
    if (rc < 0)
        return rc;
    rc = lw_project_find(&p, NULL, LW_S("pkg.make.fit"), &d, &err);
    lw_project_close(&p);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    struct folder *f = *state;
    char root[512];
    snprintf(root, sizeof root, "%s", lw_buf_z(&f->path));
    check_every_allocation(find_with, root);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(names_lead_through_files, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown(every_allocation_may_fail, make_folder, remove_folder),
};
CHECK_MAIN(tests)
