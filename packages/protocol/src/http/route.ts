import type * as z from "zod/mini";

/** One HTTP route as outsiders may rely on it: what it takes and what it answers. `GET /api/openapi.json` is made of these. */
export interface HttpRoute {
	method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
	/** `:id` is a parameter. */
	path: string;
	/** One line for a person. */
	about: string;
	/** Needs no login. */
	isOpen?: true;
	query?: z.core.$ZodType;
	body?: z.core.$ZodType | { file: string };
	/** When it worked. */
	answers: HttpAnswer[];
	/** How it may refuse besides 400, 401, 403, 429 and 5xx. */
	refusals?: number[];
}

/** One way in which a route may answer. */
export interface HttpAnswer {
	status: number;
	/** Absent: no body. */
	body?: z.core.$ZodType | { file: string };
}

/** The answer is a file and not JSON. */
export function isFile(body: z.core.$ZodType | { file: string }): body is { file: string } {
	return "file" in body;
}

/** Answers 200 with this body. */
export const ok = (body: NonNullable<HttpAnswer["body"]>): HttpAnswer[] => [{ status: 200, body }];
/** Answers 201 with this body. */
export const created = (body: NonNullable<HttpAnswer["body"]>): HttpAnswer[] => [{ status: 201, body }];
/** Answers 204: done, with nothing to say. */
export const DONE: HttpAnswer[] = [{ status: 204 }];
