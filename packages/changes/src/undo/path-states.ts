import type { PathState } from "../model.ts";

/** The same in everything that can be put back. */
export function isSameState(one: PathState, other: PathState): boolean {
	return isSameContent(one, other) && modeOfState(one) === modeOfState(other);
}

/** The same but for permission bits. */
export function isSameContent(one: PathState, other: PathState): boolean {
	switch (one.kind) {
		case "absent":
		case "folder":
			return other.kind === one.kind;
		case "file":
			return other.kind === "file" && other.hash === one.hash;
		case "link":
			return other.kind === "link" && other.target === one.target;
		case "unknown":
			return false;
	}
}

/** A file or a link: one name for one content. */
export const isEntry = (state: PathState): boolean => state.kind === "file" || state.kind === "link";

/** Each bit by itself: what now differs from the base stays, the rest becomes theirs. */
export const mergeMode = ({ base, now, theirs }: { base: number; now: number; theirs: number }): number =>
	(now & (now ^ base)) | (theirs & ~(now ^ base) & 0o7777);

const modeOfState = (state: PathState): number => (state.kind === "file" || state.kind === "folder" ? state.mode : 0);
