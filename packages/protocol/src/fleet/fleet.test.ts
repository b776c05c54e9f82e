import fc from "fast-check";
import { expect, test } from "vitest";
import { beatSchema, hostCardSchema } from "./beat.ts";
import { fleetAnswerSchema, fleetCommandSchema, signedSchema, snapshotPartSchema } from "./command.ts";
import { remoteIdOf, splitRemoteId } from "./ids.ts";
import { headSchema, liveEventSchema, positionSchema, sealedHeaderSchema } from "./position.ts";
import { fleetTypeOf } from "./requests.ts";

const HOST = "abcdefgh234567ab";

test("[FL1] a conversation of another host has an id that fits every rule for ids and leads back to host and conversation", () => {
	fc.assert(
		fc.property(fc.uuid(), fc.stringMatching(/^[a-z2-7]{16}$/), (id, host) => {
			const remote = remoteIdOf(host, id);
			expect(remote).toMatch(/^[\w-]{1,64}$/);
			expect(splitRemoteId(remote)).toEqual({ host, conversationId: id });
			expect(splitRemoteId(id)).toBeUndefined();
		}),
	);
});

test("[FL2] whatever JSON another host sends, a schema says yes or no and never throws", () => {
	const schemas = [beatSchema, hostCardSchema, fleetCommandSchema, fleetAnswerSchema, signedSchema, snapshotPartSchema];
	const all = [...schemas, headSchema, liveEventSchema, positionSchema, sealedHeaderSchema];
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
			for (const schema of all) schema.safeParse(value);
		}),
	);
});

test("[FL2] a beat with more heads than allowed, a foreign id or a fraction is none; unknown fields are ignored", () => {
	const head = { conversationId: "c1", generation: 1, epoch: "e", seq: 3, chain: "0123456789abcdef" };
	const beat = {
		host: HOST,
		instance: "run-00001",
		number: 1,
		intervalMs: 5_000,
		clock: 1,
		revision: 0,
		members: { version: 1, head: "x" },
	};
	expect(beatSchema.parse({ ...beat, heads: [head], mood: "fine" })).toEqual({ ...beat, heads: [head] });
	const wrong = [
		{ ...beat, heads: Array.from({ length: 101 }, () => head) },
		{ ...beat, heads: [{ ...head, conversationId: "a.b" }] },
		{ ...beat, heads: [], host: "rs.>" },
		{ ...beat, heads: [], clock: 1.5 },
	];
	expect(wrong.map((each) => beatSchema.safeParse(each).success)).toEqual([false, false, false, false]);
});

test("[FL206] what one host asks of another over HTTP has one name, and a path that leads elsewhere has none", () => {
	const of = "/api/conversations/c1";
	const named: [string, string, string | undefined][] = [
		["GET", `${of}/messages`, "fleet:messages"],
		["GET", `${of}/messages/m1/tools/t%2F1`, "fleet:messages"],
		["GET", `${of}/export`, "fleet:export"],
		["GET", `${of}/tree`, "fleet:files"],
		["GET", `${of}/changes/x/diff`, "fleet:look"],
		["POST", `${of}/changes/x/undo`, "fleet:work"],
		["PATCH", of, "fleet:patch"],
		["DELETE", of, "fleet:delete"],
		["POST", "/api/conversations", "fleet:create"],
		["GET", "/api/copilot/models", "fleet:models"],
		["GET", "/api/directories", "fleet:directories"],
		["GET", "/api/folders/setup", "fleet:directories"],
		["GET", "/api/folders/trust", "fleet:directories"],
		["PUT", "/api/folders/trust", "fleet:work"],
		["GET", "/api/attachments/a1", "fleet:messages"],
		["GET", "/api/settings", undefined],
		["POST", "/api/mcp-tokens", undefined],
		["POST", of, undefined],
		["GET", "/api/conversations", "fleet:list"],
		["POST", "/api/inbox/finished-1/seen", "fleet:inbox"],
		["GET", "/api/inbox", undefined],
		["POST", "/api/schedules/s1/missed", "fleet:schedule"],
		["GET", "/api/usage", "fleet:list"],
	];
	expect(named.map(([method, path]) => fleetTypeOf(method, path))).toEqual(named.map(([, , type]) => type));
	const odd = [
		"/../../settings",
		"/%2e%2e/%2E./settings",
		"/x/./y",
		"//settings",
		"/a\\..\\b",
		"/a?b",
		"/a#b",
		"/a b",
		"/messages/..",
		"/messages/%2e%2e/tools/x",
	];
	for (const method of ["GET", "POST"]) expect(odd.map((rest) => fleetTypeOf(method, `${of}${rest}`))).toEqual(odd.map(() => undefined));
});
