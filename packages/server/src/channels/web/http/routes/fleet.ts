import { remoteIdOf } from "@rightseat/protocol/fleet/ids";
import { editOutboxBody, type HostView, type OutboxItem } from "@rightseat/protocol/http/fleet";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { Everywhere } from "../../../../core/fleet/everywhere.ts";
import { isoTime } from "../../../../core/kernel/clock.ts";
import { AppError } from "../../../../core/kernel/errors.ts";
import type { AuditLog } from "../../../../core/ports/audit.ts";
import type { FleetHost, FleetStatus } from "../../../../core/ports/fleet.ts";
import type { OutboxEntry } from "../../../../core/ports/fleet-store.ts";

const params = z.object({ id: z.string().check(z.maxLength(200)) });

/** The hosts of the fleet, and the prompts that wait for them; without a fleet there are none. */
export function registerFleetRoutes(
	app: FastifyInstance,
	deps: {
		everywhere: Pick<Everywhere, "hosts" | "outbox" | "status" | "remove"> | undefined;
		audit: Pick<AuditLog, "record">;
		sourceOf(request: FastifyRequest): string;
	},
) {
	const outbox = () => deps.everywhere?.outbox;
	const find = (request: { params: unknown }) => {
		const { id } = params.parse(request.params);
		const found = outbox();
		if (found === undefined || !found.list().some(({ clientMessageId }) => clientMessageId === id))
			throw new AppError("message-not-found", "This message does not wait any more.", { params: { reason: "not-queued" } });
		return { id, outbox: found };
	};

	app.get("/api/hosts", async () => ({
		hosts: (deps.everywhere?.hosts() ?? []).map((host) => ({ ...hostView(host), clockAheadMs: host.clockAheadMs })),
	}));

	app.delete("/api/hosts/:id", async (request, reply) => {
		const { id } = params.parse(request.params);
		const host = deps.everywhere?.hosts().find((each) => each.id === id);
		if (deps.everywhere === undefined || host === undefined)
			throw new AppError("host-removed", "This host does not belong to the fleet any more.");
		if (host.self)
			throw new AppError("fleet-refused", 'To take this host out, run "rightseat fleet leave" on it.', { params: { reason: "self" } });
		await deps.everywhere.remove(id);
		deps.audit.record({ kind: "fleet", source: deps.sourceOf(request), detail: `removed ${host.name} (${id})` });
		return reply.code(204).send();
	});

	app.get("/api/fleet", async () => ({ status: deps.everywhere === undefined ? null : statusView(deps.everywhere.status()) }));

	app.get("/api/outbox", async () => ({ items: (outbox()?.list() ?? []).map(outboxItem) }));

	app.patch("/api/outbox/:id", async (request) => {
		const { id, outbox: waiting } = find(request);
		const { prompt } = editOutboxBody.parse(request.body);
		waiting.edit(id, prompt);
		return { items: waiting.list().map(outboxItem) };
	});

	app.post("/api/outbox/:id/confirm", async (request, reply) => {
		const { id, outbox: waiting } = find(request);
		waiting.confirm(id);
		return reply.code(204).send();
	});

	app.delete("/api/outbox/:id", async (request) => {
		const { id, outbox: waiting } = find(request);
		return { mayHaveArrived: !waiting.drop(id) };
	});
}

export function statusView(status: FleetStatus) {
	const problem = status.kind === "connected" ? status.warning : status.because;
	const said = problem && { code: problem.code, message: problem.message, ...(problem.params && { params: problem.params }) };
	return { kind: status.kind, url: status.url, ...(said && { problem: said }) };
}

export const hostView = ({ id, name, self, state, lastSeen, version }: FleetHost): HostView => ({
	...{ id, name, self, state, version },
	lastSeen: lastSeen ?? null,
});

export function outboxItem({ clientMessageId, host, conversationId, prompt, attachments, at, state, wasSent }: OutboxEntry): OutboxItem {
	return {
		...{
			id: clientMessageId,
			conversationId: remoteIdOf(host, conversationId),
			host,
			prompt,
			attachments: attachments.length,
			since: isoTime(at),
		},
		state: state.kind,
		...(state.kind === "refused" ? { code: state.code } : {}),
		mayHaveArrived: wasSent && state.kind !== "refused",
	};
}
