import { remoteIdOf, splitRemoteId, splitRemoteThing } from "@rightseat/protocol/fleet/ids";
import type { FleetHttp } from "@rightseat/protocol/fleet/requests";
import { conversationAnswer } from "@rightseat/protocol/http/conversations";
import { scheduleAnswer } from "@rightseat/protocol/http/schedules";
import { usageAnswer } from "@rightseat/protocol/http/usage";
import { fieldOf } from "@rightseat/protocol/model/field";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { parseLine } from "../../../core/fleet/answer-lines.ts";
import { scheduleToHere } from "../../../core/fleet/ask-all.ts";
import type { Everywhere } from "../../../core/fleet/everywhere.ts";
import { toHere } from "../../../core/fleet/here.ts";
import type { HttpAnswer, Place } from "../../../core/fleet/remote-calls.ts";
import type { Actor } from "../../../core/kernel/actor.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { type IdSource, conversationId as toConversationId } from "../../../core/kernel/ids.ts";
import { ATTACHMENT_POLICY } from "../http/security-headers.ts";
import type { FleetCaller } from "./fleet-caller.ts";

/** These answer for conversations of other hosts by themselves: from what is known here, or by way of the outbox. */
const OWN_WAY: ReadonlySet<string> = new Set([
	"GET /api/conversations/:id",
	"GET /api/conversations/:id/messages",
	"POST /api/conversations/:id/messages",
	"GET /api/conversations/:id/forks",
]);
/** These name the host that they mean, if it is not this one. */
const NAMES_HOST: ReadonlySet<string> = new Set([
	"POST /api/conversations",
	"POST /api/schedules",
	"GET /api/directories",
	"GET /api/files",
	"GET /api/folders/setup",
	"GET /api/folders/trust",
	"PUT /api/folders/trust",
	"GET /api/agents",
	"GET /api/agents/:id/sessions",
	"GET /api/copilot/models",
]);

/** Where a request belongs, and what it is called there. */
interface Target extends Place {
	path: string;
}

/** Requests about a conversation of another host, or for another host, are carried out there; every route that has a conversation works that way. */
export function relayToHosts(
	app: FastifyInstance,
	deps: {
		everywhere: Pick<Everywhere, "calls" | "hosts">;
		conversations: Pick<EveryConversations, "find">;
		caller: FleetCaller;
		ids: IdSource;
		whoOf(request: FastifyRequest): Actor;
	},
): void {
	const isOther = (host: string) => !deps.everywhere.hosts().some(({ id, self }) => self && id === host);
	app.addHook("preHandler", async (request, reply) => {
		// What another host asks is never handed on to a third.
		if (deps.caller.current() !== undefined) return isOfThird(request) ? Promise.reject(notHere()) : undefined;
		const target = targetOf(request, (id) => deps.conversations.find(toConversationId(id)) !== undefined);
		if (target === undefined || !isOther(target.host)) return undefined;
		const { host, conversationId, path } = target;
		const answer = await deps.everywhere.calls.http({ host, conversationId }, toRequest(request, path, deps.ids), deps.whoOf(request));
		const name = deps.everywhere.hosts().find(({ id }) => id === host)?.name ?? host;
		const isUsage = path === "/api/usage" && fieldOf(request.query, "by") === "conversation";
		return send(reply, answer, (body) => (isUsage ? usageToHere(body, host) : renamed(body, host, name)));
	});
}

/** Asked by a host that it does not belong to. An attachment that another host brought has such an id and is here. */
function isOfThird(request: FastifyRequest): boolean {
	const id = fieldOf(request.params, "id");
	const isRouted = /^\/api\/(conversations|inbox|schedules)\/:id/.test(request.routeOptions.url ?? "");
	return isRouted && typeof id === "string" && splitRemoteThing(id) !== undefined;
}

function targetOf(request: FastifyRequest, isKnown: (id: string) => boolean): Target | undefined {
	const route = `${request.method} ${request.routeOptions.url ?? ""}`;
	const path = request.url.split("?")[0] ?? "";
	const id = fieldOf(request.params, "id");
	// One beyond the list of its host is asked of its host.
	if (OWN_WAY.has(route) && (typeof id !== "string" || isKnown(id))) return undefined;
	if (route.includes("/:id/shares") && typeof id === "string" && splitRemoteId(id) !== undefined) throw noLinkFromHere();
	if (route.includes(" /api/conversations/:id")) {
		const place = typeof id === "string" ? splitRemoteId(id) : undefined;
		return place && { ...place, path: path.replace(`/${id}`, `/${place.conversationId}`) };
	}
	if (route === "GET /api/attachments/:id") {
		const of = fieldOf(request.query, "conversation");
		const place = typeof of === "string" ? splitRemoteId(of) : undefined;
		return place && { host: place.host, path };
	}
	if (route.includes(" /api/schedules/:id")) {
		const place = typeof id === "string" ? splitRemoteThing(id) : undefined;
		return place && { host: place.host, path: path.replace(`/${id}`, `/${place.id}`) };
	}
	// Whatever names a conversation of another host is meant for that host.
	const named = fieldOf(request.body, "conversationId") ?? fieldOf(request.query, "conversation");
	const about = typeof named === "string" && /^(POST \/api\/schedules|GET \/api\/usage)$/.test(route) ? splitRemoteId(named) : undefined;
	if (about !== undefined) return { host: about.host, path };
	const host = NAMES_HOST.has(route) ? (fieldOf(request.query, "host") ?? fieldOf(request.body, "host")) : undefined;
	return typeof host === "string" && host !== "" ? { host, path } : undefined;
}

