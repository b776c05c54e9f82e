import { useLazy } from "../ui/use-lazy.ts";

const load = () => import("./inbox-entry.tsx");

/** The small parts of the inbox that stand about the page, once the page has nothing better to do than to fetch them. */
export const useInboxParts = () => useLazy(load, "idle");
