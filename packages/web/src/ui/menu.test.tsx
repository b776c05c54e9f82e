// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Menu, MenuChoices, MenuItem } from "./menu.tsx";

afterEach(cleanup);

function draw() {
	const chosen: string[] = [];
	render(
		<Menu trigger={<button type="button">More</button>}>
			<MenuItem onSelect={() => chosen.push("rename")}>Rename</MenuItem>
			<MenuItem onSelect={() => chosen.push("pin")} disabled>
				Pin
			</MenuItem>
			<MenuItem onSelect={() => chosen.push("delete")}>Delete</MenuItem>
		</Menu>,
	);
	const trigger = screen.getByRole("button", { name: "More" });
	const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
	return { chosen, trigger, press };
}

test("[PG95] a menu opens from its button, is walked with arrows and letters, and gives the focus back", () => {
	const { chosen, trigger, press } = draw();
	expect(trigger.getAttribute("aria-expanded")).toBe("false");
	fireEvent.keyDown(trigger, { key: "ArrowDown" });
	expect(document.activeElement?.textContent).toBe("Rename");
	press("ArrowDown");
	expect(document.activeElement?.textContent).toBe("Delete");
	press("ArrowDown");
	expect(document.activeElement?.textContent).toBe("Rename");
	press("d");
	expect(document.activeElement?.textContent).toBe("Delete");
	press("Escape");
	expect(screen.queryByRole("menu")).toBeNull();
	expect(document.activeElement).toBe(trigger);
	fireEvent.click(trigger);
	fireEvent.click(screen.getByRole("menuitem", { name: "Delete" }));
	expect([chosen, screen.queryByRole("menu")]).toEqual([["delete"], null]);
});

test("[PG95] a press elsewhere closes it, and the current choice is checked", () => {
	const chosen: string[] = [];
	render(
		<Menu trigger={<button type="button">Mode</button>}>
			<MenuChoices
				value="b"
				onChange={(value) => chosen.push(value)}
				choices={[
					{ value: "a", label: "A" },
					{ value: "b", label: "B" },
				]}
			/>
		</Menu>,
	);
	fireEvent.click(screen.getByRole("button", { name: "Mode" }));
	expect(screen.getByRole("menuitemradio", { name: "B" }).getAttribute("aria-checked")).toBe("true");
	fireEvent.pointerDown(document.body);
	expect(screen.queryByRole("menu")).toBeNull();
	fireEvent.click(screen.getByRole("button", { name: "Mode" }));
	fireEvent.click(screen.getByRole("menuitemradio", { name: "A" }));
	expect(chosen).toEqual(["a"]);
});
