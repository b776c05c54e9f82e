import { createServer, type IncomingHttpHeaders } from "node:http";
import { expect, test } from "vitest";
import { listProviderModels } from "./models.ts";

async function serving<T>(
	body: string,
	use: (url: string, seen: { path: string; headers: IncomingHttpHeaders }[]) => Promise<T>,
	status = 200,
): Promise<T> {
	const seen: { path: string; headers: IncomingHttpHeaders }[] = [];
	const server = createServer((request, response) => {
		seen.push({ path: request.url ?? "", headers: request.headers });
		response.writeHead(status).end(body);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	try {
		return await use(`http://127.0.0.1:${address !== null && typeof address !== "string" ? address.port : 0}`, seen);
	} finally {
		server.close();
	}
}

const list = JSON.stringify({ data: [{ id: "a", display_name: "Model A" }, { id: 7 }, null, { id: "b" }] });

test("[RT23] every kind of provider is asked in its own way", async () => {
	await serving(list, async (url, seen) => {
		const expected = {
			state: "listed",
			models: [
				{ id: "a", name: "Model A" },
				{ id: "b", name: "b" },
			],
			default: "a",
		};
		expect(await listProviderModels({ type: "openai", url: `${url}/v1/`, key: "k" }, undefined)).toEqual(expected);
		expect(await listProviderModels({ type: "anthropic", url, key: "k" }, undefined)).toEqual(expected);
		expect(await listProviderModels({ type: "azure", url, key: "k" }, undefined)).toEqual(expected);
		expect(seen.map(({ path }) => path)).toEqual(["/v1/models", "/v1/models", "/openai/v1/models"]);
		expect(seen[0]?.headers.authorization).toBe("Bearer k");
		expect(seen[1]?.headers["x-api-key"]).toBe("k");
		expect(seen[2]?.headers["api-key"]).toBe("k");
	});
});

test("[RT42] the configured model is offered even if the provider does not list it", async () => {
	await serving(list, async (url) => {
		const { models, default: first } = await listProviderModels({ type: "openai", url }, "mine");
		expect(first).toBe("mine");
		expect(models.map(({ id }) => id)).toEqual(["mine", "a", "b"]);
	});
	await serving("{}", async (url) => {
		expect((await listProviderModels({ type: "openai", url }, undefined)).default).toBe("default");
	});
});

test("[RT100] a list that could not be had is never a list: it says why, and offers a stand-in only", async () => {
	const ask = (url: string) => listProviderModels({ type: "openai", url }, "mine");
	const unlisted = (because: string) => ({ state: "unlisted", models: [{ id: "mine", name: "mine" }], default: "mine", because });
	await serving(list, async (url) => expect(await ask(url)).toEqual(unlisted("the provider answered HTTP 500")), 500);
	await serving("{}", async (url) => expect(await ask(url)).toEqual(unlisted("the provider names none")));
	await serving("<html>", async (url) => expect(await ask(url)).toEqual(unlisted("the provider could not be reached")));
	expect(await ask("http://127.0.0.1:1")).toEqual(unlisted("the provider could not be reached"));
});
