import { CHINESE_DURATION_UNITS, type DurationUnits } from "@rightseat/protocol/duration";
import type { Language } from "./words.ts";

/** How durations are written; English has the symbols of `formatDuration` itself. */
export const DURATION_UNITS: Readonly<Record<Language, DurationUnits | undefined>> = {
	en: undefined,
	"zh-Hant": CHINESE_DURATION_UNITS,
};
