import type { Conversation } from "@rightseat/protocol/model/conversation";
import { EXIT } from "../cli-error.ts";
import type { Api } from "../connection/api.ts";
import { asCliError, sayProblem } from "../connection/say-problem.ts";
import { openSession, type Session } from "../connection/session.ts";
import type { FoundServer } from "../find-server/find-server.ts";
import { createBegunLine } from "../terminal/begun-line.ts";
import { paintFor } from "../terminal/colour.ts";
import { createFloor } from "../terminal/floor.ts";
import { createLineEditor } from "../terminal/line-editor.ts";
import type { Look } from "../terminal/look.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { wordsIn } from "../words.ts";
import { openFace } from "./attach-face.ts";
import { takeInput } from "./attach-input.ts";
import { createAttention } from "./attention.ts";
import type { CommandContext } from "./command.ts";
import { createLeaving } from "./leaving.ts";
import { createStopping } from "./stopping.ts";

/** Shown of what was said before; the page has all of it. */
const HISTORY = 6;

/** Follows a conversation until the person leaves. Gives the exit code. */
export function runAttach(run: { server: FoundServer; api: Api; conversation: Conversation; context: CommandContext }): Promise<number> {
	const { server, api, conversation, context } = run;
	const { stdin, stdout } = context;
	const { id: conversationId } = conversation;
	const words = wordsIn(context.language);
	const look: Look = { words, paint: paintFor(stdout, context.env), columns: () => stdout.columns || 80 };

	return new Promise<number>((resolve, reject) => {
		const face = openFace({ stdout, look, typed: (columns) => editor.view(columns) });
		const { transcript, print, note, draw } = face;
		const floor = createFloor(conversationId, look);
		const begun = createBegunLine(() => floor.current?.requestId);
		const saySeen = (isVisible: boolean, onAnswered?: () => void) =>
			session.deliver({ type: "presence:set", data: { visible: isVisible, conversationId } }, onAnswered) !== false;
		const attention = createAttention((isVisible) => void saySeen(isVisible));
		const leaving = createLeaving({
			finish() {
				attention.close();
				editor.close();
				face.close();
			},
			close() {
				release();
				session.close();
			},
			// Whoever leaves was here; a line that is gone is not waited for.
			isSeen: () => !face.isAway,
			saySeen: (onAnswered) => saySeen(true, onAnswered),
		});
		function quit(code: number): void {
			leaving.leave(
				() => stdout.write(`${look.paint(words.left(conversationId), "dim")}\n`),
				() => resolve(code),
			);
		}

		const stopping = createStopping({
			conversationId,
			state: () => transcript.state,
			deliver: (frame) => session.deliver(frame),
			now: () => performance.now(),
		});
		function interrupt() {
			if (leaving.isOver()) return quit(EXIT.ctrlC);
			if (!editor.isEmpty) return void editor.clear();
			if (!stopping.press()) return quit(EXIT.ctrlC);
			note(words.stopping);
		}

		function lookAround(isRedrawn: boolean): void {
			print(floor.look(transcript.asks(), isRedrawn));
			stopping.look();
			attention.look(transcript.state.status === "streaming");
			draw();
		}

		const editor = createLineEditor(stdin, {
			onLine(typed) {
				takeInput(typed, {
					...{ conversationId, api, look, transcript, floor, begun, print, keep: editor.keep },
					async sayFailure(error) {
						const said = await asCliError(error, server.url, context.language);
						return said instanceof Error ? said.message : String(said);
					},
					deliver(frame) {
						const isTaken = session.deliver(frame) !== false;
						if (isTaken) stopping.sent(frame);
						return isTaken;
					},
					stop: () => (stopping.stop() ? undefined : note(words.nothingRuns)),
					quit: () => quit(EXIT.done),
				});
			},
			onChange() {
				begun.look(editor.isEmpty);
				attention.key();
				draw();
			},
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
					lookAround(false);
				},
				onSnapshot(snapshot) {
					transcript.snapshot(snapshot, HISTORY);
					lookAround(true);
				},
				onUnknown: () => undefined,
				onReply(frame) {
					if (frame.type !== "error" && frame.type !== "copilot:nack") return;
					if ("clientMessageId" in frame.data && frame.data.clientMessageId !== undefined) stopping.refused(frame.data.clientMessageId);
					void sayProblem(frame.data, context.language).then((said) => {
						print([
							`${look.paint("!", "red", "bold")} ${safeLine(said)}`,
							...(frame.data.code === "form-invalid" ? (floor.current?.rows() ?? []) : []),
						]);
						if (frame.data.code === "conversation-not-found") quit(EXIT.failed);
					});
				},
				onBack: () => face.setAway(false),
				onLost: () => face.setAway(true),
				onFailed: (error) => leaving.fail(() => reject(error)),
			},
		);
		print([
			look.paint(safeLine(words.attachedTo(conversation.title, conversation.agent, conversation.cwd)), "bold"),
			look.paint(words.attachHint, "dim"),
		]);
		attention.key();
		draw();
	});
}
