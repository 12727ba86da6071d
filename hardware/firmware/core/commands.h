#ifndef COMMANDS_H
#define COMMANDS_H
#include "machine.h"
#endif
