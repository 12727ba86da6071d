/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "port.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* What <asm/termbits.h> has, which does not go together with <termios.h>: a speed of any number. */
struct any_speed {
    tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
    cc_t c_line, c_cc[19];
    unsigned c_ispeed, c_ospeed;
};
#define ANY_GET _IOR('T', 0x2A, struct any_speed)
#define ANY_SET _IOW('T', 0x2B, struct any_speed)
#define ANY_BITS 0010017u /* CBAUD */
#define ANY_BAUD 0010000u /* BOTHER */

/* A terminal has no wire: its speed is only a number that the other end has set. Nobody has yet: the board's. */
static void set_speed(int slave, unsigned baud) {
    struct any_speed speed;
    if (ioctl(slave, ANY_GET, &speed) == 0) {
        speed.c_cflag = (speed.c_cflag & ~ANY_BITS) | ANY_BAUD;
        speed.c_ispeed = speed.c_ospeed = baud;
        ioctl(slave, ANY_SET, &speed);
    }
}

static unsigned speed_of(int slave) {
    struct any_speed speed;
    return slave >= 0 && ioctl(slave, ANY_GET, &speed) == 0 ? speed.c_ospeed : 0;
}

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
    set_speed(p->slave, PORT_BAUD);
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
    w->port_baud = speed_of(p->slave);
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
