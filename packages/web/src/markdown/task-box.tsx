import { Square, SquareCheck } from "lucide-react";
import { useWords } from "../i18n/use-words.tsx";
import { markdownWords } from "./markdown-messages.ts";

export function TaskBox({ done }: { done: boolean }) {
	const t = useWords(markdownWords);
	const Icon = done ? SquareCheck : Square;
	return <Icon size={15} className="md-task" role="img" aria-label={done ? t("done") : t("notDone")} />;
}
