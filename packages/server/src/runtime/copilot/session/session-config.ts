import type { PermissionHandler, ProviderConfig, SessionConfigBase } from "@github/copilot-sdk";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { OpenSession } from "../../../core/ports/agent-runtime.ts";
import type { Turn } from "../turn/turn.ts";
import { formHandler } from "./forms.ts";
import { toPermitRequest, toSdkDecision } from "./permissions.ts";
import { type PlanApprovalDeps, planApproval } from "./plan-approval.ts";
import { type SdkToolDeps, toSdkTool } from "./sdk-tools.ts";

/** The runtime's own shell tools keep no state between commands and hold back the end of a turn; ours replace them. */
export const EXCLUDED_TOOLS = ["bash", "read_bash", "stop_bash", "list_bash", "write_bash"];
/** Starts whatever program the work folder names in `.github/lsp.json`, without asking. */
const LANGUAGE_SERVER_TOOL = "lsp";
/** Read-only by its own word, so its tools would run unasked, and the token would go there with every session. */
const GITHUB_MCP_SERVER = "github-mcp-server";
/** In bytes; 30,000 Chinese characters are 90 KB. The default cuts our tools' results at 20 KB. */
export const LARGE_OUTPUT_BYTES = 262_144;

export interface SessionConfigDeps {
	options: OpenSession;
	model: string;
	spills: string;
	/** A person has trusted the working directory: what it brings may run. */
	isTrusted: boolean;
	provider?: ProviderConfig;
	systemPrompt?: string;
	/** Only where Copilot itself answers: beside a provider of one's own it would still be sent to GitHub. */
	gitHubToken?: string;
	logger: Logger;
	/** The running turn, if one runs. */
	turn(): Turn | undefined;
	once: SdkToolDeps["once"];
	session: PlanApprovalDeps["session"];
	/** MCP servers; without it none. */
	servers?: Required<Pick<SessionConfigBase, "mcpServers" | "disabledMcpServers">>;
}

/** The same for creating and for resuming: the runtime remembers neither tools nor provider. */
export function sessionConfig(deps: SessionConfigDeps): SessionConfigBase {
	const { options } = deps;
	return {
		model: deps.model,
		workingDirectory: options.cwd,
		streaming: true,
		infiniteSessions: { enabled: true },
		includeSubAgentStreamingEvents: true,
		largeOutput: { enabled: true, maxSizeBytes: LARGE_OUTPUT_BYTES, outputDirectory: deps.spills },
		// What a work folder brings is somebody else's program: hooks would run at the first prompt, unasked.
		excludedTools: deps.isTrusted ? EXCLUDED_TOOLS : [...EXCLUDED_TOOLS, LANGUAGE_SERVER_TOOL],
		enableFileHooks: deps.isTrusted,
		enableConfigDiscovery: deps.isTrusted,
		disabledMcpServers: [GITHUB_MCP_SERVER, ...(deps.servers?.disabledMcpServers ?? [])],
		mcpServers: deps.servers?.mcpServers ?? {},
		// Both would go to GitHub: what happened, and what the agent wants to remember.
		enableSessionTelemetry: false,
		memory: { enabled: false },
		tools: options.tools.map((tool) => toSdkTool(tool, { host: deps.turn, once: deps.once, logger: deps.logger })),
		onPermissionRequest: permissionHandler(deps),
		onUserInputRequest: userInputHandler(deps),
		onExitPlanModeRequest: planApproval(deps),
		onElicitationRequest: formHandler(deps),
		...(deps.systemPrompt === undefined ? {} : { systemMessage: { mode: "append", content: deps.systemPrompt } }),
		...(deps.provider === undefined ? {} : { provider: deps.provider }),
		...(deps.gitHubToken === undefined ? {} : { gitHubToken: deps.gitHubToken }),
	};
}

function permissionHandler({ options, turn, logger }: SessionConfigDeps): PermissionHandler {
	return async (request) => {
		const running = turn();
		if (running === undefined) return { kind: "reject", feedback: "The turn that asked for this is over." };
		try {
			const asked = { ...toPermitRequest(request), ...running.whoAsks(request.toolCallId) };
			const decision = await running.waitWhile(
				running.forCall(request.toolCallId, (stopped) => options.permit(asked, AbortSignal.any([running.signal, stopped]))),
			);
			return toSdkDecision(request, decision);
		} catch (error) {
			logger.error({ err: String(error) }, "Deciding on a permission failed");
			return { kind: "reject", feedback: "The permission could not be decided. Ask the user what to do instead." };
		}
	};
}

function userInputHandler({ options, turn, logger }: SessionConfigDeps): NonNullable<SessionConfigBase["onUserInputRequest"]> {
	return async (request) => {
		const running = turn();
		if (running === undefined) return { answer: "The turn that asked is over.", wasFreeform: true };
		const question = {
			question: request.question,
			allowFreeform: request.allowFreeform ?? true,
			...(request.choices === undefined ? {} : { choices: request.choices }),
		};
		try {
			const { answer, wasFreeform } = await running.waitWhile(options.ask(question, running.signal));
			return { answer: answer.toWellFormed(), wasFreeform };
		} catch (error) {
			// An error would reach the model without its text.
			logger.error({ err: String(error) }, "Asking the user failed");
			return { answer: "The question could not be put to the user. Go on without an answer.", wasFreeform: true };
		}
	};
}
