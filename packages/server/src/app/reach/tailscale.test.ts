import { expect, test } from "vitest";
import type { ToolResult } from "../service/run-tool.ts";
import { choosePort, createTailscale, type TailscaleState } from "./tailscale.ts";

const NAME = "box.tail1234.ts.net";
const ours = "http://127.0.0.1:7417";
type Ready = Extract<TailscaleState, { kind: "ready" }>;
const ready = (serve: Ready["serve"]): Ready => ({ kind: "ready", name: NAME, addresses: [], serve });
const leading = (port: number, to: string) => ({ [`${NAME}:${port}`]: { Handlers: { "/": { Proxy: to } } } });

test("[RC6] our own port is used again, a taken one never, and none that is open to the internet", () => {
	expect(choosePort(ready({}), ours, undefined)).toBe(443);
	expect(
		choosePort(
			ready({ TCP: { 443: {}, 8443: {} }, Web: { ...leading(443, "http://127.0.0.1:3000"), ...leading(8443, ours) } }),
			ours,
			undefined,
		),
	).toBe(8443);
	const funnel = { TCP: { 443: {} }, Web: leading(443, ours), AllowFunnel: { [`${NAME}:443`]: true } };
	expect([choosePort(ready(funnel), ours, undefined), choosePort(ready(funnel), ours, 443)]).toEqual([8443, undefined]);
	// A forwarder of TCP has no handlers.
	expect(choosePort(ready({ TCP: { 443: { TCPForward: "127.0.0.1:22" } } }), ours, 443)).toBeUndefined();
});

/** A program that says this, call by call. */
const saying = (answers: Record<string, Partial<ToolResult>>) =>
	createTailscale(async (_program, args) => ({ code: 0, stdout: "", stderr: "", ...answers[args.slice(0, 2).join(" ")] }), "/nowhere");
const status = (more: object) => ({
	stdout: JSON.stringify({ BackendState: "Running", Self: { DNSName: `${NAME}.` }, CertDomains: [NAME], ...more }),
});

test("[RC4] whatever the program says about itself is understood", async () => {
	expect(await saying({ "status --json": { code: 127 } }).look()).toEqual({ kind: "missing" });
	const stopped = { code: 1, stderr: "failed to connect to local tailscaled; it doesn't appear to be running" };
	expect(await saying({ "status --json": stopped }).look()).toEqual({ kind: "unreadable", detail: stopped.stderr });
	expect(await saying({ "status --json": { code: 1, ...status({ BackendState: "NeedsLogin", Self: null }) } }).look()).toEqual({
		kind: "logged-out",
	});
	expect(await saying({ "status --json": status({ CertDomains: null }) }).look()).toEqual({ kind: "no-https" });
	// Without anything served it says null.
	expect(await saying({ "status --json": status({}), "serve status": { stdout: "null" } }).look()).toEqual(ready({}));
});

test("[RC5] a program that waited for somebody to switch Serve on, and was ended, has said where", async () => {
	const waiting = {
		code: 1,
		stdout: "Serve is not enabled on your tailnet.\nTo enable, visit:\n\n  https://login.tailscale.com/f/serve?node=n1\n",
		stderr: "Command failed",
	};
	const tailscale = saying({ "status --json": status({}), "serve --bg": waiting });
	expect(await tailscale.serve(443, ours)).toEqual({ reason: "not-enabled", detail: "https://login.tailscale.com/f/serve?node=n1" });
});
