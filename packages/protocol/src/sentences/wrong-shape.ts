import type * as z from "zod/mini";

/** What is wrong with a value, and where in it. */
export interface WrongShape {
	/** Names and places joined by dots; empty: the value itself. */
	field: string;
	problem: string;
}

/** zod's own word where nothing was configured. */
const WITHOUT_WORDS = "Invalid input";
const NOT_TOLD = "This is not valid.";
const MISSING = "This is missing";

/** The first thing that is wrong. Of a union it is what is wrong with the member that was most likely meant: "invalid" alone helps nobody. */
export function firstProblem(issues: readonly z.core.$ZodIssue[]): WrongShape {
	const [issue] = issues;
	if (issue === undefined) return { field: "", problem: NOT_TOLD };
	const within = isUntold(issue) ? issuesWithin(issue) : [];
	const { field, problem } = within.length === 0 ? { field: "", problem: issue.message } : firstProblem(within);
	return { field: [...issue.path.map(String), ...(field === "" ? [] : [field])].join("."), problem };
}

/** In one line: `"title": Give text, not a number.` */
export function sayWrongShape({ field, problem }: WrongShape): string {
	return field === "" ? problem : `"${field}": ${problem}`;
}

/** For `z.config`: what zod says where a schema has no sentence of its own. It quotes nothing that was given, which may be a secret. */
export const plainWords = { localeError: sayIssue } satisfies z.core.$ZodConfig;

const isUntold = ({ message }: z.core.$ZodIssue) => message === NOT_TOLD || message === WITHOUT_WORDS;

function issuesWithin(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
	switch (issue.code) {
		case "invalid_union":
			return issue.errors.toSorted((one, other) => distance(one) - distance(other))[0] ?? [];
		case "invalid_key":
		case "invalid_element":
			return issue.issues;
		default:
			return [];
	}
}

/** How far a value is from a member of a union: a field that is missing is a stronger sign than one that is wrong. */
function distance(issues: readonly z.core.$ZodIssue[]): number {
	return issues.length + issues.filter(({ message }) => message.startsWith(MISSING)).length;
}

function sayIssue(issue: z.core.$ZodRawIssue): string {
	switch (issue.code) {
		case "invalid_type": {
			const wanted = nameOfType(String(issue.expected));
			if (issue.input === undefined) return `${MISSING}: give ${wanted}.`;
			return `Give ${wanted}, not ${issue.expected === "int" && typeof issue.input === "number" ? "a fraction" : nameOfValue(issue.input)}.`;
		}
		case "invalid_value":
			return `Give ${oneOf((issue.values ?? []).map(String))}.`;
		case "too_big":
			return tooBig(issue.origin, Number(issue.maximum), issue.inclusive !== false);
		case "too_small":
			return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive !== false);
		case "unrecognized_keys":
			return `There is no field ${oneOf((issue.keys ?? []).map((key) => `"${key.slice(0, 40)}"`))} here.`;
		default:
			return NOT_TOLD;
	}
}

const TYPES: ReadonlyMap<string, string> = new Map([
	["string", "text"],
	["number", "a number"],
	["int", "a whole number"],
	["boolean", "true or false"],
	["array", "a list"],
	["object", "an object"],
	["record", "an object"],
]);
const nameOfType = (type: string) => TYPES.get(type) ?? type;

function nameOfValue(value: unknown): string {
	if (value === null) return "null";
	return nameOfType(Array.isArray(value) ? "array" : typeof value);
}

function tooBig(origin: unknown, most: number, isInclusive: boolean): string {
	if (origin === "string") return `Give at most ${most} characters.`;
	if (origin === "array") return `Give at most ${most} of these.`;
	return isInclusive ? `Give at most ${most}.` : `Give less than ${most}.`;
}

function tooSmall(origin: unknown, least: number, isInclusive: boolean): string {
	if (origin === "string") return least === 1 ? "This is empty." : `Give at least ${least} characters.`;
	if (origin === "array") return least === 1 ? "This list is empty." : `Give at least ${least} of these.`;
	return isInclusive ? `Give at least ${least}.` : `Give more than ${least}.`;
}

function oneOf(values: readonly string[]): string {
	const last = values.at(-1) ?? "something else";
	return values.length < 2 ? last : `${values.slice(0, -1).join(", ")} or ${last}`;
}
