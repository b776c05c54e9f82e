/** Whether the login still holds, and if not whether somebody threw this device out. */
export type Probe = "ok" | "signed-out" | "revoked" | "unreachable";

export const REVOKED_CODE = "login-revoked";

/** One that hangs holds one of the few connections that a browser opens to a host. */
const PROBE_TIMEOUT_MS = 8_000;

/** Imports nothing: the boot script asks before the page's code has come. */
export async function probe(): Promise<Probe> {
	try {
		const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
		const response = await fetch("/api/conversations?limit=1", { credentials: "same-origin", signal });
		if (response.status === 401) return (await response.text().catch(() => "")).includes(`"${REVOKED_CODE}"`) ? "revoked" : "signed-out";
		void response.body?.cancel();
		return response.ok ? "ok" : "unreachable";
	} catch {
		// No answer is an answer here: the page opens with what this device keeps.
		return "unreachable";
	}
}