function toRequest({ method, query, body }: FastifyRequest, path: string, ids: IdSource): FleetHttp {
	const {
		host: _,
		conversation,
		...asked
	} = Object.fromEntries(
		Object.entries(typeof query === "object" && query !== null ? query : {}).map(([name, value]) => [name, String(value)]),
	);
	const { host: __, ...rest } = typeof body === "object" && body !== null ? Object.fromEntries(Object.entries(body)) : {};
	// There it has the id of its own host.
	const ownId = (id: unknown) => (typeof id === "string" ? (splitRemoteId(id)?.conversationId ?? id) : id);
	const about: Record<string, string> =
		path === "/api/usage" && conversation !== undefined ? { conversation: String(ownId(conversation)) } : {};
	if (path.startsWith("/api/schedules") && rest.conversationId !== undefined) rest.conversationId = ownId(rest.conversationId);
	const known = METHODS.find((each) => each === method) ?? "GET";
	return {
		...{ method: known, path, query: { ...asked, ...about } },
		...(body === undefined || body === null ? {} : { body: rest }),
		...(known === "POST" && path === "/api/conversations" ? { key: ids.next() } : {}),
	};
}
const notHere = () => new AppError("conversation-not-found", "There is no such conversation. It may have been deleted.");
/** A guest comes to the host that made the link, which can then end it. */
const noLinkFromHere = () =>
	new AppError("fleet-refused", "A link to watch is made on the host of the conversation. Open it there.", { params: { reason: "share" } });
/** What a browser shows and does not run. */
const SAFE_TYPE = /^(application\/(json|octet-stream|x-ndjson)|text\/(plain|markdown)|image\/(png|jpeg|gif|webp|avif))(; ?charset=utf-8)?$/;
const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE"] as const;

function send(reply: FastifyReply, { status, headers, body, isBase64 }: HttpAnswer, rename: (body: string) => string) {
	const type = SAFE_TYPE.test(headers["content-type"] ?? "") ? headers["content-type"] : "application/octet-stream";
	const disposition = headers["content-disposition"] ?? "";
	const size = headers["x-file-size"] ?? "";
	reply.header("content-type", type);
	// Another host may lie: whatever it sends does nothing in a browser that trusts this one.
	if (!/^application\/json/.test(type ?? "")) reply.header("content-security-policy", ATTACHMENT_POLICY);
	if (/^(attachment|inline)[\x20-\x7e]{0,500}$/.test(disposition)) reply.header("content-disposition", disposition);
	if (/^\d{1,15}$/.test(size)) reply.header("x-file-size", size);
	if (status === 204) return reply.code(204).send();
	return reply.code(status >= 200 && status < 600 ? status : 502).send(isBase64 ? Buffer.from(body, "base64") : Buffer.from(rename(body)));
}

/** Rows by conversation, under the ids that those have here. */
function usageToHere(body: string, host: string): string {
	const usage = usageAnswer.safeParse(parseLine(body));
	if (!usage.success) return body;
	return JSON.stringify({ ...usage.data, rows: usage.data.rows.map((row) => ({ ...row, key: remoteIdOf(host, row.key) })) });
}

/** A conversation or a schedule in an answer is called here what it is called here. */
function renamed(body: string, host: string, name: string): string {
	if (body.startsWith('{"schedule":{')) {
		const schedule = scheduleAnswer.safeParse(parseLine(body));
		return schedule.success ? JSON.stringify({ schedule: scheduleToHere({ id: host, name }, schedule.data.schedule) }) : body;
	}
	if (!body.startsWith('{"conversation":{')) return body;
	const value = parseLine(body);
	const parsed = conversationAnswer.safeParse(value);
	// An export has everything else of the conversation beside it.
	return parsed.success ? JSON.stringify({ ...Object(value), conversation: toHere(host, name, parsed.data.conversation) }) : body;
}
