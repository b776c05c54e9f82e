import { commonWords } from "../i18n/common-messages.ts";
import { useWords } from "../i18n/use-words.tsx";
import { Button } from "../ui/button.tsx";

export function BrokenPart() {
	const t = useWords(commonWords);
	return (
		<div className="m-auto flex max-w-sm flex-col items-center gap-3 p-6 text-center">
			<h2 className="font-semibold">{t("errorTitle")}</h2>
			<p className="text-muted text-sm">{t("errorHint")}</p>
			<Button onClick={() => location.reload()}>{t("reload")}</Button>
		</div>
	);
}
