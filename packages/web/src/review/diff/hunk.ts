import type { DiffLine, Hunk as WireHunk } from "@rightseat/protocol/model/change";

export type Hunk = Readonly<WireHunk>;
export type HunkLine = Readonly<DiffLine>;

/** The side of a diff: the file as it was, or as it became. */
export type Side = "old" | "new";

export const sideOf = (line: HunkLine): Side => (line.kind === "-" ? "old" : "new");
export const numberOf = (line: HunkLine): number => (line.kind === "-" ? line.oldNumber : line.newNumber) ?? 0;
