import { isAbsolute, relative } from "node:path";
import type { CopilotSession } from "@github/copilot-sdk";
import type { SetupItem } from "@rightseat/protocol/http/setup";
import { cutText } from "@rightseat/protocol/text";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { settlesInTime } from "../../../core/kernel/with-timeout.ts";
import type { OpenSetup } from "../../../core/ports/agent-setup.ts";
import { limitedRpc } from "./sdk-servers.ts";
import { createServerLogin, type ServerLogin } from "./server-login.ts";
import type { SessionServers } from "./session-servers.ts";

/** Skills, agents and instructions that are listed, and what is told of each. */
const MAX_LISTED_ITEMS = 200;
const MAX_TEXT_CHARS = 300;
const LOOK_LIMIT_MS = 2_000;
const LOGIN_LIMIT_MS = 20_000;
const CONNECT_LIMIT_MS = 10_000;

type Sdk = Pick<CopilotSession, "rpc">;
interface Host {
	readonly sdk: Sdk;
	readonly gone: AbortSignal;
}

/** What people see and change of an open session's set-up. */
export function createOpenSetup(deps: {
	servers: SessionServers;
	clock: Clock;
	cwd: string;
	/** The session as it stands, if the runtime has it. */
	current(): Host | undefined;
	/** The session with its servers started. Rejects with an AppError. */
	ready(): Promise<Host>;
}): OpenSetup {
	const { servers, clock } = deps;
	const logins = new Map<string, ServerLogin>();
	const limited = <T>(work: Promise<T>, gone: AbortSignal, ms: number) => limitedRpc(work, { clock, gone, ms });

	/** Undefined where the runtime does not say in time. */
	async function ask<T>(host: Host, question: Promise<T>, list: (answer: T) => SetupItem[]): Promise<SetupItem[] | undefined> {
		const answer = await limited(question, host.gone, LOOK_LIMIT_MS).catch(() => undefined);
		return answer === undefined
			? undefined
			: list(answer)
					.slice(0, MAX_LISTED_ITEMS)
					.map((item) => bounded(item, deps.cwd));
	}

	async function settled(name: string): Promise<void> {
		const isSettled = () => servers.states.find(name) !== "pending" && servers.states.find(name) !== "needs-auth";
		if (isSettled()) return;
		let off: () => void = () => undefined;
		const changed = new Promise<void>((resolve) => {
			off = servers.states.onChange((each) => {
				if (each === name && isSettled()) resolve();
			});
		});
		await settlesInTime(clock, CONNECT_LIMIT_MS, changed);
		off();
	}

	return {
		async look() {
			const host = deps.current();
			// Before the first prompt there is nothing to ask, and asking would start the servers.
			if (host === undefined || !servers.isLoaded(host)) return { mcp: servers.view() };
			const { rpc } = host.sdk;
			if (servers.states.starting().length > 0) {
				const listed = await limited(rpc.mcp.list(), host.gone, LOOK_LIMIT_MS).catch(() => undefined);
				servers.states.listed(listed?.servers ?? []);
			}
			await servers.learnTools(host);
			const [skills, agents, instructions] = await Promise.all([
				ask(host, rpc.skills.list(), (answer) => answer.skills.map(skillOf)),
				ask(host, rpc.agent.list(), (answer) => answer.agents.map(agentOf)),
				ask(host, rpc.instructions.getSources(), (answer) => answer.sources.map(instructionOf)),
			]);
			return {
				mcp: servers.view(),
				...(skills === undefined ? {} : { skills }),
				...(agents === undefined ? {} : { agents }),
				...(instructions === undefined ? {} : { instructions }),
			};
		},
		setServer: (name, enabled) => servers.setServer(name, enabled, deps.current()),
		goOn: servers.goOn,
		async login(name) {
			const { sdk, gone } = await deps.ready();
			const asked = sdk.rpc.mcp.oauth.login({ serverName: name, clientName: "Rightseat" });
			const { authorizationUrl } = await limited(asked, gone, LOGIN_LIMIT_MS).catch((error: unknown) => Promise.reject(notBegun(error)));
			logins.delete(name);
			if (authorizationUrl === undefined) return {};
			const login = createServerLogin(authorizationUrl);
			logins.set(name, login);
			const { redirectUrl } = login;
			return { authorizationUrl, ...(redirectUrl === undefined ? {} : { redirectUrl }) };
		},
		async finishLogin(name, address) {
			const login = logins.get(name);
			if (login === undefined) throw notBegunYet();
			await login.finish(address);
			logins.delete(name);
			await settled(name);
			return servers.states.find(name) ?? "pending";
		},
	};
}

type Answer<K extends "skills" | "agent" | "instructions"> = K extends "skills"
	? Awaited<ReturnType<Sdk["rpc"]["skills"]["list"]>>["skills"][number]
	: K extends "agent"
		? Awaited<ReturnType<Sdk["rpc"]["agent"]["list"]>>["agents"][number]
		: Awaited<ReturnType<Sdk["rpc"]["instructions"]["getSources"]>>["sources"][number];

const skillOf = ({ name, path, source, description, enabled }: Answer<"skills">): SetupItem => ({
	...{ name, source: path ?? source, description, enabled },
});
const agentOf = ({ name, path, source, description }: Answer<"agent">): SetupItem => ({
	...{ name, source: path ?? source ?? "", description, enabled: true },
});
const instructionOf = ({ label, sourcePath, defaultDisabled }: Answer<"instructions">): SetupItem => ({
	...{ name: label, source: sourcePath, enabled: defaultDisabled !== true },
});

function bounded({ name, source, description, enabled }: SetupItem, cwd: string): SetupItem {
	const text = (value: string) => cutText(value.toWellFormed(), MAX_TEXT_CHARS);
	const inside = isAbsolute(source) ? relative(cwd, source) : source;
	const shown = isAbsolute(source) && inside.startsWith("..") ? source : inside;
	return { name: text(name), source: text(shown), enabled, ...(description ? { description: text(description) } : {}) };
}

const notBegun = (error: unknown) => {
	const because = (error instanceof Error ? error.message : String(error)).slice(0, 300);
	const message = `Signing in to the MCP server could not begin: ${because}`;
	return new AppError("provider-error", message, { cause: error, params: { reason: "mcp-login", because } });
};
const notBegunYet = () =>
	new AppError("not-running", "This sign-in has ended or was not taken. Begin again.", { params: { reason: "mcp-login" } });
