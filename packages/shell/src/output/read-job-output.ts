import { filterLines } from "./filter.ts";
import { boundText } from "./model-text.ts";
import type { Output } from "./output.ts";

export interface ReadRequest {
	filter?: string | undefined;
	/** Only what no earlier such call has given. */
	newOnly: boolean;
	limit: number;
}

/** What `BashOutput` reads. New text is given once: as it stands, or with a filter by finished lines, whether they match or not. */
export async function readJobOutput(output: Output, { filter, newOnly, limit }: ReadRequest): Promise<{ ok: boolean; text: string }> {
	if (!newOnly) {
		if (filter === undefined) return { ok: true, text: output.view(limit) };
		return filterLines(output.held(), filter, { limit, hint: output.hint() });
	}
	const fresh = output.newText();
	if (filter === undefined) {
		fresh.take("all");
		return { ok: true, text: boundText(fresh.all, limit, output.hint()).text };
	}
	// Before anything is awaited: a second call must not get the same.
	const giveBack = fresh.take("lines");
	const found = await filterLines(fresh.lines, filter, { limit, hint: output.hint() });
	// A filter that is refused has given nothing.
	if (!found.ok) giveBack();
	return found;
}
