import { messageAnswer, messagesAnswer } from "@rightseat/protocol/http/conversations";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { Message } from "@rightseat/protocol/model/message";
import type { TurnOutcome } from "@rightseat/protocol/model/vocabulary";
import type { CodedMessage } from "@rightseat/protocol/sentences/say-coded";
import { CliError, EXIT } from "../cli-error.ts";
import { type Api, createApi } from "../connection/api.ts";
import { asCliError, sayProblem } from "../connection/say-problem.ts";
import { openSession, type Session, type SessionEvents } from "../connection/session.ts";
import type { FoundServer } from "../find-server/find-server.ts";
import { type AskView, createAskView } from "./ask-view.ts";
import { type AskedTurn, followAsked } from "./asked-turn.ts";
import type { CommandContext } from "./command.ts";
import { createLeaving } from "./leaving.ts";

export interface AskRun {
	server: FoundServer;
	conversation: Conversation;
	prompt: string;
	clientMessageId: string;
	context: CommandContext;
	isJson: boolean;
	timeoutMs: number | undefined;
	/** Who hears a Ctrl-C from now on. */
	onInterrupt(listener: () => void): void;
}

/** Pages of a hundred messages in which an answer is looked for. */
const MAX_SEARCHED_PAGES = 20;

const EXITS: Readonly<Record<TurnOutcome, number>> = {
	completed: EXIT.done,
	error: EXIT.failed,
	aborted: EXIT.interrupted,
	interrupted: EXIT.interrupted,
};

/** Sends the prompt and stays until its turn has ended. Gives the exit code. */
export function runAsk(run: AskRun): Promise<number> {
	const { server, context, clientMessageId } = run;
	const { id: conversationId, epoch, headSeq } = run.conversation;
	const messagesPath = `/api/conversations/${encodeURIComponent(conversationId)}/messages`;
	const where = `${server.url}/c/${encodeURIComponent(conversationId)}`;
	const api = createApi(server);

	return new Promise<number>((resolve, reject) => {
		let isStopping = false;
		/** Something of the text is missing here; the stored answer has it. */
		let isDeferred = false;

		const view: AskView = createAskView({
			...{ context, conversationId, where, isJson: run.isJson, onInterrupt: interrupt },
			pause: () => session.pause(),
			resume: () => session.resume(),
			deliver: (frame) => session.deliver(frame) !== false,
		});
		const { words, writer } = view;
		const turn: AskedTurn = followAsked(clientMessageId, {
			onQueued: () => view.note(words.queued),
			onResting: () => view.note(words.queueRests(where)),
			onText: (messageId, content) => (isDeferred ? undefined : writer.append(messageId, content)),
			onMessage: (messageId, content) => (isDeferred ? undefined : writer.set(messageId, content)),
			onReset: (messageId) => writer.withdraw(messageId),
			onTurn(running) {
				isDeferred ||= running.truncated?.parts !== undefined || !writer.catchUp(running.parts);
			},
			onTool: view.tool,
			onAsk: view.ask,
			onAnswered: view.answered,
			onProblem: view.problem,
			onEnd: (outcome, turnId) => void end(outcome, turnId).catch(fail),
		});

		const leaving = createLeaving({
			finish() {
				clearTimeout(timer);
				view.close();
				writer.finish();
			},
			close: () => session.close(),
			// Whoever runs this in a terminal has the answer before their eyes; a script has not.
			isSeen: () => turn.state.kind === "over" && context.stdout.isTTY,
			saySeen: (onAnswered) => session.deliver({ type: "presence:set", data: { visible: true, conversationId } }, onAnswered) !== false,
		});
		function leave(code: number): void {
			const sayWhere = () => view.note(`${words.conversation} ${conversationId}  ${where}`);
			leaving.leave(sayWhere, () => resolve(code));
		}
		function fail(error: unknown): void {
			leaving.fail(() => void asCliError(error, server.url, context.language).then(reject, reject));
		}

		async function end(outcome: TurnOutcome, turnId: string | undefined): Promise<void> {
			if (isDeferred && turnId !== undefined) {
				const { message } = await api.get(`${messagesPath}/${encodeURIComponent(turnId)}`, messageAnswer);
				if (message.role === "assistant") writer.catchUp(message.metadata.parts);
			}
			if (turnId === undefined) view.note(words.dropped);
			else if (outcome === "interrupted") view.note(words.interrupted);
			else if (outcome === "aborted" && !isStopping) view.note(words.stoppedElsewhere);
			leave(isStopping ? EXIT.ctrlC : EXITS[outcome]);
		}

		/** The answer is further back than a snapshot reaches. */
		async function searchAnswer(): Promise<void> {
			isDeferred = true;
			if (!(await searchPages(api, messagesPath, turn.findAnswer))) throw new CliError(words.answerLost(where), EXIT.failed);
		}

		function interrupt() {
			if (isStopping || turn.state.kind === "over") return leave(EXIT.ctrlC);
			isStopping = true;
			view.note(words.stopping);
			stop();
		}
		/** Only what is ours: a prompt that waits is taken out of the queue, and the turn of somebody else goes on. */
		function stop(): void {
			const { state } = turn;
			if (state.kind === "queued") session.deliver({ type: "copilot:queue_drop", data: { conversationId, messageId: state.messageId } });
			if (state.kind === "running") session.deliver({ type: "copilot:abort", data: { conversationId } });
		}
		function step(act: () => void): void {
			if (leaving.isOver()) return;
			const before = turn.state.kind;
			act();
			if (isStopping && before !== turn.state.kind) stop();
		}

		const session: Session = openSession(
			server,
			{ conversationId, position: { epoch, lastSeq: headSeq } },
			{
				...listen({ view, turn, clientMessageId, step, refused }),
				onSnapshot(snapshot, text) {
					step(() => {
						view.frame(text);
						if (!turn.snapshot(snapshot)) void searchAnswer().catch(fail);
					});
				},
				onFailed: fail,
			},
		);
		function refused(problem: CodedMessage): void {
			void sayProblem(problem, context.language).then((said) => fail(new CliError(`${said} (${problem.code})`, EXIT.failed)), fail);
		}

		const timer =
			run.timeoutMs === undefined
				? undefined
				: setTimeout(() => {
						view.note(words.timedOut(where));
						leave(EXIT.failed);
					}, run.timeoutMs);
		run.onInterrupt(interrupt);
		session.deliver({ type: "copilot:send", data: { conversationId, prompt: run.prompt, clientMessageId } });
	});
}

