import type { McpServer, McpServerInput } from "@rightseat/protocol/http/mcp-servers";

/** What stands in an address in place of a value that nobody gets back. */
const HIDDEN = "hidden";

/** A server without its secrets: names of variables, headers and parameters of the address, and no value of any. */
export function shownServer(server: McpServer): McpServerInput {
	if ("command" in server) return { ...server, env: namesOnly(server.env) };
	return { ...server, url: shownUrl(server.url), headers: namesOnly(server.headers) };
}

/** Every value of it that must not appear in logs, frames and answers. */
export function secretsOf(server: McpServer): string[] {
	if ("command" in server) return Object.entries(server.env).flatMap(([name, value]) => (isPlace(name, value) ? [] : [value]));
	return [...Object.values(server.headers), ...new URL(server.url).searchParams.values()];
}

/** A folder or an address that a server is told of is what conversations are about: hidden, it would be missing from all that people and models read. */
function isPlace(name: string, value: string): boolean {
	if (/key|token|secret|pass|credential|auth/i.test(name)) return false;
	if (/^[~.]?(\/[\w.@+ -]+)+\/?$/.test(value)) return true;
	return /^https?:\/\/[\w.-]+(:\d+)?(\/[\w.~/-]*)?$/.test(value);
}

/** The server that a person means by what they sent, or the name of a value that is nowhere. */
export function withKept(sent: McpServerInput, old: McpServer | undefined): { server: McpServer } | { missing: string } {
	if ("command" in sent) {
		// Another program has no business with what the old one was given.
		const kept = old !== undefined && "command" in old && old.command === sent.command ? old.env : {};
		const env = fill(sent.env, kept);
		return "missing" in env ? env : { server: { ...sent, env: env.values } };
	}
	const before = old !== undefined && "url" in old ? old : undefined;
	const url = before !== undefined && sent.url === shownUrl(before.url) ? before.url : sent.url;
	// Nor has another host.
	const headers = fill(sent.headers, before !== undefined && new URL(url).origin === new URL(before.url).origin ? before.headers : {});
	return "missing" in headers ? headers : { server: { ...sent, url, headers: headers.values } };
}

function fill(
	sent: Readonly<Record<string, string | null>> | undefined,
	kept: Readonly<Record<string, string>>,
): { values: Record<string, string> } | { missing: string } {
	if (sent === undefined) return { values: { ...kept } };
	const known = new Map(Object.entries(kept));
	const values = new Map<string, string>();
	for (const [name, value] of Object.entries(sent)) {
		const text = value ?? known.get(name);
		if (text === undefined) return { missing: name };
		values.set(name, text);
	}
	return { values: Object.fromEntries(values) };
}

const namesOnly = (values: Readonly<Record<string, string>>) => Object.fromEntries(Object.keys(values).map((name) => [name, null]));

function shownUrl(url: string): string {
	const shown = new URL(url);
	if (shown.search === "" && shown.hash === "") return url;
	for (const name of [...shown.searchParams.keys()]) shown.searchParams.set(name, HIDDEN);
	shown.hash = "";
	return shown.href;
}
