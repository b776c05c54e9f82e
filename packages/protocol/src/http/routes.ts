import { changeRoutes } from "./change-routes.ts";
import { contextRoutes } from "./context.ts";
import { conversationRoutes } from "./conversation-routes.ts";
import { fleetRoutes } from "./fleet-routes.ts";
import { folderRoutes } from "./folders.ts";
import { gitRoutes } from "./git-routes.ts";
import { inboxRoutes } from "./inbox-routes.ts";
import { loginRoutes } from "./login-routes.ts";
import { permissionRoutes } from "./permissions.ts";
import type { HttpRoute } from "./route.ts";
import { scheduleRoutes } from "./schedule-routes.ts";
import { serverRoutes } from "./server-routes.ts";
import { setupRoutes } from "./setup.ts";
import { shareRoutes } from "./shares.ts";
import { usageRoutes } from "./usage-routes.ts";

/** Every route below `/api`, and `/healthz`. */
export const HTTP_ROUTES: readonly HttpRoute[] = [
	...loginRoutes,
	...conversationRoutes,
	...contextRoutes,
	...inboxRoutes,
	...changeRoutes,
	...folderRoutes,
	...permissionRoutes,
	...gitRoutes,
	...usageRoutes,
	...scheduleRoutes,
	...shareRoutes,
	...fleetRoutes,
	...setupRoutes,
	...serverRoutes,
];
