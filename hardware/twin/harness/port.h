/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pseudo terminal that a serial program opens in real time, under a name that stays.
 */
#ifndef HARNESS_PORT_H
#define HARNESS_PORT_H

#include <stddef.h>

#include "wire.h"

typedef struct {
    int master, slave; /* -1 = unplugged; our own slave keeps the master from hanging up between clients */
} port_t;

#define PORT_UNPLUGGED {-1, -1}
#define PORT_BAUD 250000 /* until a client sets another one */

int port_plug(port_t *p, const char *link_path);
void port_unplug(port_t *p);
void port_pump(port_t *p, wire_t *w); /* both directions, never blocks */

#endif
