import { existsSync } from "node:fs";
import * as z from "zod/mini";
import type { RunTool, ToolResult } from "../service/run-tool.ts";

/** The program is not on the path of those who installed the app on a Mac. */
const MAC_PROGRAM = "/Applications/Tailscale.app/Contents/MacOS/Tailscale";
/** What Serve is commonly given; the first that nobody uses is taken. */
const PORTS = [443, 8443, 10_000];

const statusSchema = z.object({
	BackendState: z.string(),
	Self: z.optional(z.nullable(z.object({ DNSName: z.optional(z.string()), TailscaleIPs: z.optional(z.nullable(z.array(z.string()))) }))),
	CertDomains: z.optional(z.nullable(z.array(z.string()))),
});
const handlersSchema = z.object({
	Handlers: z.optional(z.nullable(z.record(z.string(), z.object({ Proxy: z.optional(z.string()) })))),
});
const serveSchema = z.object({
	TCP: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
	Web: z.optional(z.nullable(z.record(z.string(), handlersSchema))),
	AllowFunnel: z.optional(z.nullable(z.record(z.string(), z.boolean()))),
});
type ServeConfig = z.infer<typeof serveSchema>;

/** How Tailscale is on this machine. */
export type TailscaleState =
	| { kind: "missing" | "logged-out" | "no-https" }
	| { kind: "stopped"; detail: string }
	| { kind: "unreadable"; detail: string }
	| { kind: "ready"; name: string; addresses: string[]; serve: ServeConfig };

/** Why Serve was not set up. */
export interface ServeRefusal {
	reason: "denied" | "not-enabled" | "failed";
	detail: string;
}

/** The `tailscale` program: what it says, and the one thing that we have it do. */
export interface Tailscale {
	look(): Promise<TailscaleState>;
	/** HTTPS on this port of the tailnet leads to `target` from now on. Looks whether it was really done: the program says yes when it was not. */
	serve(port: number, target: string): Promise<ServeRefusal | undefined>;
	/** Takes that back, if it still leads to `target`. */
	stop(port: number, target: string): Promise<ServeRefusal | undefined>;
}

export function createTailscale(run: RunTool, macProgram = MAC_PROGRAM): Tailscale {
	let program = "tailscale";
	async function call(args: readonly string[]): Promise<ToolResult> {
		const result = await run(program, args);
		if (result.code !== 127 || program === macProgram || !existsSync(macProgram)) return result;
		program = macProgram;
		return await run(program, args);
	}

	async function readServe(): Promise<ServeConfig | string> {
		const result = await call(["serve", "status", "--json"]);
		const parsed = serveSchema.safeParse(json(result.stdout) ?? {});
		return result.code === 0 && parsed.success ? parsed.data : firstLine(result);
	}

	async function look(): Promise<TailscaleState> {
		const result = await call(["status", "--json"]);
		if (result.code === 127) return { kind: "missing" };
		// Logged out, it ends with an error and says the same on standard output.
		const status = statusSchema.safeParse(json(result.stdout));
		if (!status.success) return { kind: "unreadable", detail: firstLine(result) };
		const { BackendState, Self, CertDomains } = status.data;
		if (BackendState === "NeedsLogin" || BackendState === "NoState") return { kind: "logged-out" };
		if (BackendState !== "Running") return { kind: "stopped", detail: BackendState };
		const name = Self?.DNSName?.replace(/\.$/, "") ?? "";
		if (CertDomains?.includes(name) !== true) return { kind: "no-https" };
		const serve = await readServe();
		if (typeof serve === "string") return { kind: "unreadable", detail: serve };
		return { kind: "ready", name, addresses: Self?.TailscaleIPs ?? [], serve };
	}

	return {
		look,
		async serve(port, target) {
			const result = await call(["serve", "--bg", "--yes", `--https=${port}`, target]);
			const state = await look();
			if (state.kind === "ready" && leadsTo(state, port) === target) return undefined;
			const said = `${result.stdout}\n${result.stderr}`;
			if (/access denied|permission denied/i.test(said)) return { reason: "denied", detail: firstLine(result) };
			const link = /https:\/\/login\.tailscale\.com\/\S+/.exec(said)?.[0];
			if (/not enabled/i.test(said) || link !== undefined) return { reason: "not-enabled", detail: link ?? "" };
			return { reason: "failed", detail: firstLine(result) };
		},
		async stop(port, target) {
			const state = await look();
			if (state.kind !== "ready") return { reason: "failed", detail: state.kind };
			if (leadsTo(state, port) !== target) return undefined;
			const result = await call(["serve", `--https=${port}`, "off"]);
			if (result.code === 0) return undefined;
			return { reason: /access denied/i.test(result.stderr) ? "denied" : "failed", detail: firstLine(result) };
		},
	};
}

type Ready = Extract<TailscaleState, { kind: "ready" }>;

/** Where the top of this port leads now. */
export const leadsTo = ({ name, serve }: Ready, port: number): string | undefined =>
	serve.Web?.[`${name}:${port}`]?.Handlers?.["/"]?.Proxy ?? undefined;

/** A port that leads to `target` already, else one that nobody uses; undefined when the wanted one, or each of the common ones, is taken. */
export function choosePort(state: Ready, target: string, wanted: number | undefined): number | undefined {
	const candidates = wanted === undefined ? PORTS : [wanted];
	const isPrivate = (port: number) => state.serve.AllowFunnel?.[`${state.name}:${port}`] !== true;
	return (
		candidates.find((port) => leadsTo(state, port) === target && isPrivate(port)) ??
		candidates.find((port) => state.serve.TCP?.[String(port)] === undefined && state.serve.Web?.[`${state.name}:${port}`] === undefined)
	);
}

/** What the phone opens. */
export const tailnetUrl = (name: string, port: number): string => (port === 443 ? `https://${name}` : `https://${name}:${port}`);

function json(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return value;
	} catch {
		return undefined;
	}
}

/** The first line that says something, bounded: it becomes a part of ours. */
function firstLine({ stdout, stderr }: ToolResult): string {
	const line = `${stderr}\n${stdout}`.split("\n").find((text) => text.trim() !== "") ?? "";
	return line.trim().slice(0, 200);
}
