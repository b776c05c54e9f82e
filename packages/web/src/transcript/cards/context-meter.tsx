import { useWords } from "../../i18n/use-words.tsx";
import { useUiSet } from "../../state/ui-slice.tsx";
import { useApp } from "../../state/use-page.tsx";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuLabel, useCloseMenu } from "../../ui/menu.tsx";
import { formatCount } from "../format.ts";
import { contextWords } from "./context-messages.ts";

const RADIUS = 7;
const AROUND = 2 * Math.PI * RADIUS;

/** How full the model's memory of this conversation is. */
export function ContextMeter() {
	const t = useWords(contextWords);
	const usage = useApp((state) => (state.openId === undefined ? undefined : state.views[state.openId]?.usage));
	if (usage === undefined) return null;
	const { contextTokens, contextLimit } = usage;
	const used = contextTokens ?? usage.inputTokens + usage.outputTokens;
	const share = contextLimit === undefined || contextLimit === 0 ? undefined : Math.min(1, used / contextLimit);
	const percent = share === undefined ? undefined : Math.round(share * 100);
	const colour = share !== undefined && share > 0.9 ? "text-danger" : share !== undefined && share > 0.75 ? "text-warn" : "text-accent";
	const label = percent === undefined ? t("usedOnly", { used: formatCount(used) }) : t("meter", { percent });
	return (
		<Menu
			info={t("title")}
			trigger={
				<button
					type="button"
					aria-label={label}
					title={label}
					className="inline-flex h-9 shrink-0 items-center gap-1.5 rounded-lg px-2 text-muted text-xs hover:bg-hover"
				>
					<svg viewBox="0 0 18 18" className={`size-4 -rotate-90 ${colour}`} aria-hidden="true">
						<circle cx="9" cy="9" r={RADIUS} fill="none" stroke="var(--line)" strokeWidth="3" />
						<circle
							cx="9"
							cy="9"
							r={RADIUS}
							fill="none"
							stroke="currentColor"
							strokeWidth="3"
							strokeDasharray={`${AROUND * (share ?? 0)} ${AROUND}`}
						/>
					</svg>
					<span className="@max-[40rem]:hidden">{percent === undefined ? formatCount(used) : `${percent}%`}</span>
				</button>
			}
		>
			<MenuLabel>{t("title")}</MenuLabel>
			<div className="space-y-1 px-2.5 pb-2 text-sm">
				<p>
					{contextLimit === undefined
						? t("usedOnly", { used: formatCount(used) })
						: t("used", { used: formatCount(used), limit: formatCount(contextLimit) })}
				</p>
				<p className="text-muted">{t("last", { input: formatCount(usage.inputTokens), output: formatCount(usage.outputTokens) })}</p>
				<p className="text-muted">{t("model", { model: usage.model })}</p>
				{usage.cost !== undefined && <p className="text-muted">{t("cost", { cost: String(usage.cost) })}</p>}
				<Fills />
			</div>
		</Menu>
	);
}

function Fills() {
	const t = useWords(contextWords);
	const setUi = useUiSet();
	const close = useCloseMenu();
	const show = () => {
		close();
		setUi({ context: "context" });
	};
	return (
		<Button small onClick={show}>
			{t("fills")}
		</Button>
	);
}
