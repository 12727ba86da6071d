#include "link.h"

#include <string.h>

#include "clock.h"
#include "cobs.h"
#include "crc32.h"
#include "hal.h"
#include "protocol.h"

#define HEAD 4u
#define CRC 4u
#define MAX_BODY (HEAD + PROTOCOL_MAX_PAYLOAD + CRC)
#define EVENTS 32u
#define STAMP 4u /* every event ends with the clock when it happened */
#define EVENT_FIRST_MS 25u
#define EVENT_MAX_MS 100u
#define EVENT_IDLE_MS 1000u /* nobody acknowledges: no need to shout */
#define EVENT_TRIES_FAST 20u
#define RUBBISH_BYTES 24u
#define RUBBISH_PAUSE_MS 1000u /* rubbish from before such a silence is forgotten */
#define RUBBISH_MS 1500u /* beyond the 600 ms after which a silent host has stopped all motors */

#ifdef MUTANT_LONG_FRAME
#define RX_ROOM (MAX_BODY + 2u)
#else
#define RX_ROOM (MAX_BODY + 1u)
#endif

enum { COMMAND = 1, RESPONSE = 2, EVENT = 3, EVENT_ACK = 4, NOTE = 5 };

typedef struct {
    uint32_t at_ms;
    uint8_t code, count, payload[PROTOCOL_EVENT_MAX + STAMP];
} event_t;

static link_counters_t counters;
static uint8_t boot_id;
static uint16_t session; /* 0 = none since the start */
static uint8_t rx[MAX_BODY + 1u], rx_count;
static bool rx_overlong, slow;
static uint8_t rubbish; /* bytes since the last good frame, up to RUBBISH_BYTES */
static uint16_t rubbish_since, heard_at;
static uint8_t last_seq, last_command, last_code, last_count, last_answer[PROTOCOL_MAX_PAYLOAD];
static event_t events[EVENTS], booted;
static bool booted_told;
static uint8_t event_head, event_count, event_seq, event_tries;
static uint16_t event_sent, event_wait_ms;

bool stop_pattern(uint8_t byte) {
    static uint8_t seen; /* 0 nothing, 1 the first 00, 2-4 so many 18 */
    if (byte == 0) {
        bool complete = seen == 4;
        seen = 1;
        return complete;
    }
    seen = byte == 0x18u && seen >= 1 && seen < 4 ? (uint8_t)(seen + 1u) : 0;
    return false;
}

static bool send(uint8_t kind, uint8_t seq, uint8_t code, const uint8_t *payload, uint8_t count, bool again) {
    static uint8_t body[MAX_BODY], text[MAX_BODY + 1u];
    if (!hal_tx_room((uint8_t)(count + HEAD + CRC + 3u))) {
        return false;
    }
    body[0] = (uint8_t)(PROTOCOL_VERSION << 4 | kind);
    body[1] = seq;
    body[2] = boot_id;
    body[3] = code;
    memcpy(body + HEAD, payload, count);
    count = (uint8_t)(count + HEAD);
    uint32_t crc = crc32(message_is_open(code) ? 0 : PROTOCOL_LAYOUT, body, count);
    memcpy(body + count, &crc, CRC); /* low byte first */
    count = (uint8_t)(count + CRC);
    count = cobs_encode(body, count, text);
    if (again) {
        hal_tx(0);
    }
    for (uint8_t i = 0; i < count; i++) {
        hal_tx(text[i]);
    }
    hal_tx(0);
    return true;
}

/* ---------------------------------------------------------------- events */

static void send_event(uint32_t now) {
    if (event_count == 0) {
        return;
    }
    event_t *e = &events[event_head];
    memcpy(e->payload + e->count, &e->at_ms, STAMP); /* low byte first */
    send(EVENT, event_seq, e->code, e->payload, (uint8_t)(e->count + STAMP), event_tries > 0);
    uint16_t wait = EVENT_MAX_MS;
    if (event_tries < 2) {
        wait = (uint16_t)(EVENT_FIRST_MS << event_tries);
    } else if (event_tries >= EVENT_TRIES_FAST || session == 0) {
        wait = EVENT_IDLE_MS;
    }
    if (event_tries < 255u) {
        event_tries++;
    }
    event_sent = (uint16_t)now;
    event_wait_ms = wait;
}

