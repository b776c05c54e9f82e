import type { Words } from "../words.ts";
import type { Paint } from "./colour.ts";

/** How things are drawn: with which words and colours, and how wide. */
export interface Look {
	words: Words;
	paint: Paint;
	columns(): number;
}
