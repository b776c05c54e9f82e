import { useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { Part, Told, WhenLoaded } from "../settings/parts.tsx";
import { useLoad } from "../settings/use-load.ts";
import { Button } from "../ui/button.tsx";
import { Visible } from "../ui/visible.tsx";
import { setupApi } from "./setup-api.ts";
import { setupWords } from "./setup-messages.ts";

/** In the settings: every folder that somebody spoke about, to be taken back. */
export function TrustedFoldersPart() {
	const t = useWords(setupWords);
	const say = useFailureText();
	const { loaded, reload } = useLoad(setupApi.words);
	const [note, setNote] = useState({ problem: "", done: "" });
	const takeBack = async (path: string) => {
		try {
			await setupApi.trust({ path }, false);
			setNote({ problem: "", done: t("takenBack", { path }) });
		} catch (error) {
			setNote({ problem: t("failed", { message: say(error) }), done: "" });
		}
		await reload();
	};
	return (
		<Part title={t("trustedFolders")} hint={t("trustedHint")}>
			<WhenLoaded loaded={loaded} reload={reload}>
				{({ folders }) =>
					folders.length === 0 ? (
						<p className="text-sm">{t("noTrusted")}</p>
					) : (
						<ul aria-label={t("trustedFolders")}>
							{folders.map(({ path, trusted }) => (
								<li key={path} className="flex items-center gap-3 py-1.5 text-sm">
									<span className="min-w-0 flex-1 wrap-anywhere font-mono text-xs">
										<Visible text={path} />
										{!trusted && <span className="block font-sans text-muted">{t("exception")}</span>}
									</span>
									{trusted && (
										<Button small aria-label={t("takeBackNamed", { path })} onClick={() => void takeBack(path)}>
											{t("takeBack")}
										</Button>
									)}
								</li>
							))}
						</ul>
					)
				}
			</WhenLoaded>
			<Told {...note} />
		</Part>
	);
}
