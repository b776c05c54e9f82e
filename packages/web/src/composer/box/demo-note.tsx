import { useWords } from "../../i18n/use-words.tsx";
import { useUiSet } from "../../state/ui-slice.tsx";
import { useActions } from "../../state/use-page.tsx";
import { composerWords } from "../composer-messages.ts";

/** Says plainly that no real model answers, and leads to how to connect one. */
export function DemoNote({ onConnect }: { onConnect: () => void }) {
	const t = useWords(composerWords);
	const setUi = useUiSet();
	const { show } = useActions();
	return (
		<div className="border-t bg-sunken px-3 py-2.5 text-muted text-xs">
			{t("demoNote")}{" "}
			<button
				type="button"
				className="font-medium text-accent underline"
				onClick={() => {
					onConnect();
					setUi({ settingsSection: "model" });
					show({ settingsOpen: true });
				}}
			>
				{t("connectModel")}
			</button>
		</div>
	);
}
