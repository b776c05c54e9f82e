import clsx from "clsx";
import { DropdownMenu } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

/** A menu that opens from its trigger. Not modal: the modal kind adds a style element, which the page's CSP refuses. */
export function Menu({
	trigger,
	align = "end",
	children,
}: {
	trigger: ReactElement;
	align?: "start" | "center" | "end";
	children: ReactNode;
}) {
	return (
		<DropdownMenu.Root modal={false}>
			<DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
			<DropdownMenu.Portal>
				<DropdownMenu.Content
					align={align}
					sideOffset={6}
					collisionPadding={10}
					className="z-50 max-h-[70dvh] min-w-44 max-w-[min(92vw,26rem)] overflow-y-auto rounded-xl border bg-surface p-1 shadow-float"
				>
					{children}
				</DropdownMenu.Content>
			</DropdownMenu.Portal>
		</DropdownMenu.Root>
	);
}

const ITEM =
	"flex min-h-9 cursor-default select-none items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none data-[highlighted]:bg-hover data-[disabled]:opacity-50";

export function MenuItem(props: { onSelect: () => void; icon?: ReactNode; danger?: boolean; disabled?: boolean; children: ReactNode }) {
	return (
		<DropdownMenu.Item
			disabled={props.disabled ?? false}
			onSelect={props.onSelect}
			className={clsx(ITEM, props.danger === true && "text-danger")}
		>
			{props.icon !== undefined && <span className="shrink-0 text-muted">{props.icon}</span>}
			<span className="min-w-0 flex-1">{props.children}</span>
		</DropdownMenu.Item>
	);
}

/** One of several choices, the current one checked. */
export function MenuChoices<T extends string>(props: {
	value: T;
	onChange: (value: T) => void;
	choices: readonly { value: T; label: ReactNode }[];
}) {
	return (
		<DropdownMenu.RadioGroup
			value={props.value}
			onValueChange={(value) => {
				const chosen = props.choices.find((choice) => choice.value === value);
				if (chosen !== undefined) props.onChange(chosen.value);
			}}
		>
			{props.choices.map((choice) => (
				<DropdownMenu.RadioItem key={choice.value} value={choice.value} className={ITEM}>
					<span className="w-3.5 shrink-0 text-accent">
						<DropdownMenu.ItemIndicator>✓</DropdownMenu.ItemIndicator>
					</span>
					<span className="min-w-0 flex-1">{choice.label}</span>
				</DropdownMenu.RadioItem>
			))}
		</DropdownMenu.RadioGroup>
	);
}

export function MenuSeparator() {
	return <DropdownMenu.Separator className="mx-2 my-1 h-px bg-line" />;
}

export function MenuLabel({ children }: { children: ReactNode }) {
	return <DropdownMenu.Label className="px-2.5 pt-1.5 pb-1 text-muted text-xs">{children}</DropdownMenu.Label>;
}
