import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DeadMount, mountNothing, whyNoDeadMount } from "../../support/dead-mount.ts";
import type { Fault } from "../fault.ts";
import { sendCommand } from "../history.ts";
import { until } from "../quiet.ts";
import type { World } from "../world.ts";

/** The directory of one conversation stops answering; nobody else may notice. */
export const MOUNT_FAULTS: Fault[] = [deadMount()];

function deadMount(): Fault {
	let mount: DeadMount | undefined;
	let conversationId = "";
	return {
		name: "dead-mount",
		breaks: "the working directory of another conversation lies on a mount that stops answering",
		missing: () => whyNoDeadMount(),
		async inject(world, random, struck) {
			const cwd = mkdtempSync(join(tmpdir(), "rightseat-mount-"));
			const created = await world.server.api("/api/conversations", { method: "POST", json: { cwd } });
			conversationId = (await created.json()).conversation.id;
			mount = mountNothing(cwd);
			struck();
			await useIt(world, conversationId);
			// Everything that must go on although somebody waits for the mount.
			const id = `beside-${random.between(0, 1e9)}`;
			sendCommand(world, id, "echo fine");
			await until("A command beside the dead mount", () => world.ran().has(id));
			const answered = await world.server.api("/api/status");
			if (!answered.ok) throw new Error("The server does not answer beside a dead mount.");
		},
		async heal(world) {
			mount?.close();
			mount = undefined;
			await world.server.api(`/api/conversations/${conversationId}`, { method: "DELETE" });
		},
	};
}

/** A prompt, a command, a list of files and a new conversation, all of which want the dead directory. */
async function useIt(world: World, id: string): Promise<void> {
	const client = await world.server.ws();
	client.send({ type: "copilot:send", data: { conversationId: id, prompt: "Look around", clientMessageId: `prompt-${id}` } });
	client.send({ type: "bash:exec", data: { conversationId: id, command: "echo never", clientMessageId: `command-${id}` } });
	void world.server.api(`/api/conversations/${id}/files?q=x`).catch(() => undefined);
	await client.next("bash:start");
	client.terminate();
}
