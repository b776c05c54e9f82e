import { useLanguage } from "../../i18n/use-words.tsx";
import { formatTime } from "../format.ts";

export function TimeStamp({ at }: { at: string }) {
	const language = useLanguage();
	return (
		<time dateTime={at} title={new Date(at).toLocaleString(language)}>
			{formatTime(at, language)}
		</time>
	);
}
