import type { McpServerState } from "@rightseat/protocol/http/setup";
import clsx from "clsx";
import { useWords } from "../i18n/use-words.tsx";
import { Button } from "../ui/button.tsx";
import { Visible } from "../ui/visible.tsx";
import { conversationSetupApi } from "./conversation-setup-api.ts";
import { serverWords } from "./server-messages.ts";
import { SignIn } from "./sign-in.tsx";

const STATES = {
	pending: "pending",
	connected: "connected",
	failed: "failedState",
	"needs-auth": "needsAuth",
	disabled: "disabled",
} as const;

/** One MCP server of a conversation: how it is, why, what it offers, and its switch. */
export function ServerRow(props: {
	conversationId: string;
	server: McpServerState;
	/** It is not of a folder that nobody trusts. */
	isTrusted: boolean;
	change: (run: () => Promise<unknown>) => Promise<boolean>;
}) {
	const { conversationId, server, isTrusted, change } = props;
	const { name, state, source, tools, enabled, error, waiting, hides } = server;
	const t = useWords(serverWords);
	const from = source === "settings" ? t("fromSettings") : source;
	return (
		<li className="border-b py-2 text-sm last:border-0">
			<div className="flex items-start gap-3">
				<div className="min-w-0 flex-1">
					<p className="flex flex-wrap items-baseline gap-x-2">
						<span className="min-w-0 wrap-anywhere font-medium">
							<Visible text={name} />
						</span>
						<span className={clsx("text-xs", state === "failed" ? "text-danger" : state === "needs-auth" ? "text-warn" : "text-muted")}>
							{t(STATES[state])}
						</span>
						<span className="min-w-0 wrap-anywhere text-muted text-xs">{t("from", { source: from })}</span>
					</p>
					{!isTrusted && <p className="pt-0.5 text-muted text-xs">{t("untrusted")}</p>}
					{error !== undefined && <p className="pt-0.5 wrap-anywhere text-danger text-xs">{error}</p>}
					{hides !== undefined && <p className="pt-0.5 wrap-anywhere text-muted text-xs">{t("hides", { sources: hides.join(", ") })}</p>}
					{tools.length > 0 && (
						<details className="pt-0.5 text-muted text-xs">
							<summary className="cursor-pointer">{t("tools", { count: tools.length })}</summary>
							<p className="wrap-anywhere pt-0.5 font-mono">
								<Visible text={tools.join(", ")} />
							</p>
						</details>
					)}
				</div>
				<label className="flex min-h-7 shrink-0 items-center gap-2 text-xs">
					<span className="sr-only">{t("useServer", { name })}</span>
					<input
						type="checkbox"
						className="size-4 accent-accent"
						checked={enabled}
						disabled={!isTrusted}
						onChange={(event) => {
							const isOn = event.target.checked;
							void change(() => conversationSetupApi.switchServer(conversationId, name, isOn));
						}}
					/>
				</label>
			</div>
			{waiting === true && (
				<p role="status" className="flex items-center gap-2 pt-1.5 text-xs">
					<span className="min-w-0 flex-1">{t("waiting", { name })}</span>
					<Button small onClick={() => void change(() => conversationSetupApi.goOn(conversationId))}>
						{t("goOn")}
					</Button>
				</p>
			)}
			{state === "needs-auth" && enabled && isTrusted && <SignIn {...{ conversationId, name, change }} />}
		</li>
	);
}
