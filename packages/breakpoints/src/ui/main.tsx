/** Starts the inbox in a browser. */
import { render } from "preact";
import { forgetOldDrafts } from "./api/draft-box.js";
import { listen } from "./api/inbox-state.js";
import { followOtherTabs } from "./api/session.js";
import { followHistory } from "./parts/address.js";
import { startClock } from "./parts/age.js";
import { followWidth } from "./parts/page-width.js";
import { App } from "./screens/app.js";
import { listenToKeys } from "./screens/keyboard.js";
import { signInWith, takeSecret } from "./screens/sign-in.js";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/shell.css";
import "./styles/door.css";
import "./styles/list.css";
import "./styles/question.css";

const secret = takeSecret();
followHistory();
followOtherTabs();
followWidth();
startClock();
listenToKeys();
forgetOldDrafts();
listen();
if (secret !== undefined) void signInWith(secret);
const place = document.getElementById("app");
if (place !== null) render(<App />, place);
// Most questions have markdown: it is at hand by the time the first one is opened.
setTimeout(() => void import("./text/render-markdown.js").catch(() => undefined), 300);
