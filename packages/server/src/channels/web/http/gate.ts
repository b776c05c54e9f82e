import { isIP } from "node:net";
import type { ErrorCode } from "../../../core/kernel/errors.ts";

/** What the gate looks at; an IncomingMessage has all of it. */
export interface GateRequest {
	method: string;
	/** The request target as sent. */
	url: string;
	rawHeaders: readonly string[];
	/** Address on our side of the connection. */
	localAddress: string | undefined;
	encrypted: boolean;
	upgrade: boolean;
	/** The route serves the page's own files, which every site may link to. Decided by the router, which reads the path as it is meant. */
	page: boolean;
}

export type GateVerdict =
	| {
			ok: true;
			secure: boolean;
			/** Under which address the browser shows our page: what it says, else the name it used. */
			origin: string;
			/** Proven to come from our own page. */
			fromPage: boolean;
			mutating: boolean;
			/** The browser may be told to use nothing but TLS under this name, on whatever port. */
			strict: boolean;
	  }
	| { ok: false; status: number; code: ErrorCode; message: string };

export interface GateOptions {
	behindProxy: boolean;
	/** Origins under which people reach us through a proxy or a name, such as `https://pilot.example.org`. */
	publicOrigins: readonly string[];
	/** The same, of those that were paired while we run. */
	pairedOrigins?(): readonly string[];
	/** An address of which is being found out whether it leads here. */
	trialOrigin?(): string | undefined;
}

/** A name of this machine under which nobody opens anything else. */
export const OWN_NAME = "rightseat.localhost";
/** Names that always mean this machine. Any port: people forward ports, and a foreign page cannot choose this header. */
const LOCAL_NAMES = new Set(["127.0.0.1", "[::1]", "localhost", OWN_NAME]);
const SAFE_METHODS = new Set(["GET", "HEAD"]);
/** Credentials in a query end up in logs, histories and Referer headers; refused so that nobody gets used to them. */
const FORBIDDEN_QUERY = ["token", "access_token", "code", "password"];
/** All that a name on trial gets. Both say nothing to strangers. */
const TRIAL_PATHS = /^\/(?:healthz(?:\?|$)|ws$)/;

/** The one check in front of every request and every upgrade; decides before anything else reads the request. */
export function createGate(options: GateOptions): { check(request: GateRequest): GateVerdict } {
	const configured = options.publicOrigins.map((origin) => new URL(origin).origin);
	const { pairedOrigins = () => [], trialOrigin = () => undefined } = options;

	/** Those that count for this request. */
	function publicOriginsFor(request: GateRequest): string[] {
		const trial = TRIAL_PATHS.test(request.url) ? trialOrigin() : undefined;
		return [...configured, ...pairedOrigins(), ...(trial === undefined ? [] : [trial])];
	}

	function hostAllowed(host: ParsedHost, request: GateRequest, publicOrigins: readonly string[]): boolean {
		if (LOCAL_NAMES.has(host.name)) return true;
		if (publicOrigins.some((origin) => new URL(origin).host === host.text)) return true;
		// A literal address cannot be rebound by DNS; it is ours if the connection arrived on it.
		return isIP(unbracket(host.name)) !== 0 && unbracket(host.name) === plainAddress(request.localAddress);
	}

	return {
		check(request) {
			if (!request.url.startsWith("/")) return refuse(400, "bad-request", "Send a path, not a whole address.");
			const hosts = valuesOf(request.rawHeaders, "host");
			const host = hosts.length === 1 ? parseHost(hosts[0] ?? "") : undefined;
			const publicOrigins = publicOriginsFor(request);
			if (host === undefined || !hostAllowed(host, request, publicOrigins)) {
				return refuse(
					403,
					"host-not-allowed",
					"This server does not answer under that name. Use the address it printed, or name yours in RIGHTSEAT_PUBLIC_URL.",
				);
			}
			const query = queryOf(request.url);
			if (FORBIDDEN_QUERY.some((key) => query.has(key))) {
				return refuse(400, "bad-request", "Credentials do not belong in an address. Use the Authorization header or the login form.");
			}
			const origins = valuesOf(request.rawHeaders, "origin");
			const secure = isSecure(request, host, { origins, publicOrigins });
			if (origins.length > 1 || !origins.every((origin) => publicOrigins.includes(origin) || isOrigin(origin, host, secure))) {
				return refuse(403, "forbidden", "Another web page may not speak to this server.");
			}
			const sites = valuesOf(request.rawHeaders, "sec-fetch-site");
			const guarded = request.upgrade || !request.page || !SAFE_METHODS.has(request.method);
			if (guarded && !sites.every((site) => site === "same-origin" || site === "none")) {
				return refuse(403, "forbidden", "Another web page may not speak to this server.");
			}
			// A browser names its origin with every upgrade and every change; who sends neither header is no web page.
			const noBrowser = !request.upgrade && origins.length === 0 && sites.length === 0;
			const fromPage = noBrowser || origins.length === 1 || (sites.length === 1 && sites[0] === "same-origin");
			const origin = origins[0] ?? `${secure ? "https" : "http"}://${host.text}`;
			const mutating = request.upgrade || !SAFE_METHODS.has(request.method);
			// A name that was paired is the machine's own, and other programs of its owner serve plain HTTP under it.
			return { ok: true, secure, origin, fromPage, mutating, strict: secure && !isPaired(host, origin) };
		},
	};

	function isPaired(host: ParsedHost, origin: string): boolean {
		const names = [`https://${host.text}`, origin].filter((name) => !configured.includes(name));
		return pairedOrigins().some((paired) => names.includes(paired));
	}

	function isSecure(
		request: GateRequest,
		host: ParsedHost,
		{ origins, publicOrigins }: { origins: readonly string[]; publicOrigins: readonly string[] },
	): boolean {
		if (request.encrypted) return true;
		// A browser that shows our page under its public https address says so, whatever the proxy does with Host and leaves out.
		if (origins.length === 1 && origins.every((origin) => origin.startsWith("https:") && publicOrigins.includes(origin))) return true;
		if (pairedOrigins().includes(`https://${host.text}`)) return true;
		if (!options.behindProxy) return false;
		const forwarded = valuesOf(request.rawHeaders, "x-forwarded-proto");
		return publicOrigins.includes(`https://${host.text}`) || (forwarded.length === 1 && forwarded[0] === "https");
	}
}

/** Compared as text, never parsed: "http://a, http://b", userinfo, a trailing dot or upper case simply differ. */
const isOrigin = (origin: string, host: ParsedHost, secure: boolean) => origin === `${secure ? "https" : "http"}://${host.text}`;

interface ParsedHost {
	name: string;
	/** Name and port as sent, in lower case. */
	text: string;
}

function parseHost(value: string): ParsedHost | undefined {
	const match = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/.exec(value.toLowerCase());
	const name = match?.[1];
	return name === undefined ? undefined : { name, text: value.toLowerCase() };
}

function queryOf(url: string): URLSearchParams {
	const at = url.indexOf("?");
	return new URLSearchParams(at === -1 ? "" : url.slice(at + 1));
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
	const values: string[] = [];
	for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
		if (rawHeaders[i]?.toLowerCase() === name) values.push(rawHeaders[i + 1] ?? "");
	}
	return values;
}

const refuse = (status: number, code: ErrorCode, message: string): GateVerdict => ({ ok: false, status, code, message });
const unbracket = (name: string) => (name.startsWith("[") ? name.slice(1, -1) : name);
const plainAddress = (address: string | undefined) => (address?.startsWith("::ffff:") ? address.slice(7) : address);
