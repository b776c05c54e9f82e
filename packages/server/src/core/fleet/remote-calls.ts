import type { FleetCommand } from "@rightseat/protocol/fleet/command";
import { type FleetHttp, fleetTypeOf } from "@rightseat/protocol/fleet/requests";
import { errorAnswer } from "@rightseat/protocol/http/error";
import type { Actor } from "../kernel/actor.ts";
import { AppError, ERROR_CODES } from "../kernel/errors.ts";
import type { Fleet, FleetRequest } from "../ports/fleet.ts";
import { parseLine, readHead } from "./answer-lines.ts";
import { fetchWhole } from "./long-answers.ts";

/** What came of a request over HTTP on another host. */
export interface HttpAnswer {
	status: number;
	headers: Record<string, string>;
	body: string;
	/** Of bytes that are no text. */
	isBase64: boolean;
}

/** Where something is asked for: a host, and the conversation there if it is about one. */
export interface Place {
	host: string;
	conversationId?: string | undefined;
}

/** Asks other hosts and puts their answers together. Everything rejects with AppError, as `Fleet.command` does. */
export interface RemoteCalls {
	ask(place: Place, frame: FleetCommand["frame"], who: Actor): Promise<string[]>;
	/** Any answer, also one that says no. */
	http(place: Place, request: FleetHttp, who: Actor): Promise<HttpAnswer>;
	/** The JSON of an answer that says yes; rejects with what the host says else. */
	json(place: Place, request: FleetHttp, who: Actor): Promise<unknown>;
	/** The same for what is no text. */
	bytes(place: Place, request: FleetHttp, who: Actor): Promise<Uint8Array>;
	bring: BringFiles;
	/** What the body of an answer that says no means. */
	refusal(body: string): AppError;
	parse(body: string): unknown;
}

/** Brings attachments of this host to another one, each once; the ids that they have there. */
export type BringFiles = (host: string, ids: readonly string[], who: Actor) => Promise<string[]>;

/** What a host of an unknown sender is told: nobody in particular. */
export const SOMEBODY: Actor = { origin: "api" };

/** With a fence whoever is asked refuses what a later holder of the task has overtaken. */
export function createRemoteCalls(
	fleet: Pick<Fleet, "command">,
	bring: BringFiles,
	fence: () => FleetRequest["fence"] = () => undefined,
): RemoteCalls {
	async function ask({ host, conversationId }: Place, frame: FleetCommand["frame"], { origin, from }: Actor): Promise<string[]> {
		const actor = { origin, ...(from === undefined ? {} : { from: from.slice(0, 200) }) };
		const under = fence();
		const send = (each: FleetCommand["frame"]) =>
			fleet.command({ to: host, conversationId, actor, frame: each, ...(under === undefined ? {} : { fence: under }) });
		return fetchWhole(send, send(frame));
	}
	async function http(place: Place, request: FleetHttp, who: Actor): Promise<HttpAnswer> {
		const type = fleetTypeOf(request.method, request.path);
		if (type === undefined) throw new AppError("unknown-type", "No host does this for another.", { params: { type: request.path } });
		const lines = await ask(place, { type, data: { ...request } }, who);
		const head = readHead(lines);
		if (head?.type !== "fleet:http") throw unreadable();
		return { ...head.data, body: lines[1] ?? "" };
	}
	return {
		ask,
		http,
		async json(place, request, who) {
			const { status, body } = await http(place, request, who);
			if (status < 400) return parseLine(body);
			throw refusalOf(body);
		},
		async bytes(place, request, who) {
			const { status, body, isBase64 } = await http(place, request, who);
			if (status >= 400) throw refusalOf(body);
			return isBase64 ? Uint8Array.from(atob(body), (char) => char.charCodeAt(0)) : new TextEncoder().encode(body);
		},
		bring,
		refusal: refusalOf,
		parse: parseLine,
	};
}

function refusalOf(body: string): AppError {
	const parsed = errorAnswer.safeParse(parseLine(body));
	if (!parsed.success) return unreadable();
	const { code, message, params } = parsed.data.error;
	return new AppError(ERROR_CODES.find((each) => each === code) ?? "fleet-refused", message, { params });
}

export const unreadable = () =>
	new AppError("fleet-refused", "The host gave an answer that cannot be read here. It may have another version of Rightseat.");

/** What another host says, if it has the shape that was asked for. */
export function readWith<T>(schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } }, value: unknown): T {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	throw unreadable();
}