async function searchPages(api: Api, path: string, find: (messages: readonly Message[]) => boolean): Promise<boolean> {
	let before = "";
	for (let pages = 0; pages < MAX_SEARCHED_PAGES; pages++) {
		const { messages, nextCursor } = await api.get(`${path}?limit=100${before}`, messagesAnswer);
		if (find(messages)) return true;
		if (nextCursor === undefined) return false;
		before = `&before=${encodeURIComponent(nextCursor)}`;
	}
	return false;
}

/** What the line tells, apart from snapshots and its end. */
function listen(deps: {
	view: AskView;
	turn: AskedTurn;
	clientMessageId: string;
	step(act: () => void): void;
	refused(problem: CodedMessage): void;
}): Omit<SessionEvents, "onSnapshot" | "onFailed"> {
	const { view, turn, clientMessageId } = deps;
	return {
		onEvent(frame, text) {
			deps.step(() => {
				view.frame(text);
				turn.event(frame);
			});
		},
		onUnknown: (text) => deps.step(() => view.frame(text)),
		onReply(frame, text) {
			if (!("data" in frame) || !("conversationId" in frame.data) || frame.type.startsWith("conversation:")) return;
			deps.step(() => view.frame(text));
			const isOurs = "clientMessageId" in frame.data && frame.data.clientMessageId === clientMessageId;
			if (frame.type === "copilot:ack" && isOurs) deps.step(() => turn.stored(frame.data.messageId));
			if (frame.type === "copilot:nack" && isOurs) deps.refused(frame.data);
			// Any other refusal is of an answer that somebody else gave first; this one ends everything.
			if (frame.type === "error" && frame.data.code === "conversation-not-found") deps.refused(frame.data);
		},
		onBack: () => deps.step(() => view.note(view.words.back)),
		onLost: () => deps.step(() => view.note(view.words.lost)),
	};
}
