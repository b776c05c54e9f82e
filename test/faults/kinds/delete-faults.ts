import { lastUserText } from "../../support/scripted-model.ts";
import { stall } from "../../support/scripted-model-steps.ts";
import type { Fault } from "../fault.ts";
import { quiet, until } from "../quiet.ts";
import type { World } from "../world.ts";

/** A conversation is deleted in the middle of its work; nothing of it may go on. */
export const DELETE_FAULTS: Fault[] = [
	{
		name: "delete-with-queue",
		breaks: "a conversation is deleted while it answers, prompts wait and a command does not die at once",
		async inject(world, random, struck) {
			await quiet(world);
			const mark = `deleted-${random.between(0, 1e9)}`;
			const created = await world.server.api("/api/conversations", { method: "POST", json: {} });
			const conversationId: string = (await created.json()).conversation.id;
			const client = await world.server.ws();
			world.model.reply(stall());
			for (const name of ["running", "queued", "queued-too"]) {
				client.send({ type: "copilot:send", data: { conversationId, prompt: `${mark} ${name}`, clientMessageId: name } });
			}
			client.send({ type: "bash:exec", data: { conversationId, command: "trap '' TERM; sleep 3; sleep 3", clientMessageId: "stubborn" } });
			await until("The turn that is to be deleted", () => asked(world, mark).length > 0);
			struck();
			const deleted = await world.server.api(`/api/conversations/${conversationId}`, { method: "DELETE" });
			client.terminate();
			if (deleted.status !== 204) throw new Error(`The deletion answered ${deleted.status}.`);
			const later = asked(world, `${mark} queued`);
			if (later.length > 0) throw new Error("A queued prompt reached the model while its conversation was being deleted.");
		},
	},
];

/** Prompts only: thousands of whole requests, looked at every few milliseconds, would keep the model of this very process from answering. */
function asked(world: World, mark: string): string[] {
	return world.model.requests.map(lastUserText).filter((prompt) => prompt.includes(mark));
}
