import type { NotCoveredReason, PathState } from "../model.ts";

/** A state in one line of text, as the index keeps it. */
export function encodeState(state: PathState): string {
	switch (state.kind) {
		case "absent":
			return "a";
		case "file":
			return `f${state.mode.toString(8)}:${state.size}:${state.hash}`;
		case "link":
			return `l${state.target}`;
		case "folder":
			return `d${state.mode.toString(8)}`;
		case "unknown":
			return `u${state.reason}`;
	}
}

/** What `encodeState` wrote; text that it did not write is a state that nobody knows. */
export function decodeState(text: string): PathState {
	const rest = text.slice(1);
	switch (text[0]) {
		case "a":
			return { kind: "absent" };
		case "f": {
			const [mode = "", size = "", hash = ""] = rest.split(":");
			return { kind: "file", hash, size: Number(size), mode: Number.parseInt(mode, 8) };
		}
		case "l":
			return { kind: "link", target: rest };
		case "d":
			return { kind: "folder", mode: Number.parseInt(rest, 8) };
		default:
			return { kind: "unknown", reason: REASONS.find((reason) => reason === rest) ?? "expired" };
	}
}

/** The content that a written state needs. */
export const hashInCode = (text: string): string | undefined => (text.startsWith("f") ? text.slice(text.lastIndexOf(":") + 1) : undefined);

export const isSameState = (one: PathState, other: PathState): boolean => encodeState(one) === encodeState(other);

/** Every reason there is. */
export const REASONS: readonly NotCoveredReason[] = [
	...(["too-large", "unreadable", "unstable", "special", "ignored", "too-many-files", "too-slow", "not-copied"] as const),
	...(["too-much", "disk-full", "root-refused", "git-directory", "own-files", "not-answering", "recorder-down", "expired"] as const),
];
