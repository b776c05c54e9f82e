import * as z from "zod/mini";
import { MAX_ATTACHMENTS } from "../limits.ts";
import { permissionModeSchema } from "../model/vocabulary.ts";
import { settingsSchema } from "./app.ts";
import { budgetBody } from "./budget.ts";
import { newWorktree } from "./worktrees.ts";

/** Bodies and queries of the HTTP routes, as the server checks them. Fields that are not named here are ignored. */

/** More entries than this are not given at once, whatever was asked for. */
export const MAX_PAGE = 200;
/** Shorter passwords are refused. */
export const MIN_PASSWORD_CHARS = 10;
/** Longer ones are refused: hashing is paid by the character. */
export const MAX_PASSWORD_CHARS = 200;

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max));
const title = z.string().check(z.trim(), z.minLength(1, "A title has at least one character."), z.maxLength(200));
const secret = text(512);
const id = z.string().check(z.regex(/^[\w-]{1,128}$/, "This is not an id."));

/** Who asks for more than a page holds gets a full page and the cursor of the next one. */
export const pageLimit = (fallback: number) =>
	z.pipe(
		z.optional(z.string().check(z.regex(/^0*[1-9]\d*$/, `Give a number from 1 to ${MAX_PAGE}.`))),
		z.transform((given) => (given === undefined ? fallback : Math.min(Number(given), MAX_PAGE))),
	);

/** Which conversations: archived or not, and where the page begins. */
export const conversationsQuery = z.object({
	limit: pageLimit(100),
	cursor: z.optional(text(500)),
	archived: z.optional(
		z.pipe(
			z.enum(["true", "false"]),
			z.transform((value) => value === "true"),
		),
	),
});
/** Messages before this one; without it the newest. */
export const messagesQuery = z.object({ before: z.optional(id), limit: pageLimit(50) });
/** What to look for, and in how many matches at most. */
export const searchQuery = z.object({
	q: z.string().check(z.trim(), z.minLength(1, "Say what to look for."), z.maxLength(200)),
	limit: pageLimit(50),
});
/** The form of an export. */
export const exportQuery = z.object({
	format: z._default(z.enum(["markdown", "json", "html"], { error: "Choose markdown, json or html." }), "markdown"),
	/** Shown in the browser instead of saved; HTML only. */
	preview: z.optional(z.literal("1")),
	/** Of the words around what was said; HTML only. */
	lang: z.optional(z.enum(["en", "zh-Hant"])),
	/** With the attached pictures in it, up to a bound; HTML only. */
	pictures: z.optional(z.literal("1")),
});
/** Which agent is meant; without one Copilot. */
export const agentQuery = z.object({ agent: z._default(text(100), "copilot") });
/** Which part of an agent's sessions; without one the first. */
export const agentSessionsQuery = z.object({ cursor: z.optional(text(2_000)) });
/** A part of a path; nothing finds everything. */
export const filesQuery = z.object({ q: z._default(z.string().check(z.maxLength(200)), "") });
/** Which directory to look into; without one the roots. */
export const directoriesQuery = z.object({ path: z.optional(z.string().check(z.maxLength(4096))) });
/** The name that a person knows the file by. */
export const uploadQuery = z.object({ name: z._default(z.string().check(z.maxLength(1000)), "file") });
/** Where the page begins, and how long it is. */
export const auditQuery = z.object({
	before: z.optional(
		z.pipe(
			z.string().check(z.regex(/^\d{1,15}$/, "Give the cursor of an earlier page.")),
			z.transform((cursor) => Number(cursor)),
		),
	),
	limit: pageLimit(100),
});

/** How a conversation begins; everything has a default. */
export const createConversationBody = z.object({
	title: z.optional(title),
	agent: z.optional(text(100)),
	/** Goes on with this session of the agent, where that one works. */
	sessionId: z.optional(text(500)),
	model: z.optional(text(200)),
	mode: z.optional(text(200)),
	/** Empty: whatever the agent takes by itself. */
	effort: z.optional(z.string().check(z.maxLength(200))),
	/** One of the agents that the trusted folder brings; empty: none. */
	agentProfile: z.optional(z.string().check(z.maxLength(200))),
	cwd: z.optional(text(4096)),
	permissions: z.optional(permissionModeSchema),
	worktree: z.optional(newWorktree),
	/** Another host of the fleet, on which it is to live. */
	host: z.optional(text(40)),
});
/** How a conversation begins, as it was checked. */
export type NewConversation = Omit<z.infer<typeof createConversationBody>, "worktree" | "host">;
/** What changes; what is not named stays. */
export const patchConversationBody = z.object({
	title: z.optional(title),
	pinned: z.optional(z.boolean()),
	archived: z.optional(z.boolean()),
	model: z.optional(text(200)),
	permissions: z.optional(permissionModeSchema),
	mode: z.optional(text(200)),
	/** Empty: whatever the agent takes by itself. */
	effort: z.optional(z.string().check(z.maxLength(200))),
	/** One of the agents that the trusted folder brings; empty: none. */
	agentProfile: z.optional(z.string().check(z.maxLength(200))),
	cwd: z.optional(text(4096)),
	/** MCP servers by name: on or off in this conversation; those that are not named stay. */
	mcp: z.optional(z.record(text(200), z.boolean())),
	/** Takes the place of the one before; null: no limit. */
	budget: z.optional(z.nullable(budgetBody)),
});
/** The named fields change, the others stay. */
export type ConversationPatch = z.infer<typeof patchConversationBody>;
/** The same as `copilot:send`; how long a prompt may be is checked where both arrive. */
export const sendMessageBody = z.object({
	prompt: z.string(),
	clientMessageId: z.optional(text(128)),
	attachments: z.optional(z.array(text(128)).check(z.maxLength(MAX_ATTACHMENTS))),
	mode: z.optional(z.enum(["enqueue", "immediate"])),
});

/** Where a new conversation goes on from this one: before that message, or after everything; with a prompt, at once. */
export const forkConversationBody = z.object({
	beforeMessageId: z.optional(id),
	prompt: z.optional(z.string()),
	/** The same twice is one fork, and its prompt runs once. */
	clientMessageId: z.optional(text(128)),
});

/** One way in, by one secret. */
export const loginBody = z.union([z.object({ token: secret }), z.object({ code: secret }), z.object({ password: secret })], {
	error: 'Send {"token": "…"}, {"code": "…"} or {"password": "…"}.',
});
/** The password that logs in from then on. */
export const passwordBody = z.object({
	password: z
		.string()
		.check(
			z.minLength(MIN_PASSWORD_CHARS, `A password has at least ${MIN_PASSWORD_CHARS} characters.`),
			z.maxLength(MAX_PASSWORD_CHARS, `A password has at most ${MAX_PASSWORD_CHARS} characters.`),
		),
});

/** The settings that change; the others stay. */
export const settingsPatch = z.partial(settingsSchema);
/** The code that somebody in Telegram was given. */
export const pairingBody = z.object({ code: text(50) });
/** The conversation that a code shall bring to Telegram. */
export const linkBody = z.object({ conversationId: z.string().check(z.maxLength(200)) });
/** The browser that wants no more pushes. */
export const unsubscribeBody = z.object({ endpoint: z.string().check(z.maxLength(2_000)) });
