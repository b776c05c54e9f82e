import { type Beat, type HostCard, MISSED_BEATS } from "@rightseat/protocol/fleet/beat";
import type { Clock } from "../core/kernel/clock.ts";

/** What is known of the other hosts by their beats and cards. Only members have a row, so it is as bounded as they are. */
export interface HostTable {
	/** False: older than what is known, or of nobody we know. `isProven`: that run has just answered, so that whatever is known is of one that is over. */
	beat(beat: Beat, isProven?: boolean): boolean;
	/** Of another run of a silent host, and not news: recorded, or of a host that was set back in everything by which its runs are told apart. */
	isDoubtful(beat: Beat): boolean;
	card(card: HostCard): boolean;
	find(host: string): KnownHost | undefined;
	/** It counts as there, and its last beat came later than this. */
	isHeard(host: string, since: number): boolean;
	/** Hosts whose beats have stopped since the last call. */
	takeSilent(): string[];
	/** We are cut off: nobody can be heard. */
	cutOff(): void;
	/** We are back: for those who were there the time between says nothing. */
	resumed(): void;
	/** Nobody was there when it was asked: it is offline until its next beat. */
	unheard(host: string): void;
	/** It does not belong to the fleet any more. */
	drop(host: string): void;
}

export interface KnownHost {
	name: string;
	state: "online" | "offline";
	card: HostCard | undefined;
	beat: Beat | undefined;
	/** Its clock by now, never ahead of the real one: a beat that was held up makes it late. Undefined without a beat. */
	clock: number | undefined;
}

interface Row {
	card?: HostCard;
	beat?: Beat;
	/** The highest of a run that was heard: a recorded one of it is no news either. */
	highestRun: number;
	beatAt: number;
	/** Its silence counts from here on. */
	quietFrom: number;
	/** It was there when we were cut off. */
	wasHere?: boolean;
	isTold: boolean;
}

export function createHostTable(deps: { clock: Pick<Clock, "elapsed">; isMember: (host: string) => boolean }): HostTable {
	const rows = new Map<string, Row>();
	const rowOf = (host: string): Row | undefined => {
		if (!deps.isMember(host)) return undefined;
		const row = rows.get(host) ?? { highestRun: 0, beatAt: Number.NEGATIVE_INFINITY, quietFrom: Number.NEGATIVE_INFINITY, isTold: true };
		rows.set(host, row);
		return row;
	};
	const isSilent = ({ beat, quietFrom }: Row) =>
		beat === undefined || beat.isLast === true || deps.clock.elapsed() - quietFrom > MISSED_BEATS * beat.intervalMs;
	let isCutOff = false;
	return {
		beat(beat, isProven = false) {
			const row = rowOf(beat.host);
			if (row === undefined || !(isProven || isNews(row, beat, isSilent(row)))) return false;
			const now = deps.clock.elapsed();
			const highestRun = Math.max(row.highestRun, beat.run ?? 0);
			Object.assign(row, { beat, highestRun, beatAt: now, quietFrom: now, isTold: false });
			return true;
		},
		isDoubtful(beat) {
			const row = rows.get(beat.host);
			if (row?.beat === undefined || row.beat.instance === beat.instance || beat.isLast === true || !isSilent(row)) return false;
			return !isNews(row, beat, true);
		},
		card(card) {
			const row = rowOf(card.host);
			if (row === undefined) return false;
			row.card = card;
			return true;
		},
		find(host) {
			const row = rows.get(host);
			if (row === undefined) return undefined;
			const clock = row.beat === undefined ? undefined : row.beat.clock + Math.floor(deps.clock.elapsed() - row.beatAt);
			return { name: row.card?.name ?? host, state: isSilent(row) ? "offline" : "online", card: row.card, beat: row.beat, clock };
		},
		isHeard(host, since) {
			const row = rows.get(host);
			return row !== undefined && !isSilent(row) && row.beatAt > since;
		},
		takeSilent() {
			const silent = [...rows].filter(([, row]) => !row.isTold && isSilent(row));
			for (const [, row] of silent) row.isTold = true;
			return silent.map(([host]) => host);
		},
		cutOff() {
			if (isCutOff) return;
			isCutOff = true;
			for (const row of rows.values()) row.wasHere = !isSilent(row);
		},
		resumed() {
			isCutOff = false;
			for (const row of rows.values()) {
				// Its clock goes on from its last beat: only what counts as silence begins anew.
				if (row.wasHere === true) Object.assign(row, { quietFrom: deps.clock.elapsed(), isTold: false });
				row.wasHere = false;
			}
		},
		unheard(host) {
			const row = rows.get(host);
			if (row !== undefined) row.quietFrom = Number.NEGATIVE_INFINITY;
		},
		drop: (host) => void rows.delete(host),
	};
}

/** A beat that was recorded and sent again later must not bring back an older run or clock. */
function isNews({ beat: known, highestRun }: Pick<Row, "beat" | "highestRun">, beat: Beat, isSilent: boolean): boolean {
	if (known === undefined) return true;
	if (known.instance === beat.instance) return beat.number > known.number;
	// A lower one again, whatever its clock says: recorded, or the host and the engine's table were both set back. The host is asked.
	if (known.run !== undefined && beat.run !== undefined) return beat.run > highestRun;
	// One that does not tell which run it is, whose clock was set back and that started again is heard when its old run has been silent.
	return beat.clock > known.clock || isSilent;
}
