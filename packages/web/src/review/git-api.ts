import { errorAnswer } from "@rightseat/protocol/http/error";
import {
	commitAnswer,
	type GitState,
	gitAnswer,
	pullRequestAnswer,
	pushAnswer,
	reviewAnswer,
	reviewHunksAnswer,
} from "@rightseat/protocol/http/git";
import * as z from "zod/mini";
import { ApiError, request, requestJson } from "../api/request.ts";
import type { Shown } from "./shown.ts";

const of = (id: string) => `/api/conversations/${encodeURIComponent(id)}`;
export type GitScope = "branch" | "uncommitted";

/** What a commit takes; of a file with hunks only these. */
export interface CommitChoice {
	message: string;
	paths: readonly string[];
	hunks: Readonly<Record<string, readonly string[]>>;
	seen: Readonly<Record<string, string>>;
}

/** The repository of a conversation over HTTP. Every call may throw ApiError. */
export const gitApi = {
	/** Undefined outside of any repository: an ordinary place to work, which must not stand as an error in the browser's console. */
	async state(id: string, signal: AbortSignal): Promise<GitState | undefined> {
		const response = await request(`${of(id)}/git?optional=1`, { signal });
		return response.status === 204 ? undefined : z.parse(gitAnswer, await response.json());
	},
	async review(id: string, scope: GitScope, signal: AbortSignal): Promise<Shown> {
		const { files, truncated } = await requestJson(`${of(id)}/review?scope=${scope}`, reviewAnswer, { signal });
		const sum = (of: "added" | "removed") => files.reduce((total, file) => total + file[of], 0);
		return {
			files,
			notCovered: [],
			counts: { files: files.length, added: sum("added"), removed: sum("removed") },
			...(truncated === undefined ? {} : { truncated: files.length }),
		};
	},
	hunks: (id: string, scope: GitScope, file: { path: string; ignoreWhitespace: boolean }, signal: AbortSignal) => {
		const query = new URLSearchParams({ scope, path: file.path, ...(file.ignoreWhitespace ? { whitespace: "ignore" } : {}) });
		return requestJson(`${of(id)}/review/hunks?${query}`, reviewHunksAnswer, { signal });
	},
	/** `onOutput` of these gets what hooks, signing and git print, as it comes. */
	commit: (id: string, { message, paths, hunks, seen }: CommitChoice, onOutput: (text: string) => void) =>
		watched(`${of(id)}/commit`, { message, paths, seen, ...(Object.keys(hunks).length === 0 ? {} : { hunks }) }, commitAnswer, onOutput),
	push: (id: string, onOutput: (text: string) => void) => watched(`${of(id)}/push`, {}, pushAnswer, onOutput),
	pullRequest: (id: string, given: { title: string; body: string; draft: boolean }, onOutput: (text: string) => void) =>
		watched(`${of(id)}/pull-request`, given, pullRequestAnswer, onOutput),
} as const;

const outputLine = z.object({ output: z.string() });

/** A call that tells what it does line by line; the last line is its answer, or why there is none. */
async function watched<S extends z.core.$ZodType>(
	path: string,
	json: object,
	schema: S,
	onOutput: (text: string) => void,
): Promise<z.output<S>> {
	const response = await request(path, { method: "POST", json, accept: "application/x-ndjson" });
	let last: unknown;
	for await (const line of linesOf(response)) {
		last = JSON.parse(line);
		const output = outputLine.safeParse(last);
		if (output.success) onOutput(output.data.output);
	}
	const refused = errorAnswer.safeParse(last);
	if (refused.success) throw new ApiError({ status: 409, ...refused.data.error });
	return z.parse(schema, last);
}

/** The lines of an answer as they come. */
async function* linesOf(response: Response): AsyncGenerator<string> {
	const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
	let rest = "";
	while (reader !== undefined) {
		const { done, value } = await reader.read();
		if (done) break;
		const lines = (rest + value).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) if (line !== "") yield line;
	}
	if (rest !== "") yield rest;
}