void link_event(uint8_t code, const uint8_t *payload, uint8_t count) {
    if (event_count == EVENTS || count > PROTOCOL_EVENT_MAX) {
        counters.events_lost++;
        return;
    }
    event_t *e = &events[(event_head + event_count) % EVENTS];
    e->code = code;
    e->count = count;
    e->at_ms = hal_now_ms();
    for (uint8_t i = 0; i < count; i++) {
        e->payload[i] = payload[i];
    }
    hal_witness('E', &e->code, (uint8_t)(count + 2u));
    if (event_count++ == 0) {
        event_seq++;
        event_tries = 0;
        send_event(hal_now_ms());
    }
}

static void event_acked(uint8_t seq, uint8_t code, uint32_t now) {
    if (event_count == 0 || seq != event_seq || code != events[event_head].code || event_tries == 0) {
        return;
    }
    event_head = (event_head + 1u) % EVENTS;
    if (--event_count != 0) {
        event_seq++;
        event_tries = 0;
        send_event(now);
    }
}

void link_note(uint8_t code, const uint8_t *payload, uint8_t count) {
    if (session != 0) {
        send(NOTE, 0, code, payload, count, false);
    }
}

/* ---------------------------------------------------------------- commands */

static void refuse(uint8_t seq, uint8_t code, uint8_t reason) {
    const uint8_t payload[LEN_ACK] = {code, reason};
    send(RESPONSE, seq, MSG_ACK, payload, LEN_ACK, false);
}

static void act(uint8_t seq, uint8_t code, const uint8_t *payload, uint32_t now) {
    const uint8_t deed[] = {seq, code};
    hal_witness('D', deed, sizeof deed);
    last_seq = seq;
    last_command = code;
    last_count = 0;
    last_code = command_act(code, payload, last_answer, &last_count, now);
    send(RESPONSE, seq, last_code, last_answer, last_count, false);
}

/* A stop and a question are good at any time: from a stranger, of another boot, out of order. */
static void act_out_of_turn(uint8_t seq, uint8_t code, const uint8_t *payload, uint32_t now) {
    uint8_t answer[PROTOCOL_MAX_PAYLOAD], count = 0;
    uint8_t answer_code = command_act(code, payload, answer, &count, now);
    send(RESPONSE, seq, answer_code, answer, count, false);
}

#ifdef MUTANT_UNKNOWN_CODES
/* A board that is newer than its host: an event and a fault of numbers that nobody knows. */
static void tell_unknown(void) {
    static const uint8_t news[] = {7, 7, 7}, fault[LEN_FAULT] = {999u & 255u, 999u >> 8, 2, 9, 0};
    link_event(0x9Fu, news, sizeof news);
    link_event(MSG_FAULT, fault, LEN_FAULT);
}
#endif

static void greet(uint8_t seq, const uint8_t *payload, uint32_t now) {
    hello_t hello;
    unpack_hello(payload, &hello);
    uint16_t wanted = hello.session ? hello.session : 1u;
    if (wanted != session) {
        /* Another host program: what was told to the one before is history, STATUS is the truth. */
        session = wanted;
        last_seq = (uint8_t)(seq - 1u);
        event_count = 0;
        if (!booted_told && hello.layout == PROTOCOL_LAYOUT) { /* others cannot read it */
            booted_told = true;
            link_event(booted.code, booted.payload, booted.count);
        }
#ifdef MUTANT_UNKNOWN_CODES
        tell_unknown();
#endif
    }
    if ((int8_t)(seq - last_seq) >= 0) {
        act(seq, MSG_HELLO, payload, now);
    }
    event_tries = event_tries > 1u ? 1u : event_tries;
    event_wait_ms = 0;
}

static void command(uint8_t seq, uint8_t boot, uint8_t code, const uint8_t *payload, uint32_t now) {
    if (code == MSG_HELLO) {
        greet(seq, payload, now);
        return;
    }
    bool always = code == MSG_STOP || code == MSG_GET_STATUS;
    if (session == 0 || boot != boot_id) {
        if (always) {
            act_out_of_turn(seq, code, payload, now);
            return;
        }
        refuse(seq, code, session == 0 ? REASON_NO_SESSION : REASON_STALE_BOOT);
        return;
    }
    int8_t ahead = (int8_t)(seq - last_seq);
#ifdef MUTANT_NO_DEDUP
    ahead = ahead == 0 ? 1 : ahead;
#endif
    if (ahead > 0) {
        act(seq, code, payload, now);
    } else if (ahead == 0 && code == last_command) {
        counters.duplicates++;
        send(RESPONSE, seq, last_code, last_answer, last_count, true);
    } else if (always) {
        act_out_of_turn(seq, code, payload, now);
    }
}

/* ---------------------------------------------------------------- receiving */

