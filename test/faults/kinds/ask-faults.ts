import { existsSync } from "node:fs";
import { join } from "node:path";
import { toolCall, usage } from "../../support/scripted-model-steps.ts";
import type { Fault } from "../fault.ts";
import { until } from "../quiet.ts";
import { sendSignal } from "../send-signal.ts";
import type { World } from "../world.ts";
import { bringServer } from "./mcp-faults.ts";
import { besideThePages, killServer, type Side, sideAnswers } from "./side.ts";

const LOST = [{ anyOf: ["lost"] }];
const RUNTIME_GONE = [{ anyOf: ["error:runtime-died", "runtime:restarting"] }];

interface Waiting {
	json?: object;
	/** Reaches the moment in which something waits for a person. */
	ask(side: Side, world: World, mark: number): Promise<void>;
	/** Puts the conversation back so that it answers without asking. */
	after?: object;
}

const WAITING: Record<"permission" | "plan" | "form" | "budget" | "question", Waiting> = {
	permission: {
		json: { permissions: "ask" },
		ask: (side, world, mark) => asked(side, world, mark, "permission", toolCall("Bash", { command: `touch granted-${mark}` })),
		after: { permissions: "auto" },
	},
	plan: {
		json: { mode: "plan" },
		ask: (side, world, mark) => asked(side, world, mark, "plan", toolCall("exit_plan_mode", { summary: `Plan ${mark}` })),
		after: { mode: "agent" },
	},
	form: {
		async ask(side, world, mark) {
			await bringServer(side, world, "ask");
			const form = { message: `Who ${mark}?`, requestedSchema: { type: "object", properties: { name: { type: "string" } } } };
			await asked(side, world, mark, "form", toolCall("fixture-echo", { text: JSON.stringify(form) }));
		},
		after: { mcp: { fixture: false } },
	},
	budget: {
		async ask(side, world, mark) {
			await side.patch({ budget: { tokens: 100 } });
			await asked(side, world, mark, "budget", toolCall("Bash", { command: `touch granted-${mark}` }), usage(90, 20));
		},
		after: { budget: {} },
	},
	question: {
		ask: (side, world, mark) =>
			asked(side, world, mark, "question", toolCall("ask_user", { question: "Which?", choices: ["this", "that"] })),
	},
};

/** Something waits for a person when the server or the runtime dies: nothing is granted, and nobody is asked for what is gone. */
export const ASK_FAULTS: Fault[] = [
	...(["permission", "plan", "form", "budget"] as const).map((kind) =>
		whileWaiting(`${kind}-kill-server`, `the server is killed while ${words(kind)} waits`, {
			kind,
			shows: LOST,
			restarts: true,
			strike: killServer,
		}),
	),
	...(["permission", "question", "form"] as const).map((kind) =>
		whileWaiting(`${kind}-kill-runtime`, `the agent runtime is killed while ${words(kind)} waits`, {
			...{ kind, shows: RUNTIME_GONE },
			async strike(world, struck) {
				struck();
				sendSignal(world.pids("runtime"), "SIGKILL");
			},
		}),
	),
	besideThePages({
		name: "remember-kill-server",
		breaks: "the server is killed in the moment in which a command is allowed for good",
		...{ shows: LOST, restarts: true, json: { permissions: "ask" } },
		async play(side, world, random, struck) {
			const mark = random.between(0, 1e9);
			world.model.reply(toolCall("Bash", { command: "ls" }));
			const since = Date.now();
			side.say(`remember-${mark}`);
			await side.told("permission", since);
			const [requestId = ""] = side.view.permissionIds;
			const data = { conversationId: side.id, requestId, decision: "approve-once" as const, remember: true };
			side.send({ type: "copilot:permission_response", data });
			await new Promise((resolve) => setTimeout(resolve, random.between(0, 40)));
			await killServer(world, struck);
			await side.settled();
			await expectRules(side, world);
			await side.patch({ permissions: "auto" });
			await sideAnswers(side, String(mark));
		},
		async tidy(world) {
			for (const { rules } of await rulesOf(world))
				for (const { id } of rules) await world.server.api(`/api/permissions/${id}`, { method: "DELETE" });
		},
	}),
];

function words(kind: keyof typeof WAITING): string {
	const named = {
		permission: "a permission request",
		plan: "a plan",
		form: "a form of an MCP server",
		budget: "a limit that is reached",
		question: "a question",
	};
	return named[kind];
}

function whileWaiting(
	name: string,
	breaks: string,
	{
		kind,
		strike,
		...rest
	}: Pick<Fault, "shows" | "restarts"> & {
		kind: keyof typeof WAITING;
		strike(world: World, struck: () => void): Promise<void>;
	},
): Fault {
	const { json, ask, after } = WAITING[kind];
	return besideThePages({
		...{ name, breaks, ...rest, ...(json === undefined ? {} : { json }) },
		async play(side, world, random, struck) {
			const mark = random.between(0, 1e9);
			await ask(side, world, mark);
			await strike(world, struck);
			await side.settled();
			await until("The end of what was asked", () => side.view.asks.length === 0, 5_000);
			if (after !== undefined) await side.patch(after);
			await sideAnswers(side, String(mark));
			if (existsSync(join(side.cwd, `granted-${mark}`))) throw new Error("A command ran although nobody allowed it.");
		},
	});
}

async function asked(side: Side, world: World, mark: number, sign: string, ...steps: Parameters<World["model"]["reply"]>): Promise<void> {
	world.model.reply(...steps);
	const since = Date.now();
	side.say(`ask-${mark}`);
	await side.told(sign, since);
	await until("What is asked", () => side.view.asks.length === 1);
	world.model.forget();
}

/** A rule is kept with the word of who made it, or neither is. */
async function expectRules(side: Side, world: World): Promise<void> {
	const rules = (await rulesOf(world))
		.filter(({ path }) => path.endsWith(side.cwd.split("/").at(-1) ?? ""))
		.flatMap((folder) => folder.rules);
	const { entries } = Object(await (await world.server.api("/api/audit?limit=50")).json());
	const made = entries.filter(
		({ kind, detail }: { kind: string; detail: string }) =>
			kind === "permission-rule" && detail.startsWith("made:") && detail.includes("ls"),
	);
	if (rules.length > 1) throw new Error(`One answer made ${rules.length} rules.`);
	if (rules.length === 1 && made.length === 0) throw new Error("A rule is kept, and the audit log does not say who made it.");
}

async function rulesOf(world: World): Promise<{ path: string; rules: { id: string }[] }[]> {
	return Object(await (await world.server.api("/api/permissions")).json()).folders;
}
