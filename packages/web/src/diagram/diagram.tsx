import { Code, Workflow } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { diagramWords } from "./diagram-messages.ts";
import { FlowchartView } from "./flowchart-view.tsx";
import { parseFlowchart } from "./parse-flowchart.ts";
import { parseSequence } from "./parse-sequence.ts";
import { SequenceView } from "./sequence-view.tsx";

/** A Mermaid flowchart or sequence diagram as a picture; whatever cannot be drawn stays the code that it is. */
export function Diagram({ source, code }: { source: string; code: ReactNode }) {
	const t = useWords(diagramWords);
	const [asCode, setAsCode] = useState(false);
	const parsed = useMemo(() => parseFlowchart(source) ?? parseSequence(source), [source]);
	if (parsed === undefined) return code;
	const label = asCode ? t("showPicture") : t("showCode");
	return (
		<div className="md-diagram">
			<IconButton
				small
				className="md-diagram-switch"
				label={label}
				icon={asCode ? <Workflow size={15} /> : <Code size={15} />}
				onClick={() => setAsCode(!asCode)}
			/>
			{asCode ? (
				code
			) : (
				// biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard.
				<div className="md-diagram-box" tabIndex={0}>
					{parsed.kind === "flowchart" ? (
						<FlowchartView chart={parsed} name={t("flowchart")} />
					) : (
						<SequenceView sequence={parsed} name={t("sequence")} />
					)}
				</div>
			)}
		</div>
	);
}
