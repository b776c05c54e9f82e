import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import type { AppError } from "../../core/kernel/errors.ts";
import { toAppError } from "../../core/kernel/errors.ts";
import { type ConversationId, conversationId } from "../../core/kernel/ids.ts";
import type { FleetOwner } from "../../core/ports/fleet.ts";
import type { HostKeys } from "../crypto/host-keys.ts";
import type { Sealer } from "../crypto/seal.ts";
import { MAX_LISTED } from "../hosts/entries.ts";
import type { Copies } from "../snapshots/copies.ts";
import { sealSnapshot } from "../snapshots/snapshot-parts.ts";

/** Of a conversation that goes on, a copy is made so often. */
const COPY_EVERY_MS = 10_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
/** A server that stops waits no longer for the copies that are left. */
const CLOSE_MS = 2_000;
/** Copies are for later: they must not take the line from what people read now. */
const BYTES_PER_MS = 2_000;

/** Keeps a copy of the newest conversations of this host with the engine, for the time that this host is away. */
export interface CopyKeeper {
	/** An event of this conversation; `isEnd`: a turn or a question stands still now. */
	changed(id: ConversationId, isEnd: boolean): void;
	deleted(id: ConversationId): void;
	/** What was kept may be gone: everything is kept again, the newest first. */
	keepAll(): void;
	/** Why the last copy was not kept. */
	problem(): AppError | undefined;
	/** `keepsRest`: what is left is kept now, if the engine is quick. */
	close(how: { keepsRest: boolean }): Promise<void>;
}

interface KeeperDeps {
	fleet: string;
	keys: HostKeys;
	sealer: Sealer;
	copies: Copies;
	owner: Pick<FleetOwner, "conversations" | "snapshot">;
	maxBytes: () => number;
	clock: Clock;
	onChange(): void;
}

export function createCopyKeeper(deps: KeeperDeps): CopyKeeper {
	const { clock, copies, owner, fleet, keys } = deps;
	/** When each is due, by the monotonic clock. At most as many as are listed. */
	const due = new Map<ConversationId, number>();
	let problem: AppError | undefined;
	let retryMs = FIRST_RETRY_MS;
	let [isRunning, isClosed] = [false, false];
	let cancel: Cancel = () => undefined;

	function want(id: ConversationId, at: number): void {
		const known = due.get(id);
		if (known !== undefined && known <= at) return;
		due.set(id, at);
		// Whatever is due last gives way: it is the oldest, or comes again with its next word.
		const [last] = due.size > MAX_LISTED ? [...due].sort(([, a], [, b]) => b - a) : [];
		if (last !== undefined) due.delete(last[0]);
		schedule();
	}
	function schedule(): void {
		if (isRunning || isClosed || due.size === 0) return;
		cancel();
		const next = Math.min(...due.values());
		cancel = clock.after(Math.max(0, next - clock.elapsed()), () => void run());
	}
	async function run(): Promise<void> {
		isRunning = true;
		for (const id of takeReady()) {
			if (isClosed) break;
			const bytes = await keep(id);
			if (bytes === "failed") {
				want(id, clock.elapsed() + retryMs);
				await pause(retryMs);
				retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
			} else if (bytes > 0) await pause(bytes / BYTES_PER_MS);
		}
		isRunning = false;
		schedule();
	}
	/** Those that are due, one by one; one that was not taken stays. */
	function* takeReady(): Generator<ConversationId> {
		const ready = [...due].filter(([, at]) => at <= clock.elapsed()).sort(([, a], [, b]) => a - b);
		for (const [id] of ready) if (due.delete(id)) yield id;
	}
	async function keepRest(): Promise<void> {
		for (const id of [...due.keys()]) {
			due.delete(id);
			if ((await keep(id)) === "failed") return;
		}
	}
	async function keep(id: ConversationId): Promise<number | "failed"> {
		try {
			const snapshot = await owner.snapshot(id);
			if (snapshot === undefined) return 0;
			const place = { fleet, host: keys.host, conversationId: id };
			const parts = await sealSnapshot(keys, deps.sealer, place, { ...snapshot, at: clock.now() }, deps.maxBytes());
			if (parts !== undefined) await copies.keep(parts);
			say(undefined);
			retryMs = FIRST_RETRY_MS;
			return parts?.reduce((sum, { bytes }) => sum + bytes.length, 0) ?? 0;
		} catch (error) {
			say(toAppError(error));
			return "failed";
		}
	}
	const say = (next: AppError | undefined) => {
		const isNew = problem?.code !== next?.code;
		problem = next;
		if (isNew) deps.onChange();
	};
	const pause = (ms: number) =>
		new Promise<void>((resolve) => {
			const end = clock.after(ms, resolve);
			wake = () => {
				end();
				resolve();
			};
		});
	let wake = (): void => undefined;

	return {
		changed: (id, isEnd) => want(id, clock.elapsed() + (isEnd ? 0 : COPY_EVERY_MS)),
		deleted(id) {
			due.delete(id);
			// A copy that stays is gone after thirty days.
			copies.drop(`rs.${fleet}.snap.${keys.host}.${id}.*`).catch(() => undefined);
		},
		keepAll() {
			retryMs = FIRST_RETRY_MS;
			wake();
			const now = clock.elapsed();
			for (const [index, { id }] of owner.conversations(MAX_LISTED).entries()) want(conversationId(id), now + index);
		},
		problem: () => problem,
		async close({ keepsRest }) {
			isClosed = true;
			cancel();
			wake();
			if (!keepsRest) return;
			await new Promise<void>((resolve) => {
				const giveUp = clock.after(CLOSE_MS, resolve);
				void keepRest().then(() => {
					giveUp();
					resolve();
				});
			});
		},
	};
}
