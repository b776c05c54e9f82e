import { jobSchema } from "../model/job.ts";
import { event } from "./event-frame.ts";

/** Background processes. */
export const jobEvents = [event("bash:job", { job: jobSchema })] as const;
