import type { RunRow } from "../ports/schedule-store.ts";

/** The id under which the prompt of a run is sent: whoever sends it again, after whatever happened, sends the same one. */
export const promptIdOf = ({ scheduleId, key }: Pick<RunRow, "scheduleId" | "key">): string => `schedule-${scheduleId}-${key}`;
