/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "port.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

int port_plug(port_t *p, const char *link_path) {
    char name[128], part[4096];
    struct termios raw;
    port_unplug(p);
    if (openpty(&p->master, &p->slave, name, NULL, NULL) != 0) {
        p->master = p->slave = -1;
        return -1;
    }
    tcgetattr(p->slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(p->slave, TCSANOW, &raw);
    fcntl(p->master, F_SETFL, O_NONBLOCK);
    fcntl(p->master, F_SETFD, FD_CLOEXEC);
    fcntl(p->slave, F_SETFD, FD_CLOEXEC);
    snprintf(part, sizeof part, "%s.part", link_path);
    unlink(part);
    if (symlink(name, part) != 0 || rename(part, link_path) != 0) {
        port_unplug(p);
        return -1;
    }
    return 0;
}

void port_unplug(port_t *p) {
    if (p->slave >= 0) {
        close(p->slave);
    }
    if (p->master >= 0) {
        close(p->master);
    }
    p->master = p->slave = -1;
}

void port_pump(port_t *p, wire_t *w) {
    uint8_t bytes[1024];
    size_t count;
    if (p->master >= 0) {
        ssize_t got = read(p->master, bytes, sizeof bytes);
        if (got > 0) {
            wire_send(w, bytes, (size_t)got);
        }
    }
    while ((count = wire_take(w, bytes, sizeof bytes)) > 0) {
        if (p->master >= 0 && write(p->master, bytes, count) < 0 && errno != EAGAIN) {
            return; /* nobody reads: on a real wire the bytes are gone as well */
        }
    }
}
