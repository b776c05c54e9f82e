import { directoriesAnswer } from "@rightseat/protocol/http/files";
import { CornerLeftUp, Folder } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { requestJson } from "../api/request.ts";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { settingsApi } from "../settings/settings-api.ts";
import { useChange } from "../settings/use-change.ts";
import { Button } from "../ui/button.tsx";
import { welcomeWords } from "./welcome-messages.ts";

interface Place {
	path: string;
	parent?: string | undefined;
	directories: readonly { name: string; path: string }[];
}
const ROW = "flex min-h-9 w-full min-w-0 items-center gap-2 rounded-lg px-2 text-left text-sm hover:bg-hover";

/** Walks the folders of the machine, as far as people may work there, and takes one. */
export function FolderStep() {
	const t = useWords(welcomeWords);
	const say = useFailureText();
	const sayNow = useRef(say);
	sayNow.current = say;
	const change = useChange();
	const [place, setPlace] = useState<Place>();
	const [chosen, setChosen] = useState<string>();
	const [problem, setProblem] = useState("");
	const list = useRef<HTMLUListElement>(null);

	const go = useCallback(async (path: string): Promise<Place | undefined> => {
		try {
			const query = path === "" ? "" : `?path=${encodeURIComponent(path)}`;
			const found = await requestJson(`/api/directories${query}`, directoriesAnswer);
			setPlace(found);
			if (path !== "~") setProblem("");
			return found;
		} catch (error) {
			setProblem(sayNow.current(error));
			return undefined;
		}
	}, []);
	useEffect(() => {
		// The folder that was chosen before may be gone, and then there is no way on from it.
		void go("").then(async (found) => (found === undefined ? void (await go("~")) : setChosen(found.path)));
	}, [go]);

	const enter = async (path: string) => {
		// The button that was pressed goes with its folder; the focus must not go with it.
		if ((await go(path)) !== undefined) list.current?.focus();
	};
	const take = (path: string) =>
		void change(async () => {
			const { workdir } = await settingsApi.change({ workdir: path });
			setChosen(workdir === "" ? path : workdir);
		});
	const shown = place?.directories.filter(({ name }) => !name.startsWith(".")) ?? [];
	return (
		<div className="grid grid-cols-1 gap-2 text-sm">
			{chosen !== undefined && (
				<p aria-live="polite">
					{t("folder.chosen")} <code className="wrap-anywhere font-medium">{chosen}</code>
				</p>
			)}
			<p role="alert" className="text-danger empty:hidden">
				{problem}
			</p>
			{place !== undefined && (
				<>
					<ul
						ref={list}
						tabIndex={-1}
						aria-label={t("folder.in", { path: place.path })}
						className="max-h-60 overflow-y-auto rounded-lg border p-1 outline-none"
					>
						{place.parent !== undefined && (
							<li>
								<button type="button" className={ROW} onClick={() => void enter(place.parent ?? "")}>
									<CornerLeftUp size={14} aria-hidden className="shrink-0 text-muted" />
									<span className="sr-only">{t("folder.up")}</span>
									<span className="min-w-0 truncate text-muted">{place.parent}</span>
								</button>
							</li>
						)}
						{shown.map(({ name, path }) => (
							<li key={path}>
								<button type="button" className={ROW} onClick={() => void enter(path)}>
									<Folder size={14} aria-hidden className="shrink-0 text-muted" />
									<span className="min-w-0 truncate">{name}</span>
								</button>
							</li>
						))}
						{shown.length === 0 && <li className="px-2 py-1.5 text-muted">{t("folder.none")}</li>}
					</ul>
					<div className="flex flex-wrap items-center gap-2">
						<Button disabled={place.path === chosen} onClick={() => take(place.path)}>
							{t("folder.take")}
						</Button>
						<code className="min-w-0 flex-1 truncate text-[13px]">{place.path}</code>
					</div>
				</>
			)}
		</div>
	);
}
