import type { NewConversation } from "@rightseat/protocol/http/requests";
import { type FormEvent, useState } from "react";
import type { AgentSetting } from "../agent/agent-choices.tsx";
import { AgentSelect } from "../agent/agent-select.tsx";
import { EarlierSessions } from "../agent/earlier-sessions.tsx";
import { NewChoices } from "../agent/new-choices.tsx";
import { useAgents } from "../agent/use-agents.ts";
import type { NewWorktree } from "../api/api.ts";
import { HostSelect } from "../fleet/host-select.tsx";
import { useWords } from "../i18n/use-words.tsx";
import { useModels } from "../model/model-picker.tsx";
import { ModelSelect } from "../model/model-select.tsx";
import { WorktreeChoice } from "../review/worktrees/worktree-choice.tsx";
import { COPILOT } from "../state/agent.ts";
import { useUiSet } from "../state/ui-slice.tsx";
import { useActions } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { DirectoryPicker } from "./directory-picker.tsx";
import { sidebarWords } from "./sidebar-messages.ts";
import "./new-conversation.css";

/** A conversation with its model and directory chosen before it begins. */
export function NewConversationDialog() {
	const t = useWords(sidebarWords);
	const setUi = useUiSet();
	const { newConversation } = useActions();
	const agents = useAgents();
	const [wanted, setWanted] = useState<string>();
	const agent = wanted ?? agents?.default ?? COPILOT;
	const models = useModels(agent);
	const [model, setModel] = useState<string>();
	const [setting, setSetting] = useState<Partial<AgentSetting>>({});
	const [cwd, setCwd] = useState("");
	const [worktree, setWorktree] = useState<NewWorktree>();
	const [busy, setBusy] = useState(false);
	const [host, setHost] = useState<string>();
	const close = () => setUi({ dialog: undefined });

	const start = (event: FormEvent) => {
		event.preventDefault();
		const chosen = model ?? models?.default;
		const where = cwd.trim() === "" ? {} : { cwd: cwd.trim() };
		// Agents, models and work trees are those of a host: another one begins with its own.
		if (host !== undefined) return void begin({ host, ...where });
		void begin({
			...(wanted === undefined ? {} : { agent: wanted }),
			...(chosen === undefined || chosen === "" ? {} : { model: chosen }),
			...where,
			...(worktree === undefined ? {} : { worktree }),
			...setting,
		});
	};
	const begin = async (input: NewConversation & { host?: string }) => {
		setBusy(true);
		const id = await newConversation(input);
		setBusy(false);
		if (id === undefined) return;
		close();
		requestAnimationFrame(() => document.getElementById("message")?.focus());
	};
	return (
		<Dialog open onClose={close} title={t("newConversation")} className="new-conversation">
			<form onSubmit={start} className="grid min-h-0 grid-cols-1 gap-4 overflow-y-auto p-5">
				<HostSelect
					value={host}
					onChange={(next) => {
						setHost(next);
						setCwd("");
					}}
				/>
				<DirectoryPicker value={cwd} onChange={setCwd} host={host} />
				{host === undefined && (
					<>
						{agents !== undefined && agents.agents.length > 1 && (
							<div>
								<span className="block pb-1 font-medium text-sm">{t("agentLabel")}</span>
								<AgentSelect
									wide
									agents={agents.agents}
									fallback={agents.default}
									value={agent}
									onChange={(id) => {
										setWanted(id);
										// A model, a mode and an effort belong to an agent.
										setModel(undefined);
										setSetting({});
									}}
								/>
							</div>
						)}
						<EarlierSessions {...{ agent, busy }} onContinue={(sessionId) => void begin({ agent, sessionId, ...setting })} />
						<div>
							<span className="block pb-1 font-medium text-sm">{t("modelLabel")}</span>
							<ModelSelect
								wide
								models={models?.models ?? []}
								fallback={models?.default}
								value={model ?? models?.default}
								onChange={setModel}
							/>
						</div>
						<NewChoices
							agent={agents?.agents.find(({ id }) => id === agent)}
							value={setting}
							onChange={(patch) => setSetting({ ...setting, ...patch })}
						/>
						<WorktreeChoice value={worktree} onChange={setWorktree} />
					</>
				)}
				<div className="sticky -bottom-5 -mx-5 -mb-5 flex justify-end gap-2 border-t bg-surface px-5 py-3">
					<Button onClick={close}>{t("cancel")}</Button>
					<Button kind="primary" type="submit" disabled={busy}>
						{t("start")}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}
