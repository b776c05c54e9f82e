import {
	conversationAnswer,
	conversationsAnswer,
	messageAnswer,
	messagesAnswer,
	searchAnswer,
	sentAnswer,
	toolAnswer,
} from "./conversations.ts";
import { attachmentAnswer, directoriesAnswer, fileQuery, filesAnswer, treeAnswer, treeQuery } from "./files.ts";
import * as asked from "./requests.ts";
import { created, DONE, type HttpRoute, ok } from "./route.ts";
import { deleteConversationQuery, releasedAnswer } from "./worktrees.ts";

const OF = "/api/conversations/:id";

/** Every route about conversations, with what it takes and answers. */
export const conversationRoutes: HttpRoute[] = [
	{
		method: "GET",
		path: "/api/conversations",
		about: "Conversations, pinned first, then newest activity.",
		query: asked.conversationsQuery,
		answers: ok(conversationsAnswer),
	},
	{
		method: "POST",
		path: "/api/conversations",
		about: "Begin a conversation.",
		body: asked.createConversationBody,
		answers: created(conversationAnswer),
	},
	{ method: "GET", path: OF, about: "One conversation.", answers: ok(conversationAnswer), refusals: [404] },
	{
		method: "PATCH",
		path: OF,
		about: "Change a conversation.",
		body: asked.patchConversationBody,
		answers: ok(conversationAnswer),
		refusals: [404, 409],
	},
	{
		method: "DELETE",
		path: OF,
		about: "Stop what runs in it and remove everything about it; its work tree is kept or removed.",
		query: deleteConversationQuery,
		answers: [...DONE, ...ok(releasedAnswer)],
		refusals: [404, 409],
	},
	{
		method: "GET",
		path: `${OF}/messages`,
		about: "Messages: the newest page first, oldest first within it.",
		query: asked.messagesQuery,
		answers: ok(messagesAnswer),
		refusals: [404],
	},
	{
		method: "POST",
		path: `${OF}/messages`,
		about: "Send a prompt; its answer is read on the socket or with GET.",
		body: asked.sendMessageBody,
		answers: [{ status: 202, body: sentAnswer }],
		refusals: [404, 409, 413],
	},
	{
		method: "GET",
		path: `${OF}/messages/:messageId`,
		about: "One message, whole, as soon as it is stored.",
		answers: ok(messageAnswer),
		refusals: [404],
	},
	{
		method: "GET",
		path: `${OF}/messages/:messageId/tools/:toolCallId`,
		about: "One call of a tool, whole: arguments and result; also of the running turn.",
		answers: ok(toolAnswer),
		refusals: [404],
	},
	{
		method: "GET",
		path: `${OF}/export`,
		about: "The conversation as a download.",
		query: asked.exportQuery,
		answers: ok({ file: "text/markdown" }),
		refusals: [404],
	},
	{
		method: "GET",
		path: `${OF}/files`,
		about: "Files of its directory whose path has these letters in this order.",
		query: asked.filesQuery,
		answers: ok(filesAnswer),
		refusals: [404],
	},
	{
		method: "GET",
		path: `${OF}/tree`,
		about: "What is in a folder of its working directory or repository.",
		query: treeQuery,
		answers: ok(treeAnswer),
		refusals: [404],
	},
	{
		method: "GET",
		path: `${OF}/file`,
		about: "The beginning of a file there, as bytes.",
		query: fileQuery,
		answers: ok({ file: "application/octet-stream" }),
		refusals: [404],
	},
	{
		method: "GET",
		path: "/api/files",
		about: "The same files where a new conversation begins.",
		query: asked.filesQuery,
		answers: ok(filesAnswer),
	},
	{ method: "GET", path: "/api/search", about: "Find messages and titles.", query: asked.searchQuery, answers: ok(searchAnswer) },
	{
		method: "POST",
		path: "/api/attachments",
		about: "Upload a file for a prompt.",
		query: asked.uploadQuery,
		body: { file: "*/*" },
		answers: created(attachmentAnswer),
		refusals: [413],
	},
	{ method: "GET", path: "/api/attachments/:id", about: "An uploaded file.", answers: ok({ file: "*/*" }), refusals: [404] },
	{
		method: "GET",
		path: "/api/directories",
		about: "Directories to choose from.",
		query: asked.directoriesQuery,
		answers: ok(directoriesAnswer),
		refusals: [404],
	},
];
