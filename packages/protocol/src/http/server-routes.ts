import * as z from "zod/mini";
import { agentSessionsAnswer, allAgentsAnswer } from "./agents.ts";
import { auditAnswer, pushKeyAnswer, settingsAnswer, statusAnswer } from "./app.ts";
import { modelsAnswer } from "./conversations.ts";
import { pushSubscriptionBody } from "./credential-requests.ts";
import { mcpTokensAnswer, newMcpTokenAnswer, newMcpTokenBody } from "./mcp.ts";
import { ghLoginAnswer, modelAccountAnswer } from "./model-account.ts";
import { modelAccountBody } from "./model-account-requests.ts";
import { agentQuery, agentSessionsQuery, auditQuery, linkBody, pairingBody, settingsPatch, unsubscribeBody } from "./requests.ts";
import { created, DONE, type HttpRoute, ok } from "./route.ts";
import { linkCodeAnswer, pairedAnswer, telegramAnswer } from "./telegram.ts";

const nothing = z.object({});
/** A JSON Schema or OpenAPI document. */
const documentAnswer = z.record(z.string(), z.unknown());

/** Every route about the server itself, with what it takes and answers. */
export const serverRoutes: HttpRoute[] = [
	{ method: "GET", path: "/api/status", about: "How the server is and what it can.", answers: ok(statusAnswer) },
	{ method: "GET", path: "/api/schema", about: "Every frame and every body as JSON Schema.", answers: ok(documentAnswer) },
	{ method: "GET", path: "/api/openapi.json", about: "These routes.", answers: ok(documentAnswer) },
	{
		method: "GET",
		path: "/api/agents/:id/sessions",
		about: "Sessions that an agent keeps and that a conversation can go on with.",
		query: agentSessionsQuery,
		answers: ok(agentSessionsAnswer),
		refusals: [502, 503],
	},
	{ method: "GET", path: "/api/agents", about: "Agents that can drive a conversation.", answers: ok(allAgentsAnswer) },
	{ method: "GET", path: "/api/copilot/models", about: "Models of an agent.", query: agentQuery, answers: ok(modelsAnswer) },
	{
		method: "POST",
		path: "/api/runtime/wake",
		about: "An agent that rests tries again.",
		query: agentQuery,
		answers: [{ status: 202, body: nothing }],
	},
	{ method: "GET", path: "/api/settings", about: "The settings.", answers: ok(settingsAnswer) },
	{ method: "PATCH", path: "/api/settings", about: "Change settings.", body: settingsPatch, answers: ok(settingsAnswer) },
	{ method: "GET", path: "/api/model-account", about: "Whose model answers; no secret.", answers: ok(modelAccountAnswer) },
	{
		method: "PUT",
		path: "/api/model-account",
		about: "Connect a model, after it was tried.",
		body: modelAccountBody,
		answers: ok(modelAccountAnswer),
		refusals: [502, 503],
	},
	{
		method: "GET",
		path: "/api/model-account/login",
		about: "Whether the GitHub CLI is logged in on this machine; no secret.",
		answers: ok(ghLoginAnswer),
	},
	{ method: "DELETE", path: "/api/model-account", about: "Forget what was connected here.", answers: ok(modelAccountAnswer) },
	{ method: "GET", path: "/api/audit", about: "Who did what, newest first.", query: auditQuery, answers: ok(auditAnswer) },
	{ method: "GET", path: "/api/push/key", about: "The key for pushManager.subscribe.", answers: ok(pushKeyAnswer) },
	{
		method: "POST",
		path: "/api/push/subscriptions",
		about: "Be told when a turn ends or asks.",
		body: pushSubscriptionBody,
		answers: created(nothing),
	},
	{
		method: "DELETE",
		path: "/api/push/subscriptions",
		about: "Be told no more.",
		body: unsubscribeBody,
		answers: DONE,
	},
	{ method: "GET", path: "/api/mcp-tokens", about: "The tokens of other programs, for /mcp.", answers: ok(mcpTokensAnswer) },
	{
		method: "POST",
		path: "/api/mcp-tokens",
		about: "Make a token for /mcp; its secret is told this once.",
		body: newMcpTokenBody,
		answers: created(newMcpTokenAnswer),
	},
	{ method: "DELETE", path: "/api/mcp-tokens/:id", about: "Revoke a token for /mcp.", answers: DONE, refusals: [404] },
	{ method: "GET", path: "/api/telegram", about: "The bot, who waits and who is in.", answers: ok(telegramAnswer) },
	{
		method: "POST",
		path: "/api/telegram/pairings",
		about: "Let the person with this code in.",
		body: pairingBody,
		answers: ok(pairedAnswer),
		refusals: [404],
	},
	{ method: "DELETE", path: "/api/telegram/people/:userId", about: "Take a person away.", answers: DONE, refusals: [404] },
	{
		method: "POST",
		path: "/api/telegram/links",
		about: "A code that moves a chat to a conversation.",
		body: linkBody,
		answers: created(linkCodeAnswer),
		refusals: [404],
	},
];
