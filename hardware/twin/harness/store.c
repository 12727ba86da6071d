/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store.h"

#include <stdio.h>
#include <string.h>

#define STORE_MAX 4096

static const char *store_path;
static uint8_t kept[STORE_MAX];

void store_open(board_t *b, const char *path) {
    store_path = path;
    if (b->eeprom_size > STORE_MAX) {
        b->eeprom_size = STORE_MAX;
    }
    if (path) {
        FILE *file = fopen(path, "rb");
        if (file) {
            size_t count = fread(b->eeprom, 1, b->eeprom_size, file);
            (void)count; /* a short file leaves the rest erased */
            fclose(file);
        }
    }
    memcpy(kept, b->eeprom, b->eeprom_size);
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
        return;
    }
    size_t count = fwrite(kept, 1, b->eeprom_size, file);
    if (fclose(file) == 0 && count == b->eeprom_size) {
        rename(part, store_path);
    }
}
