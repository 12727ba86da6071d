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
  if (answer.ok) return { ok: true };
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
  try {
    return await post("/api/v1/session", { code });
  } catch {
    return { ok: false, status: 0, code: "request.offline", params: {} };
  }
}
