import type { ClientFrame } from "@rightseat/protocol/frames/client";
import type { CodedMessage } from "@rightseat/protocol/sentences/say-coded";
import { sayProblem } from "../connection/say-problem.ts";
import { type AnswerWriter, createAnswerWriter } from "../terminal/answer-writer.ts";
import { createAnswering } from "../terminal/answering.ts";
import { type Ask, describeAsk } from "../terminal/asks.ts";
import { paintFor } from "../terminal/colour.ts";
import { safeJson } from "../terminal/output.ts";
import { createPerson } from "../terminal/person.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { toolLine } from "../terminal/tool-line.ts";
import { type Words, wordsIn } from "../words.ts";
import type { CommandContext } from "./command.ts";

/** What `ask` shows: the answer on standard output, everything else on standard error. */
export interface AskView {
	words: Words;
	writer: AnswerWriter;
	/** A frame as it came; only with `--json`. */
	frame(text: string): void;
	note(text: string): void;
	problem(problem: CodedMessage): void;
	tool(tool: Parameters<typeof toolLine>[0]): void;
	/** On a terminal the person is asked, else it says where the answer can be given. */
	ask(ask: Ask): void;
	answered(requestId: string): void;
	close(): void;
}

interface ViewDeps {
	context: CommandContext;
	conversationId: string;
	/** The page of the conversation. */
	where: string;
	isJson: boolean;
	/** Standard output is full; whoever writes holds back until `resume`. */
	pause(): void;
	resume(): void;
	deliver(frame: ClientFrame): boolean;
	onInterrupt(): void;
}

export function createAskView(deps: ViewDeps): AskView {
	const { context, isJson, where } = deps;
	const { language, stdout, stderr } = context;
	const words = wordsIn(language);
	const paint = paintFor(stderr, context.env);
	const look = { paint, words, columns: stderr.isTTY ? stderr.columns : 120 };
	const person =
		context.stdin.isTTY && stderr.isTTY
			? createPerson(context, { onInterrupt: deps.onInterrupt, onDeclined: () => note(words.waitsFor(where)) })
			: undefined;
	const tell = (...lines: readonly string[]) => void stderr.write(lines.map((line) => `${line}\n`).join(""));
	const note = (text: string) => tell(paint(text, "dim"));

	function out(text: string): void {
		if (stdout.write(text)) return;
		deps.pause();
		stdout.once("drain", deps.resume);
	}

	return {
		words,
		note,
		writer: createAnswerWriter({ write: (text) => (isJson ? undefined : out(text)), onWithdrawn: () => note(words.begunAgain) }),
		frame: (text) => (isJson ? out(`${safeJson(text)}\n`) : undefined),
		problem(problem) {
			void sayProblem(problem, language).then((said) => tell(`${paint("!", "red", "bold")} ${safeLine(said)}`));
		},
		tool: (tool) => tell(toolLine(tool, look)),
		ask(ask) {
			const lines = describeAsk(ask, look);
			if (person === undefined) return tell(...lines.slice(0, -1), paint(`  ${words.waitsFor(where)}`, "dim"));
			const answering = createAnswering(ask, deps.conversationId, look);
			person.ask(ask.request.requestId, [...lines, ...answering.rows()], (typed) => {
				const taken = answering.take(typed);
				const isTaken = "frame" in taken && deps.deliver(taken.frame);
				if (!isTaken) tell(...("frame" in taken ? [paint(words.busyHere, "dim"), ...answering.rows()] : taken.rows));
				return isTaken;
			});
		},
		answered: (requestId) => person?.forget(requestId),
		close() {
			person?.close();
			context.stdin.pause();
		},
	};
}
