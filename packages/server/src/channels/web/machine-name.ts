import { hostname } from "node:os";

/** What people call this machine, for clients that speak to several. A name, not an address; only those who are logged in hear it. */
export const machineName = (): string => hostname().slice(0, 255);
