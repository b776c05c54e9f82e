import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { CommandContext, RunCommand } from "../../packages/cli/src/commands/command.ts";
import type { CliOptions } from "./cli.ts";
import { lastUserText, type ScriptedModel, startScriptedModel } from "./scripted-model.ts";
import { text } from "./scripted-model-steps.ts";
import { startServer, type TestServer } from "./server.ts";

/** What commands are tried against. */
export interface CliBed {
	/** Says again what it was told, unless a test scripts it. */
	readonly model: ScriptedModel;
	readonly server: TestServer;
	/** A command that finds the server by its home, and is called in the server's own folder. */
	options(more?: Partial<CliOptions>): CliOptions;
	/** A command in this process, as a script would run it in its own. */
	runHere(
		command: RunCommand,
		argv: readonly string[],
		more?: Partial<CliOptions>,
	): Promise<{ exit: number; stdout: string; stderr: string }>;
	conversations(): Promise<{ id: string; cwd: string; title: string }[]>;
	messagesOf(id: string): Promise<{ role: string; content: string; metadata: Record<string, unknown> }[]>;
}

/** A server before a scripted model for all tests of a file, which may work in its own folder only; to be called at the file's top. */
export function useCliBed(): CliBed {
	let model: ScriptedModel;
	let server: TestServer;
	const workdir = mkdtempSync(join(tmpdir(), "rightseat-work-"));
	beforeAll(async () => {
		model = await startScriptedModel();
		server = await startServer({ workdir, env: { RIGHTSEAT_PROVIDER_URL: model.url, RIGHTSEAT_ROOTS: workdir } });
	});
	afterAll(async () => {
		await server.close();
		await model.close();
		rmSync(workdir, { recursive: true, force: true });
	});
	const options = (more: Partial<CliOptions> = {}): CliOptions => ({ home: server.home, cwd: workdir, ...more });
	beforeEach(() => {
		model.forget();
		model.default((request) => [text(`You said ${lastUserText(request)}`)]);
	});
	return {
		get model() {
			return model;
		},
		get server() {
			return server;
		},
		options,
		async runHere(command, argv, more) {
			const { home, cwd, env } = options(more);
			const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
			const said = { stdout: "", stderr: "" };
			for (const name of ["stdout", "stderr"] as const) {
				streams[name].setEncoding("utf8").on("data", (piece: string) => {
					said[name] += piece;
				});
			}
			streams.stdin.end(more?.stdin ?? "");
			const context = { argv, env: { RIGHTSEAT_HOME: home, ...env }, cwd, language: "en", ...streams, onInterrupt: () => () => undefined };
			const exit = await command(context as unknown as CommandContext);
			return { exit, ...said };
		},
		conversations: async () => (await (await server.api("/api/conversations?limit=500")).json()).conversations,
		messagesOf: async (id) => (await (await server.api(`/api/conversations/${id}/messages`)).json()).messages,
	};
}
