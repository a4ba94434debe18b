/** How a person is reached. It can be looked at here, and changed in a terminal only: see {@link ChannelList}. */
import { Hono } from "hono";
import type { ChannelList } from "../wire/notify-wire.js";
import type { InboxParts, Signed } from "./inbox-parts.js";

export function channelRoutes({ notifications }: InboxParts): Hono<Signed> {
  const app = new Hono<Signed>();
  app.get("/channels", (context) => context.json(notifications.list() satisfies ChannelList));
  return app;
}
