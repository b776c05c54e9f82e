import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import { conversationsAnswer } from "@rightseat/protocol/http/conversations";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { fieldOf } from "@rightseat/protocol/model/field";
import type { Conversations } from "../conversations/conversations.ts";
import { AppError } from "../kernel/errors.ts";
import type { Fleet } from "../ports/fleet.ts";
import { toHere } from "./here.ts";
import { type RemoteCalls, readWith, SOMEBODY } from "./remote-calls.ts";
import { CUT_FROM, lastPlace, type RemoteList, readCursor, writeCursor } from "./remote-list.ts";

type Page = Parameters<Conversations["list"]>[0];

/** Conversations of other hosts beyond their newest, asked for page by page and host by host after everything that is known here. */
export interface OlderLists {
	/** Where they begin; undefined when no host that is there has more. */
	first(): string | undefined;
	isOne(cursor: string | undefined): cursor is string;
	/** A host that does not answer is left out. */
	page(cursor: string, page: Page): Promise<{ conversations: Conversation[]; nextCursor?: string }>;
}

export function createOlderLists(deps: {
	fleet: Pick<Fleet, "hosts">;
	calls: Pick<RemoteCalls, "json">;
	list: Pick<RemoteList, "list" | "adopt">;
}): OlderLists {
	function next(after?: string): string | undefined {
		const others = deps.fleet.hosts().filter(({ self, state }) => !self && state === "online");
		const left = others.map(({ id }) => id).toSorted();
		for (const host of left.filter((id) => after === undefined || id > after)) {
			const listed = deps.list.list().filter(({ id }) => splitRemoteId(id)?.host === host);
			const last = listed.length < CUT_FROM ? undefined : lastPlace(listed);
			if (last !== undefined) return write(host, writeCursor(last));
		}
		return undefined;
	}
	return {
		first: () => next(),
		isOne: (cursor): cursor is string => cursor !== undefined && fieldOf(readCursor(cursor), "host") !== undefined,
		async page(cursor, page = {}) {
			const [host, at] = [fieldOf(readCursor(cursor), "host"), fieldOf(readCursor(cursor), "cursor")];
			if (typeof host !== "string" || typeof at !== "string") throw badCursor();
			const query = {
				cursor: at,
				...(page.limit === undefined ? {} : { limit: String(page.limit) }),
				...(page.archived === undefined ? {} : { archived: String(page.archived) }),
			};
			const name = deps.fleet.hosts().find(({ id }) => id === host)?.name ?? host;
			const answer = await deps.calls.json({ host }, { method: "GET", path: "/api/conversations", query }, SOMEBODY).then(
				(value) => readWith(conversationsAnswer, value),
				() => ({ conversations: [], nextCursor: undefined }),
			);
			const conversations = answer.conversations.map((each) => toHere(host, name, each));
			deps.list.adopt(conversations);
			const following = answer.nextCursor === undefined ? next(host) : write(host, answer.nextCursor);
			return { conversations, ...(following === undefined ? {} : { nextCursor: following }) };
		},
	};
}

const write = (host: string, cursor: string) => writeCursor({ host, cursor });

const badCursor = () =>
	new AppError("bad-request", "The cursor is not one that this server gave out. Start again without it.", { params: { reason: "cursor" } });
