import type { ClientFrame, ClientFrameOf } from "@rightseat/protocol/frames/client";
import { AppError } from "../../../core/kernel/errors.ts";
import type { AuditLog } from "../../../core/ports/audit.ts";
import { answerTo, type OutFrame, type SendFn } from "../ws/frames.ts";
import type { Outbound } from "../ws/outbound.ts";
import type { WsHandler } from "../ws/router.ts";
import type { RemoteTerminals } from "./remote-terminals.ts";
import type { Viewer } from "./terminal.ts";
import type { Terminals } from "./terminals.ts";

/** `terminal:*` of one connection. The terminals themselves outlive it. */
export function createTerminalHandler(deps: {
	terminals: Terminals;
	outbound: Outbound;
	/** Where a terminal starts; rejects when people may not work there. */
	cwdFor(request: { cwd?: string; conversationId?: string }): Promise<string>;
	audit: AuditLog;
	source: string;
	/** In a fleet: those of other hosts. */
	remote?: RemoteTerminals | undefined;
}): WsHandler {
	const { terminals, outbound } = deps;
	const viewers = new Map<string, Viewer>();
	let gone = false;

	function viewerOf(terminalId: string, send: SendFn): Viewer {
		// A slow reader misses output and gets the whole screen again once it has caught up.
		const catchUp = () => {
			const view = terminals.view(terminalId);
			if (view !== undefined) send({ type: "terminal:opened", data: { terminalId, ...view } });
		};
		return {
			output: (data) => void outbound.offer(frameText({ type: "terminal:output", data: { terminalId, data } }), catchUp),
			exit(exitCode) {
				viewers.delete(terminalId);
				send({ type: "terminal:exit", data: { terminalId, exitCode } });
			},
		};
	}

	async function open(frame: ClientFrameOf<"terminal:open">, send: SendFn) {
		const { data } = frame;
		const { terminalId, cols, rows } = data;
		const known = viewers.get(terminalId);
		const viewer = known ?? viewerOf(terminalId, send);
		viewers.set(terminalId, viewer);
		const isNew = !terminals.has(terminalId);
		try {
			const { conversationId } = data;
			const request = { terminalId, cols, rows, cwd: () => deps.cwdFor(data), ...(conversationId === undefined ? {} : { conversationId }) };
			const view = await terminals.open(request, viewer);
			if (isNew) deps.audit.record({ kind: "terminal", source: deps.source, detail: terminalId });
			if (gone) return terminals.leave(viewer);
			send(answerTo(frame, { type: "terminal:opened", data: { terminalId, ...view } }));
		} catch (error) {
			// One that was opened before is still looked at; forgotten here, it would count as watched for ever.
			if (viewers.get(terminalId) === viewer && !terminals.isWatchedBy(terminalId, viewer)) viewers.delete(terminalId);
			throw error;
		}
	}

	function handle(frame: ClientFrame, send: SendFn): void | Promise<void> {
		const elsewhere = deps.remote?.handle(frame, send);
		if (elsewhere !== undefined) return elsewhere;
		switch (frame.type) {
			case "terminal:open":
				return open(frame, send);
			case "terminal:input":
				return terminals.input(frame.data.terminalId, frame.data.data);
			case "terminal:resize":
				return terminals.resize(frame.data.terminalId, frame.data.cols, frame.data.rows);
			case "terminal:close":
				return terminals.end(frame.data.terminalId);
			default:
				throw new AppError("unknown-type", `Nothing here handles "${frame.type}".`, { params: { type: frame.type } });
		}
	}
	return {
		handle,
		onDisconnect() {
			gone = true;
			deps.remote?.close();
			for (const viewer of viewers.values()) terminals.leave(viewer);
			viewers.clear();
		},
	};
}

const frameText = (frame: OutFrame) => JSON.stringify(frame);
