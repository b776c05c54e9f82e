import { type AnswerHead, answerHeadSchema } from "@rightseat/protocol/fleet/requests";

/** The first line of an answer between hosts, written. */
export const headLine = (head: AnswerHead): string => JSON.stringify(head);

/** And read; undefined when the answer is of another kind. */
export function readHead(lines: readonly string[]): AnswerHead | undefined {
	const parsed = answerHeadSchema.safeParse(parseLine(lines[0] ?? ""));
	return parsed.success ? parsed.data : undefined;
}

/** JSON that another host wrote; undefined when it is none. */
export function parseLine(line: string): unknown {
	try {
		const value: unknown = JSON.parse(line);
		return value;
	} catch {
		return undefined;
	}
}
