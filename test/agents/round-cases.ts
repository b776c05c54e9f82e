import { deflateSync } from "node:zlib";
import { type Case, check, expectOutcome, NOT_FOR_IT } from "./check.ts";
import { play } from "./model-play.ts";

/** What goes around the words of a conversation: pictures, commands of a person, questions, plans, models, tokens. */
export const ROUND_CASES: readonly Case[] = [
	{
		name: "a picture reaches its model",
		async run(seat) {
			const talk = await seat.begin();
			// An agent says whether it sees pictures when it is open.
			await talk.send(play("say ready")).ended;
			const sees = (await seat.known()).capabilities.images;
			const uploaded = await seat.server.api("/api/attachments?name=dot.png", { method: "POST", body: png() });
			const { attachment } = await uploaded.json();
			const turn = await talk.send(play("pictures"), [attachment.id]).ended;
			expectOutcome(turn, "completed");
			if (!sees) return NOT_FOR_IT;
			check(/Pictures: [1-9]/.test(turn.text), `it said ${JSON.stringify(turn.text)}`);
			return undefined;
		},
	},
	{
		name: "the result of a `!cmd` reaches its model",
		async run(seat) {
			const talk = await seat.begin();
			const done = talk.ws.next("bash:done");
			talk.ws.send({ type: "bash:exec", data: { conversationId: talk.id, command: "echo needle-$((40+2))" } });
			await done;
			const turn = await talk.send(play("find needle-42")).ended;
			check(turn.text.includes("Found."), `it said ${JSON.stringify(turn.text)}`);
			return undefined;
		},
	},
	{
		name: "its question is asked, and the answer reaches its model",
		async run(seat) {
			const { question } = seat.agent;
			if (question === undefined) return NOT_FOR_IT;
			const talk = await seat.begin();
			const sent = talk.send(play(`tool =${question.tool} ${JSON.stringify(question.args("Which one?", ["This", "That"]))}`, "result"));
			const asked = talk.ws.waitFor("copilot:user_input_request");
			asked.catch(() => undefined);
			const first = await Promise.race([asked, sent.ended]);
			if (!("data" in first)) throw new TypeError(`nobody was asked; it said ${JSON.stringify(first.text.slice(0, 300))}`);
			const { requestId, question: words, choices } = first.data;
			check(words.includes("Which one?") && choices?.includes("That") === true, `it asked ${JSON.stringify(first.data)}`);
			talk.ws.send({ type: "copilot:user_input_response", data: { conversationId: talk.id, requestId, answer: "That" } });
			const turn = await sent.ended;
			expectOutcome(turn, "completed");
			check(/Result: .*That/s.test(turn.text), `the model was told ${JSON.stringify(turn.text.slice(0, 200))}`);
			return undefined;
		},
	},
	{
		name: "its plan is shown",
		async run(seat) {
			const { plan } = seat.agent;
			if (plan === undefined) return NOT_FOR_IT;
			const talk = await seat.begin();
			const turn = await talk.send(play(`tool =${plan.tool} ${JSON.stringify(plan.args(["Look", "Mend"]))}`, "say Planned.")).ended;
			expectOutcome(turn, "completed");
			const shown = talk.ws.all("copilot:plan").at(-1);
			check(JSON.stringify(shown ?? {}).includes("Mend"), `there is no plan; it said ${JSON.stringify(turn.text.slice(0, 200))}`);
			return undefined;
		},
	},
	{
		name: "tokens are counted",
		async run(seat) {
			const talk = await seat.begin();
			await talk.send(play("say counted")).ended;
			const usage = talk.ws.all("copilot:usage").at(-1)?.data;
			return usage === undefined || usage.outputTokens === 0 ? NOT_FOR_IT : `${usage.inputTokens} in, ${usage.outputTokens} out`;
		},
	},
	{
		name: "its models can be chosen",
		async run(seat) {
			const talk = await seat.begin();
			await talk.send(play("say ready")).ended;
			const { capabilities } = await seat.known();
			const { models } = await (await seat.server.api(`/api/copilot/models?agent=${seat.agent.id}`)).json();
			const wanted: string | undefined = models.findLast(({ id }: { id: string }) => id !== "")?.id;
			if (!capabilities.models || wanted === undefined) return NOT_FOR_IT;
			const changed = await seat.server.api(`/api/conversations/${talk.id}`, { method: "PATCH", json: { model: wanted } });
			check(changed.status === 200, `choosing ${wanted} answers ${changed.status}: ${(await changed.text()).slice(0, 200)}`);
			expectOutcome(await talk.send(play("say chosen")).ended, "completed");
			return `${models.length - 1}`;
		},
	},
];

/** One white dot. */
function png(): Buffer<ArrayBuffer> {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(1, 0);
	header.writeUInt32BE(1, 4);
	header.set([8, 2, 0, 0, 0], 8);
	const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
	return Buffer.concat([
		...[signature, chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.from([0, 255, 255, 255]))), chunk("IEND", Buffer.alloc(0))],
	]);
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type), data]);
	const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(data.length);
	sum.writeUInt32BE(crc(body));
	return Buffer.concat([length, body, sum]);
}

function crc(bytes: Buffer): number {
	let value = 0xffffffff;
	for (const byte of bytes) {
		value ^= byte;
		for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
	}
	return (value ^ 0xffffffff) >>> 0;
}
