import * as z from "zod/mini";

/** What lies over the conversation on a phone: a panel, and in that of files perhaps one file. */
export interface Place {
	panel: "terminal" | "processes" | "review" | "files" | "inbox" | "setup";
	file?: string | undefined;
}

const placeSchema = z.object({
	panel: z.enum(["terminal", "processes", "review", "files", "inbox", "setup"]),
	file: z.optional(z.string()),
});
const entrySchema = z.object({
	place: placeSchema,
	/** What the entry before shows, when that is a place too. */
	below: z.optional(placeSchema),
	/** How many entries lead back to the conversation. */
	depth: z.number(),
});

export interface PanelHistory {
	/** The page shows this now, by whatever way: the entry on top becomes one of it. */
	follow(place: Place | undefined): void;
	/** The browser went somewhere. Returns what the entry there shows, or "ours" for a step that `follow` took. */
	moved(): { place: Place | undefined } | "ours";
	/** What the entry on top shows: of a page that was loaded again. */
	current(): Place | undefined;
}

/**
 * Entries of the browser's history for what covers the conversation, so that Back closes it and Forward opens it again. Closing it by a button
 * goes back itself: no entry is left that would do nothing.
 */
export function createPanelHistory(history: Pick<History, "state" | "pushState" | "replaceState" | "go">): PanelHistory {
	// A step back is done some time after it was asked for; until then the entry on top is not the one that counts.
	let leaving = false;
	let wanted: Place | undefined;
	const top = () => {
		const read = z.safeParse(z.object({ over: entrySchema }), history.state);
		return read.success ? read.data.over : undefined;
	};
	const leave = (steps: number) => {
		leaving = true;
		history.go(-steps);
	};
	function settle(): void {
		const entry = top();
		if (leaving || isSame(entry?.place, wanted)) return;
		if (wanted === undefined) {
			if (entry !== undefined) leave(entry.depth);
		} else if (entry === undefined) write("pushState", { place: wanted, depth: 1 });
		else if (entry.below !== undefined && isSame(entry.below, wanted)) leave(1);
		else if (entry.place.panel === wanted.panel && entry.place.file === undefined)
			write("pushState", { place: wanted, below: entry.place, depth: entry.depth + 1 });
		else write("replaceState", { ...entry, place: wanted });
	}
	const write = (how: "pushState" | "replaceState", over: z.infer<typeof entrySchema>) => history[how]({ over }, "");

	return {
		follow(place) {
			wanted = place;
			settle();
		},
		moved() {
			if (!leaving) {
				wanted = top()?.place;
				return { place: wanted };
			}
			leaving = false;
			settle();
			return "ours";
		},
		current: () => top()?.place,
	};
}

const isSame = (one: Place | undefined, other: Place | undefined) => one?.panel === other?.panel && one?.file === other?.file;
