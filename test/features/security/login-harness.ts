import type { WebBed } from "../../support/ws-harness.ts";

export const cookieOf = (response: Response) => String(response.headers.get("set-cookie")).split(";")[0] ?? "";
export const codeOf = (link: string) => new URL(link).hash.replace("#code=", "");

/** Ways in, for tests of what happens there; the server is asked for at each call, because a test may replace it. */
export function loginHelpers(bed: () => WebBed) {
	const login = (body: unknown, headers: Record<string, string> = {}) =>
		fetch(`${bed().url}/api/login`, {
			method: "POST",
			headers: { "content-type": "application/json", ...headers },
			body: JSON.stringify(body),
		});
	const withCookie = (path: string, cookie: string, method = "GET") =>
		fetch(`${bed().url}${path}`, { method, headers: { cookie, origin: bed().url } });
	return {
		login,
		withCookie,
		/** A new session's Cookie header. */
		logIn: async () => cookieOf(await login({ token: bed().token })),
		/** What the API says to this cookie. */
		status: async (cookie: string) => (await withCookie("/api/conversations", cookie)).status,
	};
}
