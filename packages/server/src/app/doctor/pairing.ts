import { readFileSync } from "node:fs";
import { CliError } from "@rightseat/cli/cli-error";
import { createApi, RefusedError, UnreachableError } from "@rightseat/cli/connection/api";
import { type FoundServer, findServer } from "@rightseat/cli/find-server/find-server";
import { reachAnswer, reachTrialAnswer } from "@rightseat/protocol/http/reach";
import type { Paired } from "../../channels/web/reach/reach.ts";
import { askThrough } from "../reach/ask-through.ts";
import { caFile } from "../reach/lan-certificates.ts";
import { sayProblem } from "../reach/open-way.ts";
import { readPaired } from "../reach/reach-file.ts";
import { createTailscale, leadsTo } from "../reach/tailscale.ts";
import { pairWords } from "../reach/words.ts";
import { createRunTool } from "../service/run-tool.ts";
import { type Finding, ok, warning } from "./finding.ts";

const SUBJECT = "phones";
const LIMIT_MS = 10_000;

/** What `rightseat pair` checked when it opened the way, once more. */
export async function checkPairing(home: string, env: NodeJS.ProcessEnv, ca?: string): Promise<Finding> {
	const paired = readPaired(home);
	if (paired === undefined) return ok(SUBJECT, "no way was paired; rightseat pair opens one, after a yes");
	const server = findOwn(home, env);
	if (server === undefined) return warning(SUBJECT, `${paired.url} was paired, but Rightseat does not run. Start it and look again.`);
	const trouble = paired.way === "tailscale" ? await tailscaleTrouble(paired, env) : undefined;
	if (trouble?.line !== undefined) return warning(SUBJECT, `${paired.url}: ${trouble.line}. Run rightseat pair again.`);
	try {
		return await askServer(server, { home, ca, addresses: trouble?.addresses });
	} catch (error) {
		if (!(error instanceof RefusedError || error instanceof UnreachableError)) throw error;
		return warning(SUBJECT, `${paired.url}: the server does not say (${error.message}). Start it again and look again.`);
	}
}

function findOwn(home: string, env: NodeJS.ProcessEnv): FoundServer | undefined {
	try {
		return findServer({ text: (name) => (name === "home" ? home : undefined) }, { env, cwd: "/", language: "en" });
	} catch (error) {
		if (error instanceof CliError) return undefined;
		throw error;
	}
}

/** Why Tailscale does not lead here; without a line it does. */
async function tailscaleTrouble(paired: Paired, env: NodeJS.ProcessEnv): Promise<{ line?: string; addresses?: string[] }> {
	const state = await createTailscale(createRunTool(env, LIMIT_MS)).look();
	const said = pairWords("en").tailscale;
	switch (state.kind) {
		case "missing":
			return { line: said.missing };
		case "logged-out":
			return { line: said.loggedOut };
		case "stopped":
			return { line: said.stopped(state.detail) };
		case "no-https":
			return { line: said.noHttps };
		case "unreadable":
			return { line: said.unreadable(state.detail) };
		case "ready":
			return leadsTo(state, paired.port ?? 0) === paired.target
				? { addresses: state.addresses }
				: { line: "Tailscale Serve no longer leads to this server" };
	}
}

async function askServer(
	server: FoundServer,
	{ home, ca, addresses }: { home: string; ca: string | undefined; addresses: string[] | undefined },
): Promise<Finding> {
	const api = createApi(server);
	const { reach } = await api.get("/api/reach", reachAnswer);
	if (reach === undefined) return warning(SUBJECT, "the running server has nothing paired. Run rightseat pair again.");
	if (reach.problem !== undefined) {
		return warning(SUBJECT, `${reach.url} is not open (${reach.problem}). Run rightseat pair --lan with another --port.`);
	}
	const problem = await askThrough(reach.url, {
		trial: () => api.post("/api/reach/trial", { url: new URL(reach.url).origin }, reachTrialAnswer),
		ca: reach.way === "lan" ? readFileSync(caFile(home), "utf8") : ca,
		addresses,
	});
	if (problem !== undefined) return warning(SUBJECT, sayProblem(problem, reach.url, pairWords("en")));
	const open = reach.way === "lan" ? `; everybody in the local network can reach port ${reach.port}, and needs a login` : "";
	return ok(SUBJECT, `${reach.url} leads to this server, WebSockets pass${open}`);
}
