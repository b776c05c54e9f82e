import { createContext } from "react";
import type { Highlighter } from "./highlight-port.ts";

/** Without a provider code stays plain. */
export const HighlightContext = createContext<Highlighter | undefined>(undefined);
