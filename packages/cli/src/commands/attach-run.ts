import type { Conversation } from "@rightseat/protocol/model/conversation";
import { EXIT } from "../cli-error.ts";
import type { Api } from "../connection/api.ts";
import { sayProblem } from "../connection/say-problem.ts";
import { openSession, type Session } from "../connection/session.ts";
import type { FoundServer } from "../find-server/find-server.ts";
import { paintFor } from "../terminal/colour.ts";
import { createLineEditor } from "../terminal/line-editor.ts";
import type { Look } from "../terminal/look.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { createScreen } from "../terminal/screen.ts";
import { createTranscript } from "../terminal/transcript.ts";
import { wordsIn } from "../words.ts";
import { takeInput } from "./attach-input.ts";
import type { CommandContext } from "./command.ts";
import { createStopping } from "./stopping.ts";

/** Shown of what was said before; the page has all of it. */
const HISTORY = 6;
/** Pasted text comes as one piece, line breaks and all. */
const PASTE = { on: "\u001b[?2004h", off: "\u001b[?2004l" };

/** Follows a conversation until the person leaves. Gives the exit code. */
export function runAttach(run: { server: FoundServer; api: Api; conversation: Conversation; context: CommandContext }): Promise<number> {
	const { server, api, conversation, context } = run;
	const { stdin, stdout } = context;
	const { id: conversationId } = conversation;
	const words = wordsIn(context.language);
	const look: Look = { words, paint: paintFor(stdout, context.env), columns: () => stdout.columns || 80 };
	const screen = createScreen(stdout);

	return new Promise<number>((resolve, reject) => {
		let isOver = false;
		let isAway = false;

		function print(rows: readonly string[]): void {
			if (isOver || rows.length === 0) return;
			screen.print(rows);
			// Whoever draws at once does it in the same write; this is for what comes later.
			queueMicrotask(draw);
		}
		const note = (text: string) => print([look.paint(text, "dim")]);
		const transcript = createTranscript(look, print);

		function draw(): void {
			if (isOver) return;
			const { row, column } = editor.view(look.columns());
			screen.foot([...transcript.open(), ...(isAway ? [look.paint(words.lost, "dim")] : []), row], column);
		}

		function end(act: () => void): void {
			if (isOver) return;
			isOver = true;
			release();
			stdout.off("resize", draw);
			editor.close();
			session.close();
			screen.close();
			stdout.write(PASTE.off);
			act();
		}
		function quit(code: number): void {
			end(() => {
				stdout.write(`${look.paint(words.left(conversationId), "dim")}\n`);
				resolve(code);
			});
		}

		const stopping = createStopping({
			conversationId,
			state: () => transcript.state,
			deliver: (frame) => session.deliver(frame),
			now: () => performance.now(),
		});
		function interrupt() {
			if (!editor.isEmpty) return void editor.clear();
			if (!stopping.press()) return quit(EXIT.ctrlC);
			note(words.stopping);
		}

		const editor = createLineEditor(stdin, {
			onLine(typed) {
				takeInput(typed, {
					...{ conversationId, api, look, transcript, print },
					deliver(frame) {
						const isTaken = session.deliver(frame) !== false;
						if (isTaken) stopping.sent(frame);
						return isTaken;
					},
					stop: () => (stopping.stop() ? undefined : note(words.nothingRuns)),
					quit: () => quit(EXIT.done),
				});
			},
			onChange: draw,
			onInterrupt: interrupt,
			onEnd: () => quit(EXIT.done),
		});
		const release = context.onInterrupt(interrupt);

		const session: Session = openSession(
			server,
			{ conversationId },
			{
				onEvent(frame) {
					transcript.event(frame);
					stopping.look();
					draw();
				},
				onSnapshot(snapshot) {
					transcript.snapshot(snapshot, HISTORY);
					stopping.look();
					draw();
				},
				onUnknown: () => undefined,
				onReply(frame) {
					if (frame.type !== "error" && frame.type !== "copilot:nack") return;
					if ("clientMessageId" in frame.data && frame.data.clientMessageId !== undefined) stopping.refused(frame.data.clientMessageId);
					void sayProblem(frame.data, context.language).then((said) => {
						print([`${look.paint("!", "red", "bold")} ${safeLine(said)}`]);
						if (frame.data.code === "conversation-not-found") quit(EXIT.failed);
					});
				},
				onBack() {
					isAway = false;
					draw();
				},
				onLost() {
					isAway = true;
					draw();
				},
				onFailed: (error) => end(() => reject(error)),
			},
		);
		stdout.on("resize", draw);
		stdout.write(PASTE.on);
		print([
			look.paint(safeLine(words.attachedTo(conversation.title, conversation.agent, conversation.cwd)), "bold"),
			look.paint(words.attachHint, "dim"),
		]);
		draw();
	});
}
