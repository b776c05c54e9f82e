import { parseArgs } from "node:util";
import { Trouble } from "./progress.mjs";

const USAGE =
	"npm test -- [--strict] [--again 50] [-t '[PG1]'] FILE…: how often, which tests by a part of their name (again for another one), and in which files.";

/**
 * What `npm test` was told: the files that are meant, parts of the names of the tests in them, and how often they shall run.
 * @param {string[]} given
 * @returns {{ filters: string[], named: string[], again: number, strict: boolean }}
 */
export function readArguments(given) {
	const { filters, again, named, strict } = parse(given);
	const times = again === undefined ? 0 : Number(again);
	const isNarrow = again !== undefined || named.length > 0;
	if (!Number.isSafeInteger(times) || (again !== undefined && times < 1) || named.includes("") || (isNarrow && filters.length === 0))
		throw new Trouble(USAGE);
	return { filters, named, again: times, strict };
}

/** @type {string[]} */
const noNames = [];

/** @param {string[]} args */
function parse(args) {
	try {
		const { values, positionals } = parseArgs({
			args,
			options: {
				strict: { type: "boolean", default: false },
				again: { type: "string" },
				named: { type: "string", short: "t", multiple: true, default: noNames },
			},
			allowPositionals: true,
		});
		return { ...values, filters: positionals };
	} catch {
		throw new Trouble(USAGE);
	}
}
