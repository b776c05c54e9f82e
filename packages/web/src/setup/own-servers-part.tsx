import type { McpServerInput } from "@rightseat/protocol/http/mcp-servers";
import { useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { ConfirmButton } from "../settings/confirm-button.tsx";
import { Part, WhenLoaded } from "../settings/parts.tsx";
import { useLoad } from "../settings/use-load.ts";
import { Button } from "../ui/button.tsx";
import { Visible } from "../ui/visible.tsx";
import { AddServer } from "./add-server.tsx";
import { ownServersApi } from "./conversation-setup-api.ts";
import { serverWords } from "./server-messages.ts";

/** In the settings: the person's own MCP servers, added, tried and removed. */
export function OwnServersPart() {
	const t = useWords(serverWords);
	const say = useFailureText();
	const { loaded, reload, set } = useLoad(ownServersApi.list);
	const [note, setNote] = useState({ problem: "", done: "" });
	/** Of the page: what is in config.json is changed there. */
	const kept = (): Record<string, McpServerInput> => {
		if (loaded.kind !== "ready") return {};
		const { mcpServers, sources } = loaded.value;
		return Object.fromEntries(Object.entries(mcpServers).filter(([name]) => sources[name] === "settings"));
	};
	const change = async (servers: Record<string, McpServerInput>, done: string): Promise<boolean> => {
		try {
			set(await ownServersApi.replace(servers));
			setNote({ problem: "", done });
			return true;
		} catch (error) {
			setNote({ problem: say(error), done: "" });
			return false;
		}
	};
	const test = async (name: string) => {
		setNote({ problem: "", done: t("testing", { name }) });
		try {
			const { state, tools, error = "" } = await ownServersApi.test({ name });
			if (state === "failed") setNote({ problem: t("fails", { name, message: error }), done: "" });
			else if (state === "needs-auth") setNote({ problem: "", done: t("needsSignIn", { name }) });
			else setNote({ problem: "", done: tools.length === 0 ? t("worksWithout", { name }) : t("works", { name, tools: tools.join(", ") }) });
		} catch (error) {
			setNote({ problem: t("fails", { name, message: say(error) }), done: "" });
		}
	};
	const remove = async (name: string) => {
		const { [name]: _, ...rest } = kept();
		await change(rest, t("removed", { name }));
	};
	return (
		<Part title={t("own")} hint={t("ownHint")}>
			<WhenLoaded loaded={loaded} reload={reload}>
				{({ mcpServers, sources }) => (
					<>
						{Object.keys(mcpServers).length === 0 && <p className="text-sm">{t("noOwn")}</p>}
						<ul aria-label={t("own")}>
							{Object.entries(mcpServers).map(([name, server]) => (
								<li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b py-2 text-sm last:border-0">
									<span className="min-w-0 flex-1">
										<span className="block wrap-anywhere font-medium">{name}</span>
										<span className="block wrap-anywhere font-mono text-muted text-xs">
											<Visible text={"command" in server ? [server.command, ...server.args].map(quoted).join(" ") : server.url} />
										</span>
										{sources[name] !== "settings" && <span className="block text-muted text-xs">{t("inConfig")}</span>}
									</span>
									<Button small aria-label={t("testNamed", { name })} onClick={() => void test(name)}>
										{t("test")}
									</Button>
									{sources[name] === "settings" && (
										<ConfirmButton
											small
											label={t("remove")}
											name={t("removeNamed", { name })}
											question={t("removeAsk", { name })}
											confirm={t("remove")}
											onConfirm={() => remove(name)}
										/>
									)}
								</li>
							))}
						</ul>
						<p role="alert" className="pt-2 wrap-anywhere text-danger text-sm empty:hidden">
							{note.problem}
						</p>
						<p aria-live="polite" className="pt-2 wrap-anywhere text-muted text-sm empty:hidden">
							{note.done}
						</p>
						<AddServer
							isTaken={(name) => mcpServers[name] !== undefined}
							add={(name, server) => change({ ...kept(), [name]: server }, t("saved", { name }))}
						/>
					</>
				)}
			</WhenLoaded>
		</Part>
	);
}

/** One argument must not look like two. */
const quoted = (word: string) => (/^\S+$/.test(word) ? word : JSON.stringify(word));
