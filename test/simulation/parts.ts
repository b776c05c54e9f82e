import { corePart } from "./core/core-part.ts";
import { createFleetPart } from "./fleet/fleet-part.ts";
import { forksPart } from "./forks/forks-part.ts";
import type { Part } from "./frame/part.ts";
import { pagesPart } from "./pages/pages-part.ts";
import { schedulesPart } from "./schedules/schedules-part.ts";
import { telegramPart } from "./telegram/telegram-part.ts";

/** Everything that takes part in a round, unless `--only` or `--skip` says otherwise. */
export const PARTS: readonly Part[] = [corePart, pagesPart, telegramPart, schedulesPart, forksPart, createFleetPart()];
