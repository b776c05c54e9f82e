import { type FormEvent, useEffect, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { ModelSelect } from "../model/model-select.tsx";
import { useUiSet } from "../state/ui-slice.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { DirectoryPicker } from "./directory-picker.tsx";
import { sidebarWords } from "./sidebar-messages.ts";

/** A conversation with its model and directory chosen before it begins. */
export function NewConversationDialog() {
	const t = useWords(sidebarWords);
	const setUi = useUiSet();
	const { newConversation, loadModels } = useActions();
	const models = useApp((state) => state.models);
	const [model, setModel] = useState<string>();
	const [cwd, setCwd] = useState("");
	const [busy, setBusy] = useState(false);
	const close = () => setUi({ dialog: undefined });

	useEffect(() => {
		if (models === undefined) void loadModels();
	}, [models, loadModels]);

	const start = async (event: FormEvent) => {
		event.preventDefault();
		setBusy(true);
		const chosen = model ?? models?.default;
		const id = await newConversation({
			...(chosen === undefined ? {} : { model: chosen }),
			...(cwd.trim() === "" ? {} : { cwd: cwd.trim() }),
		});
		setBusy(false);
		if (id === undefined) return;
		close();
		requestAnimationFrame(() => document.getElementById("message")?.focus());
	};
	return (
		<Dialog open onClose={close} title={t("newConversation")} className="overflow-visible!">
			<form onSubmit={(event) => void start(event)} className="grid gap-4 p-5">
				<DirectoryPicker value={cwd} onChange={setCwd} />
				<div>
					<span className="block pb-1 font-medium text-sm">{t("modelLabel")}</span>
					<ModelSelect wide models={models?.models ?? []} fallback={models?.default} value={model ?? models?.default} onChange={setModel} />
				</div>
				<div className="flex justify-end gap-2 pt-1">
					<Button onClick={close}>{t("cancel")}</Button>
					<Button kind="primary" type="submit" disabled={busy}>
						{t("start")}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}
