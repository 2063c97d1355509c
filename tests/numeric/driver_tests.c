#include "driver.h"

const struct command test_commands[] = {{0}};
