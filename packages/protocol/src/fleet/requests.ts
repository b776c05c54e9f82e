import * as z from "zod/mini";

/** What hosts ask of each other beside the frames of `/ws`, and what they answer. */

const id = z.string().check(z.minLength(1), z.maxLength(128));

/** `fleet:part`: the next part of an answer that was too long, or one that takes its time. */
export const partRequestSchema = z.object({ id, part: z.int().check(z.minimum(0), z.maximum(100_000)) });
/** `fleet:search`. */
export const fleetSearchSchema = z.object({
	q: z.string().check(z.maxLength(1_000)),
	limit: z.optional(z.int().check(z.minimum(1), z.maximum(200))),
});
/** `fleet:looked`: a page that is visible there shows the conversation, still does or no longer; or this answer of it is in somebody's chat. */
export const fleetLookedSchema = z.object({
	isShown: z.optional(z.boolean()),
	isAgain: z.optional(z.boolean()),
	messageId: z.optional(id),
});
/** That somebody on another host looks. */
export type FleetLooked = z.infer<typeof fleetLookedSchema>;
/** A request over HTTP, carried out there as if it had come to that host; its frame is named by `fleetTypeOf`. */
export const fleetHttpSchema = z.object({
	method: z.enum(["GET", "POST", "PATCH", "PUT", "DELETE"]),
	path: z.string().check(z.maxLength(2_000), z.startsWith("/api/")),
	query: z.optional(z.record(z.string(), z.string())),
	body: z.optional(z.unknown()),
	/** Of a new conversation: asked for again, it is the same one. */
	key: z.optional(id),
});
/** A request over HTTP as another host is asked for it. */
export type FleetHttp = z.infer<typeof fleetHttpSchema>;
/** A file comes in no more parts. */
export const MAX_FILE_PARTS = 256;
/** `fleet:attachment`: one part of a file that a prompt will name. */
export const attachmentPartSchema = z.object({
	id,
	name: z.string().check(z.maxLength(1_000)),
	size: z.int().check(z.minimum(1)),
	part: z.int().check(z.minimum(0)),
	parts: z.int().check(z.minimum(1), z.maximum(MAX_FILE_PARTS)),
	base64: z.string(),
});
/** One part of a file. */
export type AttachmentPart = z.infer<typeof attachmentPartSchema>;
/** `fleet:terminal`: what a terminal printed after this place, as soon as there is something. */
export const terminalReadSchema = z.object({ terminalId: id, from: z.int().check(z.minimum(0)) });

/** The first line of an answer; what follows it depends on its type. */
export const answerHeadSchema = z.discriminatedUnion("type", [
	/** Then the first part of the real answer, a JSON array of lines. */
	z.object({ type: z.literal("fleet:long"), data: z.object({ id, parts: z.int().check(z.minimum(1), z.maximum(100_000)) }) }),
	/** It is not done yet: its part 0 is the answer. */
	z.object({ type: z.literal("fleet:later"), data: z.object({ id }) }),
	/** Then the body. */
	z.object({
		type: z.literal("fleet:http"),
		data: z.object({ status: z.int(), headers: z.record(z.string(), z.string()), isBase64: z.boolean() }),
	}),
	z.object({ type: z.literal("fleet:results"), data: z.object({ results: z.array(z.unknown()) }) }),
	z.object({ type: z.literal("fleet:attachment"), data: z.object({ id: z.optional(id) }) }),
	/** `isWhole`: in place of everything before; `exitCode`: it has ended. */
	z.object({
		type: z.literal("fleet:terminal"),
		data: z.object({
			output: z.string(),
			next: z.int(),
			isWhole: z.boolean(),
			exitCode: z.optional(z.nullable(z.int())),
		}),
	}),
]);
/** The first line of an answer. */
export type AnswerHead = z.infer<typeof answerHeadSchema>;

const ID = "[\\w-]{1,64}";
const route = (method: string, path: string, type: string) => ({ method, path: new RegExp(`^${path}$`), type });
/** The first that fits; whatever else a conversation has needs every right. */
const ROUTES = [
	route("GET", `/api/conversations/${ID}(/messages(/[^/]+(/tools/[^/]+)?)?)?`, "fleet:messages"),
	route("GET", "/api/attachments/[^/]+", "fleet:messages"),
	route("GET", `/api/conversations/${ID}/export`, "fleet:export"),
	route("GET", "/api/(copilot/models|agents)", "fleet:models"),
	route("GET", `/api/conversations/${ID}/(files|tree|file)`, "fleet:files"),
	route("GET", "/api/(directories|files|folders/setup|folders/trust)", "fleet:directories"),
	route("GET", "/api/agents/[\\w.-]+/sessions", "fleet:directories"),
	route("PUT", "/api/folders/trust", "fleet:work"),
	route("GET", "/api/(conversations|schedules|usage)", "fleet:list"),
	route("POST", "/api/schedules", "fleet:schedule"),
	route("(POST|PATCH|DELETE)", `/api/schedules/${ID}(/(run|missed))?`, "fleet:schedule"),
	route("POST", "/api/conversations", "fleet:create"),
	route("(POST|DELETE)", "/api/inbox/[\\w-]{1,180}/(seen|snooze)", "fleet:inbox"),
	route("PATCH", `/api/conversations/${ID}`, "fleet:patch"),
	route("DELETE", `/api/conversations/${ID}`, "fleet:delete"),
	route("GET", `/api/conversations/${ID}/[\\w/.-]+`, "fleet:look"),
	// People choose these names.
	route("(POST|PUT)", `/api/conversations/${ID}/mcp/[^/]+/login`, "fleet:work"),
	route("(POST|PUT|PATCH|DELETE)", `/api/conversations/${ID}/[\\w/.-]+`, "fleet:work"),
].map(({ method, path, type }) => ({ method: new RegExp(`^${method}$`), path, type }));

/** As what another host is asked for this, and so which role it needs there; undefined: no host does it for another. */
export const fleetTypeOf = (method: string, path: string): string | undefined =>
	isPlain(path) ? ROUTES.find((each) => each.method.test(method) && each.path.test(path))?.type : undefined;

/** A path that leads elsewhere than it says is none: whoever reads it next takes `..` as the way up, however it is written. */
function isPlain(path: string): boolean {
	if (!path.startsWith("/") || /[\\?#\s\u0000-\u001f]/.test(path)) return false;
	return path
		.slice(1)
		.split("/")
		.every((part) => part !== "" && !/^(\.|%2e)+$/i.test(part));
}
