#ifndef VERSION_H
#define VERSION_H
#define FIRMWARE_MAJOR 0u
#define FIRMWARE_MINOR 1u
#define FIRMWARE_PATCH 0u
#ifndef FIRMWARE_SOURCE
#define FIRMWARE_SOURCE 0ul /* first 8 hex digits of the hash of all sources, from the build */
#endif
#endif
