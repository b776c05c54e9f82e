import { CLIENT_FRAME_TYPES } from "@rightseat/protocol/frames/client";
import { expect, test } from "vitest";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import type { OutFrame, SendFn } from "./frames.ts";
import { createRouter, type WsHandler } from "./router.ts";

function bed(handlers: Record<string, WsHandler>) {
	const sent: OutFrame[] = [];
	const errors: { fields: object; message: string }[] = [];
	const logger: Logger = { ...silentLogger, error: (fields, message) => void errors.push({ fields, message }) };
	const router = createRouter({
		handlers: new Map(Object.entries(handlers)),
		logger,
		redact: (text) => text.replaceAll("hunter22", "[redacted]"),
	});
	const send: SendFn = (frame) => void sent.push(frame);
	return { router, send, sent, errors, route: (frame: unknown) => router.route(JSON.stringify(frame), send) };
}
const recorder = () => {
	const seen: string[] = [];
	const handler: WsHandler = { handle: (frame) => void seen.push(frame.type) };
	return { seen, handler };
};

test.each([
	{ type: "copilot:subscribe", data: { conversationId: "c1" } },
	{ type: "copilot:unsubscribe", data: { conversationId: "c1" } },
	{ type: "copilot:status" },
	{ type: "copilot:abort", data: { conversationId: "c1" } },
])("[WS2] the copilot handler gets $type", (frame) => {
	const { seen, handler } = recorder();
	const { route, sent } = bed({ copilot: handler });
	expect(route(frame)).toBe(true);
	expect(seen).toEqual([frame.type]);
	expect(sent).toEqual([]);
});

test("[WS13] ping is answered with pong", () => {
	const { route, sent } = bed({});
	route({ type: "ping" });
	expect(sent).toEqual([{ type: "pong" }]);
});

test.each([
	["not json", "bad-json"],
	["[]", "bad-frame"],
	["null", "bad-frame"],
	['{"data":{}}', "bad-frame"],
	['{"type":7}', "bad-frame"],
	['{"type":"ping","data":"x"}', "bad-frame"],
	['{"type":"copilot:status","data":[]}', "bad-frame"],
	['{"type":"copilot:send","data":{}}', "bad-frame"],
	['{"type":"copilot:subscribe","data":{"conversationId":"../etc"}}', "bad-frame"],
	['{"type":"no:such"}', "unknown-type"],
	['{"type":"__proto__"}', "unknown-type"],
	[`${"[".repeat(100_000)}`, "bad-json"],
])("[WS8] %.60s gets an error frame with code %s", (raw, code) => {
	const { router, send, sent } = bed({ copilot: recorder().handler });
	expect(router.route(raw, send)).toBe(false);
	expect(sent).toMatchObject([{ type: "error", data: { code } }]);
});

test("[WS6] on disconnect every handler is told, with the connection's send", () => {
	const told: [string, SendFn][] = [];
	const handler = (name: string): WsHandler => ({ handle: () => undefined, onDisconnect: (send) => void told.push([name, send]) });
	const { router, send } = bed({ a: handler("a"), b: handler("b") });
	router.disconnect(send);
	expect(told).toEqual([
		["a", send],
		["b", send],
	]);
});

test("[WS5] a handler without onDisconnect is passed over", () => {
	const { router, send, errors } = bed({ a: { handle: () => undefined } });
	router.disconnect(send);
	expect(errors).toEqual([]);
});

test("[WS7] a handler whose onDisconnect throws is logged and the others are still told", () => {
	const told: string[] = [];
	const { router, send, errors } = bed({
		a: {
			handle: () => undefined,
			onDisconnect() {
				throw new Error("broken");
			},
		},
		b: { handle: () => undefined, onDisconnect: () => void told.push("b") },
	});
	router.disconnect(send);
	expect(told).toEqual(["b"]);
	expect(errors).toHaveLength(1);
});

test.each(["at once", "later"])("[WS19] what a handler throws %s becomes an error frame without internals", async (when) => {
	const { route, sent, errors } = bed({
		copilot: {
			handle() {
				const error = new Error("password hunter22 leaked");
				if (when === "at once") throw error;
				return Promise.reject(error);
			},
		},
	});
	expect(route({ type: "copilot:status" })).toBe(true);
	await Promise.resolve();
	await Promise.resolve();
	expect(sent).toMatchObject([{ type: "error", data: { code: "internal", requestType: "copilot:status" } }]);
	expect(JSON.stringify(sent)).not.toContain("leaked");
	expect(errors).toHaveLength(1);
	expect(JSON.stringify(errors)).not.toContain("hunter22");
});

test("[WS19] an expected error reaches the client with its code and words", () => {
	const { route, sent, errors } = bed({
		copilot: {
			handle() {
				throw new AppError("conversation-not-found", "There is no such conversation.");
			},
		},
	});
	route({ type: "copilot:status" });
	expect(sent).toEqual([
		{
			type: "error",
			data: { code: "conversation-not-found", message: "There is no such conversation.", requestType: "copilot:status" },
		},
	]);
	expect(errors).toEqual([]);
});

test("[WS120] an error frame carries the values of its sentence, without our secrets", () => {
	const { route, sent } = bed({
		copilot: {
			handle() {
				throw new AppError("cwd-missing", "There is no directory /srv/hunter22.", {
					params: { reason: "missing", path: "/srv/hunter22", tries: 3 },
				});
			},
		},
	});
	route({ type: "copilot:status" });
	route({ type: "copilot:abort", data: { conversationId: 7 } });
	expect(sent).toMatchObject([
		{ data: { message: "There is no directory /srv/[redacted].", params: { reason: "missing", path: "/srv/[redacted]", tries: 3 } } },
		{ data: { code: "bad-frame", params: { type: "copilot:abort", where: expect.stringContaining("conversationId") } } },
	]);
});

test("[WS41] every frame type of the protocol has a prefix that the server handles", () => {
	const prefixes = new Set([...CLIENT_FRAME_TYPES].map((type) => type.split(":")[0]));
	expect(prefixes).toEqual(new Set(["ping", "copilot", "bash", "terminal", "presence"]));
});
