import { useWords } from "../i18n/use-words.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { connectWords } from "./connect-messages.ts";

const COPILOT = "GITHUB_TOKEN=… npm start";
const OWN = "RIGHTSEAT_PROVIDER_URL=http://127.0.0.1:11434/v1 COPILOT_DEFAULT_MODEL=qwen3 npm start";

/** The two ways from the demo to a real model. */
export function ConnectModel() {
	const t = useWords(connectWords);
	return (
		<dl className="grid grid-cols-1 gap-2">
			{[
				{ name: t("copilot"), command: COPILOT },
				{ name: t("own"), command: OWN },
			].map(({ name, command }) => (
				<div key={command}>
					<dt className="text-xs">{name}</dt>
					<dd className="flex items-center gap-1 rounded-lg border bg-code py-0.5 pr-1 pl-3">
						<code className="min-w-0 flex-1 wrap-anywhere py-1 text-xs">{command}</code>
						<CopyButton text={() => command} />
					</dd>
				</div>
			))}
		</dl>
	);
}