/* An open message of a newer host may be longer: what we do not know of it is left unread. */
static bool length_fits(uint8_t code, uint8_t length) {
    uint8_t known = host_message_length(code);
    return length == known || (known != 0xFFu && message_is_open(code) && length > known);
}

static void frame(uint8_t *body, uint8_t count, uint32_t now) {
    uint8_t kind = body[0] & 15u;
    uint8_t seq = body[1];
    uint8_t code = body[3];
    bool open = kind != EVENT_ACK && message_is_open(code);
    uint8_t end = (uint8_t)(count - CRC);
    uint32_t crc = crc32(open ? 0 : PROTOCOL_LAYOUT, body, end);
#ifdef MUTANT_NO_CRC
    memcpy(&crc, body + end, CRC);
#endif
    if (memcmp(body + end, &crc, CRC) != 0) { /* low byte first */
        counters.crc_errors++;
        return;
    }
    counters.frames++;
    rubbish = 0;
    hal_witness('A', body, end);
    if (!open && body[0] >> 4 != PROTOCOL_VERSION) {
        return;
    }
    uint8_t length = (uint8_t)(end - HEAD);
    if (kind == EVENT_ACK && length == 0) {
        if (body[2] == boot_id) {
            event_acked(seq, code, now);
        }
    } else if (!length_fits(code, length)) {
        if (kind == COMMAND) {
            refuse(seq, code, REASON_UNKNOWN_COMMAND);
        }
    } else if (kind == NOTE) {
        if (body[2] == boot_id && session != 0) {
            command_note(code);
        }
    } else if (kind == COMMAND) {
        command(seq, body[2], code, body + HEAD, now);
    }
}

static void end_of_frame(uint32_t now) {
    uint8_t count = rx_count;
    bool overlong = rx_overlong;
    rx_count = 0;
    rx_overlong = false;
    if (count == 0 && !overlong) {
        return;
    }
    uint8_t body = overlong ? COBS_BAD : cobs_decode(rx, count);
    if (body == COBS_BAD || body < HEAD + CRC || body > MAX_BODY) {
        if (count == 3 && rx[0] == 0x18u) { /* the raw stop is no error */
            rubbish = 0;
        } else {
            counters.cobs_errors++;
        }
        return;
    }
    frame(rx, body, now);
}

void link_rx_task(uint32_t now) {
    uint8_t byte;
    while (hal_rx(&byte)) {
        if (rubbish == 0) {
            rubbish_since = (uint16_t)now;
        }
        heard_at = (uint16_t)now;
        rubbish = rubbish < RUBBISH_BYTES ? (uint8_t)(rubbish + 1u) : rubbish;
        if (byte == 0) {
            end_of_frame(now);
        } else if (rx_count < RX_ROOM) {
            rx[rx_count++] = byte;
        } else {
            rx_overlong = true;
        }
    }
}

/* An adapter that cannot do our rate speaks the other one: follow it. */
static void follow_rate(uint32_t now) {
    if (rubbish != 0 && ms_since(now, heard_at) >= RUBBISH_PAUSE_MS) {
        rubbish = 0;
    }
    if (rubbish >= RUBBISH_BYTES && ms_since(now, rubbish_since) >= RUBBISH_MS) {
        slow = !slow;
        rubbish = rx_count = 0;
        rx_overlong = false;
        hal_serial_rate(slow);
    }
}

void link_tick_task(uint32_t now) {
    follow_rate(now);
    if (event_count != 0 && ms_since(now, event_sent) >= event_wait_ms) {
        send_event(now);
    }
}

void link_init(uint8_t boot, const uint8_t *payload, uint8_t count) {
    boot_id = boot;
    START_AT_ZERO(session);
    START_AT_ZERO(booted_told);
    START_AT_ZERO(rx_count);
    START_AT_ZERO(rubbish);
    START_AT_ZERO(rx_overlong);
    START_AT_ZERO(slow);
    START_AT_ZERO(last_seq);
    START_AT_ZERO(last_command);
    START_AT_ZERO(last_code);
    START_AT_ZERO(last_count);
    START_AT_ZERO(event_head);
    START_AT_ZERO(event_count);
    START_AT_ZERO(event_seq);
    START_AT_ZERO(event_tries);
    START_AT_ZERO(counters);
    booted.code = MSG_BOOTED;
    booted.count = count;
    memcpy(booted.payload, payload, count);
    link_event(MSG_BOOTED, payload, count);
}

bool link_in_session(void) { return session != 0; }
bool link_is_understood(void) { return session != 0 && booted_told; }
const link_counters_t *link_counters(void) { return &counters; }
