#include "driver.h"

const struct command learner_commands[] = {{0}};
