import { request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { rootCertificates } from "node:tls";
import * as z from "zod/mini";
import { AppError } from "../../core/kernel/errors.ts";

const MAX_ANSWER_BYTES = 65_536;
const WEBSOCKET = {
	connection: "Upgrade",
	upgrade: "websocket",
	"sec-websocket-version": "13",
	"sec-websocket-key": "cmlnaHRzZWF0IHBhaXJpbmc=",
};

/** What stands between a phone and this server under an address. */
export type ReachProblem =
	| { kind: "unreachable"; detail: string }
	| { kind: "untrusted"; detail: string }
	| { kind: "elsewhere"; status: number }
	| { kind: "no-websocket" };

export interface AskOptions {
	/** Asked for anew at each try: a trial is short. */
	trial(): Promise<{ nonce: string; proof: string }>;
	/** An authority to trust besides the known ones, as PEM. */
	ca?: string | undefined;
	/** Where the name leads, when this machine's own way of finding it is not the phone's. */
	addresses?: readonly string[] | undefined;
	limitMs?: number;
	/** Nobody waits any more. */
	signal?: AbortSignal | undefined;
}

/** Asks for our own health through the address, as a phone will. Undefined: it leads here, and WebSockets pass. */
export async function askThrough(url: string, options: AskOptions): Promise<ReachProblem | undefined> {
	const { nonce, proof } = await options.trial();
	const health = await ask(`${url}/healthz?nonce=${encodeURIComponent(nonce)}`, {}, options);
	if (!("body" in health)) return health;
	if (health.status !== 200 || proofIn(health.body) !== proof) return { kind: "elsewhere", status: health.status };
	const upgrade = await ask(`${url}/ws`, { ...WEBSOCKET, origin: new URL(url).origin }, options);
	if (!("body" in upgrade)) return upgrade;
	// A refused upgrade is answered without the page's policy; with it, a proxy made a plain request of it.
	return upgrade.status === 401 && !upgrade.hasPolicy ? undefined : { kind: "no-websocket" };
}

function proofIn(body: string): string | undefined {
	try {
		const value: unknown = JSON.parse(body);
		return z.object({ proof: z.string() }).parse(value).proof;
	} catch {
		return undefined;
	}
}

type Answer = { status: number; hasPolicy: boolean; body: string };

function ask(url: string, headers: Record<string, string>, options: AskOptions): Promise<Answer | ReachProblem> {
	const { ca, addresses = [], limitMs = 10_000, signal } = options;
	return new Promise((resolve) => {
		const settings = {
			...{ headers, agent: false, signal: AbortSignal.any([AbortSignal.timeout(limitMs), ...(signal === undefined ? [] : [signal])]) },
			...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
			...(addresses.length === 0 ? {} : { lookup: lookupIn(addresses) }),
		};
		const sent = request(url, settings, (response) => {
			const head = { status: response.statusCode ?? 0, hasPolicy: response.headers["content-security-policy"] !== undefined };
			let body = "";
			response.setEncoding("utf8");
			response.on("data", (chunk: string) => {
				body += chunk;
				if (body.length > MAX_ANSWER_BYTES) sent.destroy(new AppError("too-large", "The answer is too long."));
			});
			response.on("end", () => resolve({ ...head, body }));
			response.on("error", (error) => resolve(problemOf(error)));
		});
		sent.on("upgrade", (response, socket) => {
			socket.destroy();
			resolve({ status: response.statusCode ?? 0, hasPolicy: false, body: "" });
		});
		sent.on("error", (error) => resolve(problemOf(error)));
		sent.end();
	});
}

function problemOf(error: Error): ReachProblem {
	if (error.name === "AbortError" || error.name === "TimeoutError") return { kind: "unreachable", detail: "ETIMEDOUT" };
	const code = "code" in error && !(error instanceof AppError) ? String(error.code) : "";
	const isOfCertificate = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|INVALID_PURPOSE|EPROTO/.test(code);
	return { kind: isOfCertificate ? "untrusted" : "unreachable", detail: code === "" ? error.message.slice(0, 200) : code };
}

const lookupIn =
	(addresses: readonly string[]): LookupFunction =>
	(_name, options, done) => {
		const found = addresses.map((address) => ({ address, family: isIP(address) }));
		const [first] = found;
		if (options.all === true) done(null, found);
		else done(null, first?.address ?? "", first?.family);
	};
