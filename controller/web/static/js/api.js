// What one does: POST of a named command; the same press is sent once, whatever the network does.

function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function post(path, body, key = null) {
  const headers = { "Content-Type": "application/json" };
  if (key) headers["Idempotency-Key"] = key;
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), credentials: "same-origin" });
  const data = await answer.json().catch(() => ({}));
  if (answer.ok) return { ...data, ok: true };
  return { ok: false, status: answer.status, code: data.error?.code ?? "request.failed", params: data.error?.params ?? {} };
}

/** Send a command; a lost answer is asked for once more under the same key. `version`: the state on the screen. */
export async function command(name, fields = {}, version = null) {
  const body = version ? { ...fields, state_version: version } : fields;
  const key = freshKey();
  const path = `/api/v1/commands/${name}`;
  try {
    return await post(path, body, key);
  } catch {
    try {
      return await post(path, body, key);
    } catch {
      return { ok: false, status: 0, code: "request.offline", params: {} };
    }
  }
}

/** Show the code of this table, once, for a cookie. */
export async function showCode(code) {
  return asked("/api/v1/session", { code });
}

async function get(path) {
  try {
    const answer = await fetch(path);
    const data = await answer.json();
    return answer.ok ? { ok: true, ...data } : { ok: false, code: data.error?.code ?? "request.failed", params: data.error?.params ?? {} };
  } catch {
    return { ok: false, code: "request.offline", params: {} };
  }
}

async function asked(path, body) {
  try {
    return await post(path, body);
  } catch {
    return { ok: false, status: 0, code: "request.offline", params: {} };
  }
}

/** Whom this browser speaks for. */
export const session = () => get("/api/v1/session");

/** The codes by which phones join the seats; for the screen at the table only. */
export const invitations = () => get("/api/v1/join");

const NONCE = /^[A-Za-z0-9_-]{16,64}$/;
const NO_CODE = { ok: false, code: "request.join_stale", params: {} };

/** Where a scanned code seats. */
export const invited = async (nonce) => (NONCE.test(nonce) ? asked("/api/v1/session/invited", { nonce }) : NO_CODE);

/** Sit down, under a new name or as the seat was called before. */
export const joinSeat = (nonce, name) => asked("/api/v1/session/join", name ? { nonce, name } : { nonce });

/** Get up: this browser speaks for nobody any more. */
export const leaveSeat = () => asked("/api/v1/session/leave", {});
