import { type DayBudget, dayBudgetSchema } from "@rightseat/protocol/http/budget";
import type { SettingsStore } from "../ports/store.ts";

const KEY = "usage.day-budget";

/** What all conversations together may use in a day; kept over restarts. */
export interface StoredDayBudget {
	get(): DayBudget;
	/** As a whole: what is not named has no limit. */
	set(budget: DayBudget): void;
}

/** Read once; every later look is at memory. */
export function createDayBudget(settings: SettingsStore): StoredDayBudget {
	let current = read(settings.get(KEY));
	return {
		get: () => current,
		set({ tokensPerDay, costPerDay }) {
			const next: DayBudget = {
				...(tokensPerDay === undefined ? {} : { tokensPerDay }),
				...(costPerDay === undefined ? {} : { costPerDay }),
			};
			if (Object.keys(next).length === 0) settings.delete(KEY);
			else settings.set(KEY, JSON.stringify(next));
			current = next;
		},
	};
}

function read(json: string | undefined): DayBudget {
	return json === undefined ? {} : (dayBudgetSchema.safeParse(JSON.parse(json)).data ?? {});
}
