import type { ConversationSetup, SetupItem } from "@rightseat/protocol/http/setup";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { ReactNode } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { useUiSet } from "../state/ui-slice.tsx";
import { useActions } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { Visible } from "../ui/visible.tsx";
import { conversationSetupApi } from "./conversation-setup-api.ts";
import { serverWords } from "./server-messages.ts";
import { ServerRow } from "./server-row.tsx";

/** What the agent has, or will have with the next prompt: MCP servers with their state, skills, agents, instructions. */
export function GivenPart(props: {
	conversation: Conversation;
	given: ConversationSetup;
	change: (run: () => Promise<unknown>) => Promise<boolean>;
	problem: string;
}) {
	const { conversation, given, change, problem } = props;
	const t = useWords(serverWords);
	return (
		<>
			<section aria-label={t("servers")} className="pt-5">
				<h3 className="font-medium text-sm">{t("servers")}</h3>
				{given.mcp.length === 0 ? <NoServers /> : <p className="pt-0.5 text-muted text-xs">{t("readOnly")}</p>}
				<ul>
					{given.mcp.map((server) => (
						<ServerRow
							key={server.name}
							{...{ server, change, conversationId: conversation.id }}
							isTrusted={given.trusted || ["settings", "config.json"].includes(server.source)}
						/>
					))}
				</ul>
				<p role="alert" className="pt-2 text-danger text-sm empty:hidden">
					{problem}
				</p>
			</section>
			<Items title={t("skills")} items={given.skills} />
			<Items title={t("agents")} items={given.agents} beside={(name) => <UseAgent {...{ conversation, name, change }} />} />
			<Items title={t("instructions")} items={given.instructions} />
		</>
	);
}

/** Says where they come from, and leads there. */
function NoServers() {
	const t = useWords(serverWords);
	const setUi = useUiSet();
	const { show } = useActions();
	const toSettings = () => {
		setUi({ settingsSection: "setup" });
		show({ settingsOpen: true });
	};
	return (
		<>
			<p className="pt-1 text-muted text-sm">{t("noServers")}</p>
			<Button small className="mt-2" onClick={toSettings}>
				{t("toSettings")}
			</Button>
		</>
	);
}

/** What is not on stands above, with what the folder would bring. */
function Items(props: { title: string; items: readonly SetupItem[]; beside?: (name: string) => ReactNode }) {
	const { title, items, beside } = props;
	const on = items.filter(({ enabled }) => enabled);
	if (on.length === 0) return null;
	return (
		<section aria-label={title} className="pt-5">
			<h3 className="font-medium text-sm">{title}</h3>
			<ul>
				{on.map(({ name, source, description }) => (
					<li key={`${name} ${source}`} className="border-b py-2 text-sm last:border-0">
						<p className="flex flex-wrap items-baseline gap-x-2">
							<span className="min-w-0 wrap-anywhere font-medium">
								<Visible text={name} />
							</span>
							<span className="min-w-0 wrap-anywhere text-muted text-xs">
								<Visible text={source} />
							</span>
							{beside?.(name)}
						</p>
						{description !== undefined && <p className="line-clamp-3 pt-0.5 text-muted text-xs">{description}</p>}
					</li>
				))}
			</ul>
		</section>
	);
}

/** The conversation becomes this agent from the next prompt on, or is nobody in particular again. */
function UseAgent(props: { conversation: Conversation; name: string; change: (run: () => Promise<unknown>) => Promise<boolean> }) {
	const { conversation, name, change } = props;
	const t = useWords(serverWords);
	const isUsed = conversation.agentProfile === name;
	const word = t(isUsed ? "leaveAgent" : "useAgent");
	return (
		<Button
			small
			className="ms-auto"
			aria-label={`${word} ${name}`}
			onClick={() => void change(() => conversationSetupApi.setAgent(conversation.id, isUsed ? "" : name))}
		>
			{word}
		</Button>
	);
}
