import type { Job } from "@rightseat/protocol/model/job";
import type { ActiveConversations } from "../active/active-conversations.ts";
import type { ConversationId, MessageId } from "../kernel/ids.ts";
import type { PermitRequest, TurnEvent } from "../ports/agent-runtime.ts";
import type { AgentTool } from "../ports/agent-tool.ts";
import type { ChangeTracker, NamingOfFiles, SettledChange } from "../ports/changes.ts";
import { createJobChanges } from "./job-changes.ts";
import type { OwnChanges } from "./own-changes.ts";
import { scopeOf } from "./tool-scope.ts";
import type { OpenWindows, OpenWork, Work, WorkOf } from "./work-windows.ts";

/** Records what turns change: a window around everything in them that may. Nothing here throws, and nothing waits longer than the tracker's bound. */
export interface TurnChanges {
	/** What changes from now on and belongs to nothing in the turn is somebody else's. Not waited for. */
	begin(id: ConversationId, messageId: MessageId): void;
	/** What the agent says that its own tools do. */
	heard(id: ConversationId, event: TurnEvent): void;
	/** An approved request is about to run: resolves when the state before it is known. */
	approved(id: ConversationId, request: PermitRequest): Promise<void>;
	/** Runs a command of the agent in our shell, in its own window. */
	around<T>(id: ConversationId, label: string, run: () => Promise<T>): Promise<T>;
	/** A job of the shell began, changed or ended. */
	job(job: Job): void;
	/** The turn is over: closes everything of it and says what it changed. */
	settle(id: ConversationId): Promise<SettledChange>;
	/** The conversation is deleted. */
	forget(id: ConversationId): void;
}

interface RunningTurnWork {
	of: WorkOf;
	/** Calls of the agent's own tools that have a window, by their id. */
	calls: Map<string, OpenWork>;
	/** Something ran in it that may have changed files. */
	hasWorked: boolean;
}

/** Windows of one turn at the same time; from then on one over everything stands for all calls. */
export const MAX_TURN_WINDOWS = 200;
const FLOOD = "flood";

/** Tools of ours run in windows of their own, or change nothing. */
const SHELL_TOOLS = ["Bash", "BashOutput", "KillBash"];

/** One turn in each conversation. */
export function createTurnChanges(deps: {
	tracker: Pick<ChangeTracker, "settle">;
	open: OpenWindows;
	own: OwnChanges;
	active: Pick<ActiveConversations, "find">;
	extraTools(id: ConversationId): AgentTool[];
}): TurnChanges {
	const turns = new Map<ConversationId, RunningTurnWork>();
	const turnOf = (id: ConversationId) => turns.get(id)?.of;
	const jobs = createJobChanges({ ...deps, turnOf });

	function isOurs(id: ConversationId, toolName: string): boolean {
		return SHELL_TOOLS.includes(toolName) || deps.extraTools(id).some(({ name }) => name === toolName);
	}

	/** One window for a call, whoever names it first: an announcement or a request. Resolves when the state before it is known. */
	async function openCall(id: ConversationId, toolCallId: string, work: Work, how: NamingOfFiles = {}): Promise<void> {
		const turn = turns.get(id);
		if (turn === undefined) return;
		const known = turn.calls.get(toolCallId);
		if (known !== undefined) {
			await Promise.all([known.opened, work.paths === undefined ? undefined : known.addPaths(work.paths, how)]);
			return;
		}
		if (turn.calls.size >= MAX_TURN_WINDOWS && toolCallId !== FLOOD) {
			await openCall(id, FLOOD, { actor: work.actor, label: "", since: "last-sync" });
			await turn.calls.get(FLOOD)?.addPaths(work.paths ?? [], how);
			return;
		}
		turn.hasWorked = true;
		const opened = deps.open(id, turn.of, work);
		turn.calls.set(toolCallId, opened);
		await opened.opened;
	}

	function began(id: ConversationId, event: Extract<TurnEvent, { kind: "tool-start" }>): void {
		const { toolCallId, toolName, title, shell } = event;
		// An agent with a shell of its own may call that Bash as well.
		if (shell === undefined && isOurs(id, toolName)) return;
		const scope = scopeOf(event);
		if (scope.kind === "nothing") return;
		const paths = scope.kind === "files" ? { paths: scope.paths } : {};
		const actor = shell === "agent" ? "agent-shell" : "agent";
		void openCall(id, toolCallId, { actor, label: title ?? toolName, ...paths, since: "last-sync" });
	}

	function ended(id: ConversationId, toolCallId: string): void {
		const turn = turns.get(id);
		turn?.calls.get(toolCallId)?.close();
		turn?.calls.delete(toolCallId);
	}

	return {
		begin(id, messageId) {
			const of: WorkOf = { changeId: messageId, kind: "turn", messageId };
			turns.set(id, { of, calls: new Map(), hasWorked: false });
			deps.open(id, of, { actor: "agent", label: "", paths: [] });
		},
		heard(id, event) {
			if (event.kind === "tool-start") began(id, event);
			else if (event.kind === "tool-diff") void turns.get(id)?.calls.get(event.toolCallId)?.addPaths([event.path], { claim: event });
			else if (event.kind === "tool-end") ended(id, event.toolCallId);
		},
		async approved(id, { kind, toolName, toolCallId, summary, detail, paths }) {
			if (["read", "url", "memory"].includes(kind)) return;
			if (kind === "custom-tool" && toolName !== undefined && isOurs(id, toolName)) return;
			const isShell = kind === "shell";
			const actor = isShell ? "agent-shell" : "agent";
			const label = isShell ? (detail ?? summary) : (toolName ?? summary);
			// One that names no call is open until the turn ends.
			await openCall(id, toolCallId ?? summary, { actor, label, ...(paths === undefined ? {} : { paths }) }, { isTimely: true });
		},
		async around(id, label, run) {
			const turn = turns.get(id);
			if (turn !== undefined) turn.hasWorked = true;
			const of = turn?.of ?? deps.own.begin(id);
			const work = deps.open(id, of, { actor: "agent-shell", label });
			try {
				await work.opened;
				return await run();
			} finally {
				work.close();
				if (turn === undefined) void deps.own.end(id, of);
			}
		},
		job: jobs.heard,
		async settle(id) {
			const turn = turns.get(id);
			if (turn === undefined) return { kind: "nothing" };
			turns.delete(id);
			jobs.outlive(id, turn.of);
			const settled = await deps.tracker.settle(turn.of.changeId);
			// Of a turn that only talked nothing is missing.
			return settled.kind === "unavailable" && !turn.hasWorked ? { kind: "nothing" } : settled;
		},
		forget(id) {
			turns.delete(id);
			jobs.forget(id);
		},
	};
}
