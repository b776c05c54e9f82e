import { useCallback, useState } from "react";
import * as z from "zod/mini";
import { writeStorage } from "../storage/write-storage.ts";

const OPTIONS_KEY = "rightseat:review";

const optionsSchema = z.object({
	style: z.catch(z.enum(["unified", "split"]), "unified"),
	ignoreWhitespace: z.catch(z.boolean(), false),
	/** Of the panel on a desk, in pixels; 0 as it comes. */
	width: z.catch(z.number(), 0),
});
export type ReviewOptions = z.infer<typeof optionsSchema>;

/** How this device likes to see changes. */
export function useReviewOptions(): [ReviewOptions, (patch: Partial<ReviewOptions>) => void] {
	const [options, setOptions] = useState(() => readOptions(localStorage));
	const change = useCallback((patch: Partial<ReviewOptions>) => {
		const next = { ...readOptions(localStorage), ...patch };
		writeStorage(localStorage, OPTIONS_KEY, JSON.stringify(next));
		setOptions(next);
	}, []);
	return [options, change];
}

export function readOptions(storage: Pick<Storage, "getItem">): ReviewOptions {
	try {
		return optionsSchema.parse(JSON.parse(storage.getItem(OPTIONS_KEY) ?? "{}"));
	} catch {
		return optionsSchema.parse({});
	}
}
