import { join } from "node:path";
import { createClient } from "../../packages/server/src/runtime/copilot/process/client-options.ts";
import { keepFirst } from "./bare-commit.ts";
import { deltaFrame, serveBareSockets } from "./bare-sockets.ts";
import { noteStamps } from "./readers.ts";
import type { SdkPlay, SdkPlayed, SdkReady, SdkWay } from "./start-sdk-relay.ts";

// The agent SDK with its runtime and nothing of ours around it, in a process of its own: what of our CPU and time is ours is the distance to this.
const [home = "", modelUrl = "", most = "1"] = process.argv.slice(2);
const streamIds = (way: SdkWay) => Array.from({ length: Number(most) }, (_, stream) => `${way}-${stream}`);
const { url, show } = await serveBareSockets([...streamIds("relay"), ...streamIds("durable")]);
const kept = keepFirst(join(home, "bare.db"), show);
const client = createClient({ home: join(home, "sdk"), env: process.env });
await client.start();

type Session = Awaited<ReturnType<typeof client.createSession>>;
const sessions = new Map<string, Session>();
async function sessionOf(id: string): Promise<Session> {
	const known = sessions.get(id);
	if (known !== undefined) return known;
	const opened = await client.createSession({
		model: "scripted-model",
		streaming: true,
		provider: { type: "openai", baseUrl: modelUrl, apiKey: "bench" },
		onPermissionRequest: async () => ({ kind: "approve-once" }),
	});
	sessions.set(id, opened);
	return opened;
}

async function play({ way, streams }: SdkPlay): Promise<SdkPlayed> {
	const ids = streamIds(way).slice(0, streams);
	const opened: { id: string; session: Session }[] = [];
	for (const id of ids) opened.push({ id, session: await sessionOf(id) });
	const ages: number[] = [];
	const before = process.cpuUsage();
	await Promise.all(
		opened.map(async ({ id, session }) => {
			const stop = session.on("assistant.message_delta", ({ data: { deltaContent } }) => {
				if (way === "alone") return noteStamps(deltaContent, ages);
				(way === "durable" ? kept : show)(id, deltaFrame(id, deltaContent));
			});
			await session.sendAndWait({ prompt: "Go" });
			stop();
		}),
	);
	const { user, system } = process.cpuUsage(before);
	return { ages, cpuMs: (user + system) / 1_000 };
}

process.on("message", (asked: SdkPlay) => {
	play(asked).then(
		(played) => process.send?.(played),
		(error: unknown) => {
			console.error(error);
			process.exit(1);
		},
	);
});
process.on("disconnect", () => void client.stop().finally(() => process.exit()));
process.send?.({ url } satisfies SdkReady);
