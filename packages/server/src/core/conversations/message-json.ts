import type { WholeAnswer, WholeMessage } from "../ports/whole-message.ts";

/** The whole message as JSON text, in pieces of bounded size: an answer may be too large to hold it once more in memory. */
export function* messageJson({ message, answer }: WholeMessage): Generator<string> {
	if (answer === undefined) return yield JSON.stringify(message);
	const { id, role, createdAt } = message;
	yield `${JSON.stringify({ id, role, createdAt }).slice(0, -1)},"content":`;
	yield* textJson(answer.content());
	yield* metadataJson(answer);
	yield "}";
}

function* metadataJson(answer: WholeAnswer): Generator<string> {
	yield `,"metadata":${JSON.stringify(answer.metadata).slice(0, -1)}`;
	const reasoning = answer.reasoning()[Symbol.iterator]();
	const first = reasoning.next();
	if (first.done !== true) {
		yield ',"reasoning":';
		yield* textJson(resumed(first.value, reasoning));
	}
	yield ',"tools":';
	yield* listJson(answer.tools(), (tool) => [JSON.stringify(tool)]);
	yield ',"parts":';
	yield* listJson(answer.parts, function* ({ part, text }) {
		if (part.kind === "tool" || part.kind === "steer") return yield JSON.stringify(part);
		const { content: _empty, ...rest } = part;
		yield `${JSON.stringify(rest).slice(0, -1)},"content":`;
		yield* textJson(text());
		yield "}";
	});
	yield "}";
}

function* resumed(first: string, rest: Iterator<string>): Generator<string> {
	yield first;
	for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value;
}

function* textJson(pieces: Iterable<string>): Generator<string> {
	yield '"';
	for (const piece of pieces) yield JSON.stringify(piece).slice(1, -1);
	yield '"';
}

function* listJson<T>(items: Iterable<T>, write: (item: T) => Iterable<string>): Generator<string> {
	let before = "[";
	for (const item of items) {
		yield before;
		yield* write(item);
		before = ",";
	}
	yield before === "[" ? "[]" : "]";
}
