import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventFrameSchema } from "@rightseat/protocol/events/event";
import { clientFrameSchema } from "@rightseat/protocol/frames/client";
import { replyFrameSchema } from "@rightseat/protocol/frames/server";
import { type HttpRoute, isFile } from "@rightseat/protocol/http/route";
import { HTTP_ROUTES } from "@rightseat/protocol/http/routes";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { ROOT } from "./support/source-files.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const blocks = (text: string, language: string) =>
	[...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, block = ""]) => block);
const typesOf = (options: readonly { shape: { type: { def: { values: readonly unknown[] } } } }[]) =>
	options.map((option) => String(option.shape.type.def.values[0]));

/** Read exactly: an example with a field that the schema does not know would come back without it. */
function expectToFit(schema: z.core.$ZodType, value: unknown, what: string) {
	const parsed = z.safeParse(schema, value);
	expect(parsed.success ? parsed.data : parsed.error.issues, what).toEqual(value);
}

describe("docs/websocket.md", () => {
	const [, client = "", server = ""] =
		/^## From the client$([\s\S]*)^## From the server$([\s\S]*)^## Limits$/m.exec(read("docs/websocket.md")) ?? [];
	const frames = (section: string) =>
		blocks(section, "json").flatMap((block) =>
			block
				.trim()
				.split("\n")
				.map((line): { type: string; data?: { seq?: number } } => JSON.parse(line)),
		);

	test("[AR110] every client frame has an example, and every example is one", () => {
		for (const frame of frames(client)) expectToFit(clientFrameSchema, frame, frame.type);
		const shown = new Set(frames(client).map(({ type }) => type));
		expect(typesOf(clientFrameSchema.def.options).filter((type) => !shown.has(type))).toEqual([]);
	});

	test("[AR110] every server frame has an example, and every example is one", () => {
		const events = new Set(typesOf(eventFrameSchema.def.options));
		for (const frame of frames(server)) expectToFit(events.has(frame.type) ? eventFrameSchema : replyFrameSchema, frame, frame.type);
		const shown = new Set(frames(server).map(({ type }) => type));
		const known = [...events, ...typesOf(replyFrameSchema.def.options)];
		expect(known.filter((type) => !shown.has(type))).toEqual([]);
	});
});

describe("docs/http-api.md", () => {
	const examples = blocks(read("docs/http-api.md"), "http").flatMap((block) => block.trim().split(/\n\n/).map(readExample));

	test.each(examples.map((example) => [`${example.method} ${example.path}`, example] as const))(
		"[AR110] the example of %s fits its route",
		(_, example) => {
			const route = HTTP_ROUTES.find(({ method, path }) => method === example.method && pattern(path).test(example.path));
			if (route === undefined) throw new Error("There is no such route.");
			if (route.query !== undefined) expect(z.safeParse(route.query, example.query)).toMatchObject({ success: true });
			expectBody(route.body, example.body);
			const answer = route.answers.find(({ status }) => status === example.status);
			expect(route.answers.map(({ status }) => status)).toContain(example.status);
			expectBody(answer?.body, example.answer);
		},
	);

	test("[AR110] every route has an example", () => {
		const shown = (route: HttpRoute) => examples.some(({ method, path }) => method === route.method && pattern(route.path).test(path));
		expect(HTTP_ROUTES.filter((route) => !shown(route)).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
	});
});

interface Example {
	method: string;
	path: string;
	query: Record<string, string>;
	body?: unknown;
	status: number;
	answer?: unknown;
}

/** The request, its body if any, the status, the answer if any; a line each. */
function readExample(text: string): Example {
	const lines = text.split("\n");
	const [method = "", address = ""] = (lines.shift() ?? "").split(" ");
	const url = new URL(address, "http://localhost");
	const at = lines.findIndex((line) => /^\d{3}$/.test(line));
	const value = (line: string | undefined) => (line === undefined || line === "(a file)" ? line : (JSON.parse(line) as unknown));
	return {
		method,
		path: url.pathname,
		query: Object.fromEntries(url.searchParams),
		body: value(at === 1 ? lines[0] : undefined),
		status: Number(lines[at]),
		answer: value(lines[at + 1]),
	};
}

function expectBody(schema: HttpRoute["body"], body: unknown) {
	if (schema === undefined) expect(body).toBeUndefined();
	else if (isFile(schema)) expect(body).toBe("(a file)");
	else expectToFit(schema, body, "body");
}

const pattern = (path: string) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`);
