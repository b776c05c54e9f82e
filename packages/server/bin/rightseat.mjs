#!/usr/bin/env node
import { existsSync } from "node:fs";

// In a checkout the script of the checkout installs and builds first; an installed package comes built.
const checkout = new URL("../../../scripts/rightseat.mjs", import.meta.url);
await import(existsSync(checkout) ? checkout.href : new URL("../dist/main.js", import.meta.url).href);
