import { clientFrameSchema } from "@rightseat/protocol/frames/client";
import { headLine } from "../../../core/fleet/answer-lines.ts";
import type { FleetOwnerDeps } from "../../../core/fleet/owner.ts";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { AuditLog } from "../../../core/ports/audit.ts";
import type { Viewer } from "./terminal.ts";
import type { Terminals } from "./terminals.ts";

/** Output that waits for another host to ask for it; one that is further behind gets the whole screen. */
export const MAX_WAITING_CHARS = 262_144;
/** A read without anything new is answered after this time, so that whoever asks knows that we are there. */
const READ_MS = 1_500;
/** A host that has not asked for so long does not look any more. */
export const UNREAD_MS = 30_000;

interface Watched {
	viewer: Viewer;
	/** Characters that it printed since it was opened for this host: where `text` begins. */
	start: number;
	text: string;
	exitCode: number | null | undefined;
	/** Readers that wait for the next word. */
	waiting: Set<() => void>;
	forget: Cancel;
}

/** Terminals of this host for people on other hosts. What they print is asked for, place by place, so that nothing is lost or doubled on the way. */
export function createHostTerminals(deps: {
	terminals: Terminals;
	cwdFor(request: { cwd?: string; conversationId?: string }): Promise<string>;
	audit: Pick<AuditLog, "record">;
	clock: Clock;
}): FleetOwnerDeps["terminals"] {
	const { terminals, clock } = deps;
	const watched = new Map<string, Watched>();
	const opened = createOpened(terminals);
	/** Ids of two hosts, or of a host and a page here, are not the same terminal. */
	const idOf = (host: string, terminalId: string) => `${host} ${terminalId}`;

	function watch(id: string): Watched {
		const known = watched.get(id) ?? createWatched();
		watched.set(id, known);
		return known;
	}
	function keep(id: string, kept: Watched): void {
		kept.forget();
		kept.forget = clock.after(UNREAD_MS, () => {
			terminals.leave(kept.viewer);
			watched.delete(id);
		});
	}

	async function open(
		id: string,
		terminalId: string,
		data: { cwd?: string | undefined; conversationId?: string | undefined; cols: number; rows: number },
		source: string,
	) {
		const isNew = !terminals.has(id);
		if (isNew) watched.delete(id);
		const made = watch(id);
		const { conversationId, cwd, cols, rows } = data;
		const where = { ...(cwd === undefined ? {} : { cwd }), ...(conversationId === undefined ? {} : { conversationId }) };
		const request = {
			terminalId: id,
			cols,
			rows,
			cwd: () => deps.cwdFor(where),
			...(conversationId === undefined ? {} : { conversationId }),
		};
		const view = await terminals.open(request, made.viewer);
		opened.note(id);
		if (isNew) deps.audit.record({ kind: "terminal", source, detail: terminalId });
		keep(id, made);
		const next = made.start + made.text.length;
		return [
			JSON.stringify({ type: "terminal:opened", data: { terminalId, ...view } }),
			headLine({ type: "fleet:terminal", data: { output: "", next, isWhole: false } }),
		];
	}

	return {
		async handle(given, { host, who }) {
			const parsed = clientFrameSchema.safeParse(given);
			if (!parsed.success)
				throw new AppError("bad-frame", `Wrong shape of ${given.type}.`, { params: { type: given.type, where: "data" } });
			const frame = parsed.data;
			switch (frame.type) {
				case "terminal:open":
					return open(idOf(host, frame.data.terminalId), frame.data.terminalId, frame.data, who.from ?? who.origin);
				case "terminal:input":
					terminals.input(idOf(host, frame.data.terminalId), frame.data.data);
					return [];
				case "terminal:resize":
					terminals.resize(idOf(host, frame.data.terminalId), frame.data.cols, frame.data.rows);
					return [];
				case "terminal:close":
					terminals.end(idOf(host, frame.data.terminalId));
					return [];
				default:
					throw new AppError("unknown-type", `Nothing here handles "${frame.type}".`, { params: { type: frame.type } });
			}
		},
		endOf: opened.endOf,
		async read(host, terminalId, from) {
			const id = idOf(host, terminalId);
			const found = watched.get(id);
			if (found === undefined) throw new AppError("terminal-not-found", "This terminal has ended. Open a new one.");
			keep(id, found);
			return [await nextPart(found, from, { clock, whole: () => terminals.view(id)?.scrollback })];
		},
	};
}

/** Terminals by the host that opened them: those that live on are more than those that are looked at. */
function createOpened(terminals: Pick<Terminals, "has" | "end">) {
	const byHost = new Map<string, Set<string>>();
	return {
		note(id: string): void {
			const [host = ""] = id.split(" ");
			byHost.set(host, new Set([...(byHost.get(host) ?? []), id].filter(terminals.has)));
		},
		endOf(host: string): void {
			for (const id of byHost.get(host) ?? []) if (terminals.has(id)) terminals.end(id);
			byHost.delete(host);
		},
	};
}

/** What was printed since that place; all of it for who asks for what is not kept, or for a place of another life of this terminal. */
async function nextPart(found: Watched, from: number, deps: { clock: Pick<Clock, "after">; whole(): string | undefined }): Promise<string> {
	const end = () => found.start + found.text.length;
	if (from === end() && found.exitCode === undefined) await nextWord(found, deps.clock);
	const next = end();
	const ended = found.exitCode === undefined ? {} : { exitCode: found.exitCode };
	const isWhole = from < found.start || from > next;
	const output = isWhole ? (deps.whole() ?? found.text) : found.text.slice(from - found.start);
	return headLine({ type: "fleet:terminal", data: { output, next, isWhole, ...ended } });
}

function createWatched(): Watched {
	const wake = () => {
		for (const resume of made.waiting) resume();
	};
	const made: Watched = {
		...{ start: 0, text: "", exitCode: undefined, waiting: new Set(), forget: () => undefined },
		viewer: {
			output(data) {
				made.text += data;
				const over = Math.max(0, made.text.length - MAX_WAITING_CHARS);
				made.text = made.text.slice(over);
				made.start += over;
				wake();
			},
			exit(exitCode) {
				made.exitCode = exitCode;
				wake();
			},
		},
	};
	return made;
}

/** Until it prints something, ends, or the time is over. */
function nextWord({ waiting }: Watched, clock: Pick<Clock, "after">): Promise<void> {
	return new Promise((resolve) => {
		const done = () => {
			cancel();
			waiting.delete(done);
			resolve();
		};
		const cancel = clock.after(READ_MS, done);
		waiting.add(done);
	});
}
