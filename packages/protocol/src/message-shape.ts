import { fieldOf } from "./model/field.ts";

/**
 * Whether a message has the shape that its type claims, for what our own processes say to each other. They must start quickly, so they load no schema
 * library; every field of every kind is named, or it does not compile.
 */
export type Check = (value: unknown) => boolean;

/** One check for every field of a message. */
export type Shape<M> = { [F in Exclude<keyof M, "kind">]-?: Check };
/** A shape for every kind of message. */
export type Shapes<M extends { kind: string }> = { [K in M["kind"]]: Shape<Extract<M, { kind: K }>> };

/** A string, of any length. */
export const isText: Check = (value) => typeof value === "string";
/** A number, `NaN` included. */
export const isNumber: Check = (value) => typeof value === "number";
/** True or false. */
export const isFlag: Check = (value) => typeof value === "boolean";
/** One of these strings. */
export const oneOf =
	(...values: readonly string[]): Check =>
	(value) =>
		typeof value === "string" && values.includes(value);
/** Missing, or what the check says. */
export const optional =
	(check: Check): Check =>
	(value) =>
		value === undefined || check(value);
/** Null, or what the check says. */
export const orNull =
	(check: Check): Check =>
	(value) =>
		value === null || check(value);
/** A list in which every entry passes. */
export const listOf =
	(check: Check): Check =>
	(value) =>
		Array.isArray(value) && value.every(check);
/** An object in which every value passes. */
export const recordOf =
	(check: Check): Check =>
	(value) =>
		typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(check);

/** True when every field of the shape is there and passes; fields beside it are not looked at. */
export function hasShape<M extends object>(value: unknown, shape: Shape<M>): boolean {
	if (typeof value !== "object" || value === null) return false;
	return Object.entries<Check>(shape).every(([name, check]) => check(fieldOf(value, name)));
}

/** One of the messages of a union that are told apart by their `kind`. */
export function isOneOf<M extends { kind: string }>(message: unknown, shapes: Shapes<M>): message is M {
	const known = Object.entries<Shape<{ kind: string }>>(shapes).find(([kind]) => kind === fieldOf(message, "kind"));
	return known !== undefined && hasShape(message, known[1]);
}
