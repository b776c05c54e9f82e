import type { PermitDecision, PermitRequest } from "../../../core/ports/agent-runtime.ts";
import { fieldsOf, listOf, textOf, wordOf } from "../fields.ts";
import type { Card } from "../turn/cards.ts";

/** One of the answers that an agent offers. */
export interface PermissionOption {
	optionId: string;
	kind: string;
}

/** The answers of a permission request; those without an id are left out. */
export function readPermissionOptions(raw: unknown): PermissionOption[] {
	return listOf(raw).flatMap((item) => {
		const { optionId, kind } = fieldsOf(item);
		const id = wordOf(optionId);
		return id === undefined ? [] : [{ optionId: id, kind: wordOf(kind) ?? "" }];
	});
}

/** What goes back to the agent. Only "once" is ever chosen: what "always" means, and for how long, is the agent's own secret. */
export function toOutcome(options: readonly PermissionOption[], isAllowed: boolean): { outcome: object } {
	const chosen = options.find(({ kind }) => kind === (isAllowed ? "allow_once" : "reject_once"));
	return { outcome: chosen === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: chosen.optionId } };
}

export const WITHDRAWN = { outcome: { outcome: "cancelled" } };

/** The tool of ours that runs commands in the conversation's shell. */
const OUR_SHELL = "Bash";

/** What the agent wants to do, in words; nothing is cut here, so that what is shown is what runs. */
export function toPermitRequest(card: Card): PermitRequest {
	const { toolCallId, toolName, title, kind = "other" } = card;
	const command = commandOf(card.input);
	// As it came: this is compared with what will run, character for character.
	const { command: ours } = card.ours === OUR_SHELL ? fieldsOf(card.input) : {};
	const path = pathOf(card);
	const diff = [...card.diffs.values()].map(({ newText }) => newText).join("\n");
	const detail = command ?? (diff === "" ? detailOf(card.input) : diff);
	const paths = kind === "edit" ? [...new Set([...card.diffs.keys(), ...(path === undefined ? [] : [path])])] : [];
	return {
		kind: kindOf(card, { command, path }),
		summary: summaryOf({ kind, command, path, words: title ?? toolName }),
		toolName,
		toolCallId,
		...(detail === undefined ? {} : { detail }),
		...(paths.length === 0 ? {} : { paths }),
		...(typeof ours === "string" ? { command: ours } : {}),
	};
}

/** Reading may be allowed as such, and what an agent calls reading may be a command: `cat` is reading for Codex. */
function kindOf({ ours, kind = "other" }: Card, { command, path }: { command: string | undefined; path: string | undefined }): string {
	if (ours !== undefined) return "custom-tool";
	return command !== undefined && path === undefined ? "shell" : (KINDS[kind] ?? kind);
}

/** The words that core has for the kinds of a request. */
const KINDS: Readonly<Record<string, string>> = {
	execute: "shell",
	edit: "write",
	delete: "write",
	move: "write",
	read: "read",
	fetch: "url",
};

function summaryOf({ kind, command, path, words }: { kind: string; command?: string; path?: string; words: string }): string {
	if (command !== undefined) return `Run ${command}`;
	if (path !== undefined && kind === "edit") return `Write ${path}`;
	if (path !== undefined && kind === "read") return `Read ${path}`;
	return `Use ${words}`;
}

function commandOf(input: unknown): string | undefined {
	const { command } = fieldsOf(input);
	if (Array.isArray(command)) return command.map(String).join(" ").toWellFormed();
	return textOf(command);
}

function pathOf(card: Card): string | undefined {
	const { path, file_path, filePath } = fieldsOf(card.input);
	return textOf(path) ?? textOf(file_path) ?? textOf(filePath) ?? [...card.diffs.keys()][0];
}

const detailOf = (input: unknown) => (input === undefined ? undefined : JSON.stringify(input, null, 2));

/** What a person has allowed in this session and in this turn, so that nobody is asked twice and nothing is allowed unseen. */
export interface Approvals {
	/** Decides at once when a person has allowed this for the session. */
	recall(request: PermitRequest): PermitDecision | undefined;
	remember(request: PermitRequest, decision: PermitDecision): void;
	/** The agent's own request for this call of our tools was allowed: the call itself is not asked for again, once. */
	grant(call: { toolName: string; input: unknown }): void;
	take(call: { toolName: string; input: unknown }): boolean;
	/** What was granted and not used is worth nothing in another turn. */
	endTurn(): void;
}

const MAX_REMEMBERED = 500;

export function createApprovals(): Approvals {
	const session = new Set<string>();
	let granted: string[] = [];
	// Reading and writing are allowed as such; anything else only as it was shown, word for word.
	const keyOf = ({ kind, toolName, detail, summary }: PermitRequest) =>
		kind === "read" || kind === "write" ? kind : JSON.stringify([kind, toolName, detail ?? summary]);
	const callKey = ({ toolName, input }: { toolName: string; input: unknown }) => JSON.stringify([toolName, input ?? {}]);
	return {
		recall: (request) => (session.has(keyOf(request)) ? { kind: "approve-once" } : undefined),
		remember(request, decision) {
			if (decision.kind === "approve-for-session" && session.size < MAX_REMEMBERED) session.add(keyOf(request));
		},
		grant(call) {
			granted = [...granted, callKey(call)].slice(-MAX_REMEMBERED);
		},
		take(call) {
			const at = granted.indexOf(callKey(call));
			if (at === -1) return false;
			granted = granted.filter((_, index) => index !== at);
			return true;
		},
		endTurn() {
			granted = [];
		},
	};
}
