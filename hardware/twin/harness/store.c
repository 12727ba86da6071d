/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define STORE_MAX 4096

static const char *store_path;
static uint8_t kept[STORE_MAX];

int store_open(board_t *b, const char *path) {
    store_path = path;
    if (b->eeprom_size > STORE_MAX) {
        b->eeprom_size = STORE_MAX;
    }
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (file) {
        size_t count = fread(b->eeprom, 1, b->eeprom_size, file);
        bool whole = count == b->eeprom_size && fgetc(file) == EOF && !ferror(file);
        fclose(file);
        if (!whole) {
            fprintf(stderr, "harness: %s is no EEPROM of %zu bytes\n", path, b->eeprom_size);
            return -1;
        }
    } else if (path && errno != ENOENT) {
        fprintf(stderr, "harness: cannot read the EEPROM file %s: %s\n", path, strerror(errno));
        return -1;
    }
    memcpy(kept, b->eeprom, b->eeprom_size);
    return 0;
}

/* Once: the board goes on without its file, as before. */
static void cannot_keep(void) {
    static bool told;
    if (!told) {
        told = true;
        fprintf(stderr, "harness: cannot keep the EEPROM in %s: %s\n", store_path, strerror(errno));
    }
}

void store_keep(board_t *b) {
    char part[4096];
    if (!store_path || memcmp(kept, b->eeprom, b->eeprom_size) == 0) {
        return;
    }
    memcpy(kept, b->eeprom, b->eeprom_size);
    snprintf(part, sizeof part, "%s.part", store_path);
    FILE *file = fopen(part, "wb");
    if (!file) {
        cannot_keep();
        return;
    }
    size_t count = fwrite(kept, 1, b->eeprom_size, file);
    if (fclose(file) != 0 || count != b->eeprom_size || rename(part, store_path) != 0) {
        cannot_keep();
    }
}
