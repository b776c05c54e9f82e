import type { Position } from "@rightseat/protocol/fleet/position";
import { replyFrameSchema } from "@rightseat/protocol/frames/server";
import { fieldOf } from "@rightseat/protocol/model/field";

/** Frames that a server says about more than one conversation, or to one client only: no event has such a name. */
const REPLIES: ReadonlySet<string> = new Set(
	replyFrameSchema.def.options.map((option) => String(option.shape.type.def.values[0])).filter((type) => type !== "copilot:stream-status"),
);

/**
 * A frame of another host as readers here get it: under the id that its conversation has here. Undefined when it speaks of another conversation, of another
 * place in the log, or is no event: whoever wrote it could otherwise put words into conversations of others. It is read and written anew, because a text can
 * say a field twice. Events of a type that is not known here are passed on.
 */
export function renameEvent(frame: string, from: { conversationId: string; position: Position }, id: string): string | undefined {
	const read = readFrame(frame, from);
	return read === undefined || REPLIES.has(read.type) ? undefined : written(read, id);
}

/** The same for a snapshot. */
export function renameSnapshot(frame: string, from: { conversationId: string; position: Position }, id: string): string | undefined {
	const read = readFrame(frame, from);
	return read?.type === "copilot:snapshot" ? written(read, id) : undefined;
}

interface ReadFrame {
	type: string;
	data: object;
}

function readFrame(frame: string, { conversationId, position }: { conversationId: string; position: Position }): ReadFrame | undefined {
	let value: unknown;
	try {
		value = JSON.parse(frame);
	} catch {
		return undefined;
	}
	const [type, data] = [fieldOf(value, "type"), fieldOf(value, "data")];
	if (typeof type !== "string" || typeof data !== "object" || data === null) return undefined;
	const isRight =
		fieldOf(data, "conversationId") === conversationId &&
		fieldOf(data, "epoch") === position.epoch &&
		fieldOf(data, "seq") === position.seq;
	return isRight ? { type, data } : undefined;
}

function written({ type, data }: ReadFrame, id: string): string {
	const job = fieldOf(data, "job");
	// A job says once more whose it is; the page stops it by that.
	const renamed = typeof job === "object" && job !== null ? { job: { ...job, conversationId: id } } : {};
	return JSON.stringify({ type, data: { ...data, ...renamed, conversationId: id } });
}
